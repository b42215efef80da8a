// Where weights cannot correct q: draws that Hamiltonian transitions move until they stand for p.
#include "moving/moving.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/numeric.hpp"
#include "core/parallel.hpp"
#include "core/stop.hpp"
#include "diagnostics/importance.hpp"
#include "diagnostics/psis.hpp"
#include "diagnostics/rhat.hpp"
#include "limits/limits.hpp"
#include "moving/hamiltonian.hpp"
#include "scoring/summarize.hpp"

namespace ravi {
namespace {

// Step size and scales are learned first. Then come rounds, at the end of which the draws are
// judged, and in which they are kept a few times; the scales are learned anew between them.
Index kept_of_round() { return count(Limit::few_moves); }

// Transitions seldom lead out of the end of a neck in which a search has stopped, nor from one mode
// to another: draws begin in optima that hold mass, in proportion to it, and in no others.
Vector chances_of(const WeightedDraws& draws) {
  if (draws.share_of_minor.size() == 0) return draws.log_weights;
  const Vector left = draws.log_weights.array() + (-draws.share_of_minor).array().log1p();
  return left.maxCoeff() > -kInf ? normalize_log_weights(left) : draws.log_weights;
}

// Half of them by their weights, but for draws with so much that one would be taken many times
// (truncated weights, Ionides 2008), and half by a power of the weights, so that they are spread
// more widely than the posterior.
Matrix starts(const Transport& q, const Options& options, std::uint32_t which,
              const WeightedDraws& draws) {
  const auto s = static_cast<double>(draws.log_weights.size());
  const Vector chances = chances_of(draws);
  const Vector truncated = chances.array().min(-0.5 * std::log(s));
  const Index half = count(Limit::moved_draws) / 2;
  Matrix z(draws.theta.rows(), 2 * half);
  for (const bool wide : {false, true}) {
    RandomStream stream(options.seed, Purpose::resample, which, wide ? 2 : 1);
    const std::vector<Index> chosen = resample_with_replacement(
        wide ? normalize_log_weights(limit(Limit::moved_tempering) * chances) : truncated, half,
        stream);
    q.inverse(draws.theta(Eigen::all, chosen), z.middleCols(wide ? half : 0, half));
  }
  return z;
}

// The draws of one round, each as often as it was kept, one after the other.
Matrix side_by_side(const std::vector<Matrix>& kept) {
  const auto times = static_cast<Index>(kept.size());
  Matrix all(kept.front().rows(), times * kept.front().cols());
  for (Index i = 0; i < all.cols(); ++i) {
    all.col(i) = kept[static_cast<std::size_t>(i % times)].col(i / times);
  }
  return all;
}

// What is asked of draws: their coordinates, the principal axes of where they are in those of q,
// which are the slowest where q is too narrow for them, and log p.
Matrix asked(const Transport& q, const Matrix& axes, const Matrix& z, const Matrix& log_p) {
  const Index p = z.rows();
  Matrix all(2 * p + 1, z.cols());
  q.forward(z, all.topRows(p));
  all.middleRows(p, p) = axes * z;
  all.bottomRows(1) = log_p;
  return all;
}

Matrix principal_axes(const Matrix& z) {
  const Matrix centered = z.colwise() - Vector(z.rowwise().mean());
  const Eigen::SelfAdjointEigenSolver<Matrix> axes(centered * centered.transpose());
  return axes.eigenvectors().transpose();
}

// Nested R-hat of what draws are at the end. For each of the quantities superchains are the draws
// that were near each other in it at the beginning. Infinite where it cannot be told.
double largest_nested(const Matrix& beginning, const Matrix& end, int threads) {
  Vector rhat(end.rows());
  parallel_for(end.rows(), threads, [&](Index k) {
    std::vector<Index> order(static_cast<std::size_t>(end.cols()));
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, {}, [&](Index i) { return beginning(k, i); });
    const double of_k = rhat_nested(end(k, order), count(Limit::moved_superchains));
    rhat(k) = std::isnan(of_k) ? kInf : of_k;
  });
  return rhat.maxCoeff();
}

void judge_round(const Transport& q, const Options& options, const std::vector<Matrix>& kept,
                 const std::vector<Matrix>& log_density, Moves& moves) {
  const Matrix axes = principal_axes(kept.back());
  const Matrix end = asked(q, axes, kept.back(), log_density.back());
  moves.rhat = largest_nested(asked(q, axes, kept.front(), log_density.front()), end,
                              resolve_threads(options.threads));
  // Bulk and tail of every quantity.
  moves.rhat_limit = rhat_nested_limit(limit(Limit::moved_rhat), limit(Limit::error_rate),
                                       2 * end.rows(), count(Limit::moved_superchains), end.cols());
}

// Draws of q, without weight, for those who want q; then the moved ones, each as often as it was
// kept.
void replace(const Transport& q, const Matrix& z, const Vector& log_density, Index times,
             Answer& answer) {
  WeightedDraws& old = answer.draws;
  const Index plain = old.plain / times * times, all = plain + z.cols();
  WeightedDraws draws{.theta = Matrix(z.rows(), all),
                      .from_q = plain,
                      .plain = plain,
                      .group = times,
                      .log_density = Vector(all),
                      .log_q = Vector(all),
                      .log_proposal = Vector(all),
                      .log_weights = Vector(all)};
  draws.theta.leftCols(plain) = old.theta.leftCols(plain);
  q.forward(z, draws.theta.rightCols(z.cols()));
  draws.log_density << old.log_density.head(plain), log_density;
  draws.log_q << old.log_q.head(plain), q.log_density_at(z);
  // The moved ones are draws of p itself.
  draws.log_proposal << old.log_q.head(plain), Vector(log_density.array() - answer.log_evidence);
  draws.log_weights << Vector::Constant(plain, -kInf),
      Vector::Constant(z.cols(), -std::log(static_cast<double>(z.cols())));
  answer.draws = std::move(draws);
  answer.draws_kept = all;
}

}  // namespace

Index most_transitions() {
  return 2 * count(Limit::few_moves) +
         count(Limit::most_rounds) * kept_of_round() * count(Limit::few_moves);
}

void move_draws(const Model& model, const Transport& q, const Options& options, std::uint32_t which,
                const std::atomic<bool>* stop, Answer& answer,
                const std::function<void()>& one_done) {
  if (q.dimension() > count(Limit::dense_coordinates)) return;
  if ((answer.draws.log_weights.array() > -kInf).count() < count(Limit::moved_draws)) return;
  HamiltonianDraws draws(model, q, options, which, starts(q, options, which, answer.draws));
  Moves moves{.draws = draws.z().cols()};
  const auto move = [&](Index transitions, bool learn) {
    for (Index i = 0; i < transitions && !requested(stop); ++i, ++moves.transitions) {
      draws.move(learn);
      one_done();
    }
  };
  move(count(Limit::few_moves), true);
  draws.learn_scales();
  move(count(Limit::few_moves), true);
  std::vector<Matrix> kept, log_density;
  const auto keep_a_round = [&] {
    for (Index i = 0; i < kept_of_round(); ++i) {
      move(count(Limit::few_moves), false);
      kept.push_back(draws.z());
      log_density.push_back(draws.log_density().transpose());
    }
  };
  for (Index round = 0; round < count(Limit::most_rounds) && !moves.kept; ++round) {
    draws.learn_scales();
    kept.clear();
    log_density.clear();
    keep_a_round();
    if (requested(stop)) return;
    // In the first one they leave where weights had them begin.
    if (round > 0) judge_round(q, options, kept, log_density, moves);
    moves.kept = moves.rhat < moves.rhat_limit;
  }
  moves.gradient_evaluations = draws.evaluations();
  answer.moves = moves;
  if (!moves.kept) return;
  replace(q, side_by_side(kept), side_by_side(log_density).transpose(),
          static_cast<Index>(kept.size()), answer);
  answer.weighted = true;
  summarize_draws(model, {&q}, options, which, answer);
}

std::vector<Finding> judge_moves(const Moves& moves) {
  if (moves.kept) return {};
  return {{FindingCode::moves_unsettled, moves.rhat, moves.rhat_limit}};
}

}  // namespace ravi
