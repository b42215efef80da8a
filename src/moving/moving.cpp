// Where weights cannot correct q: draws that Hamiltonian transitions move until they stand for p.
#include "moving/moving.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/numeric.hpp"
#include "core/stop.hpp"
#include "diagnostics/importance.hpp"
#include "diagnostics/psis.hpp"
#include "limits/limits.hpp"
#include "moving/hamiltonian.hpp"
#include "scoring/summarize.hpp"

namespace ravi {
namespace {

// Step size and scales are learned first. Then come rounds, at the end of which the draws are
// judged, and in which they are kept a few times; the scales are learned anew between them.
Index kept_of_round() { return count(Limit::moves_kept); }

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

Vector row_means(const Matrix& x) { return x.rowwise().mean(); }

Vector row_variances(const Matrix& x) {
  return (x.colwise() - row_means(x)).rowwise().squaredNorm() / static_cast<double>(x.cols() - 1);
}

// The largest correlation with the start, along the principal axes of where the draws are now:
// along those that q is too narrow for they are the slowest.
double memory(const Matrix& start, const Matrix& end) {
  Matrix a = start.colwise() - row_means(start), b = end.colwise() - row_means(end);
  const Eigen::SelfAdjointEigenSolver<Matrix> axes(b * b.transpose());
  if (axes.info() != Eigen::Success) return kUnknown;
  a = axes.eigenvectors().transpose() * a;
  b = axes.eigenvectors().transpose() * b;
  const Eigen::ArrayXd scale =
      (a.rowwise().squaredNorm().array() * b.rowwise().squaredNorm().array()).sqrt();
  return (a.cwiseProduct(b).rowwise().sum().array() / scale).abs().maxCoeff();
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

// Which draws are among the lowest in one coordinate.
Eigen::Array<bool, Eigen::Dynamic, 1> lowest(const Vector& x) {
  Vector sorted = x;
  double* end =
      sorted.data() + static_cast<Index>(limit(Limit::moved_tail) * static_cast<double>(x.size()));
  std::nth_element(sorted.data(), end, sorted.data() + sorted.size());
  return x.array() < *end;
}

// How much more of the tail of a coordinate is in it again later than chance would have there, as a
// share of what there could be, on the side where that is most. What q lacks is in tails, which
// correlations do not see: draws that go there seldom do not leave soon either.
double tail_memory(const Matrix& before, const Matrix& after) {
  double most = 0;
  for (Index i = 0; i < before.rows(); ++i) {
    for (const double side : {1.0, -1.0}) {
      const auto first = lowest(side * before.row(i)), second = lowest(side * after.row(i));
      const auto in_both = static_cast<double>((first && second).count());
      most = std::max(most, in_both / static_cast<double>(first.count()));
    }
  }
  const double by_chance = limit(Limit::moved_tail);
  return (most - by_chance) / (1 - by_chance);
}

// The largest differences of means, in sds, and of sds, as a factor.
void compare(const Matrix& first, const Matrix& second, Moves& moves) {
  const Vector of_first = row_variances(first), of_second = row_variances(second);
  const Vector sd = (0.5 * (of_first + of_second)).cwiseSqrt();
  const Vector means = (row_means(first) - row_means(second)).cwiseQuotient(sd).cwiseAbs();
  const Vector sds = 0.5 * of_first.cwiseQuotient(of_second).array().log().abs();
  moves.drift = std::max(moves.drift, means.maxCoeff());
  moves.sd_drift = std::max(moves.sd_drift, std::exp(sds.maxCoeff()));
}

// Of the second half of a round against the first, and of the draws that began widely spread
// against the others.
void judge_drift(const std::vector<Matrix>& kept, Moves& moves) {
  const auto middle = kept.begin() + kept_of_round() / 2;
  const Matrix all = side_by_side(kept);
  moves.drift = 0;
  moves.sd_drift = 1;
  compare(side_by_side({kept.begin(), middle}), side_by_side({middle, kept.end()}), moves);
  compare(all.leftCols(all.cols() / 2), all.rightCols(all.cols() / 2), moves);
}

// Variance of a draw's number of moves, over what equal chances would give.
double unevenness(const HamiltonianDraws& draws) {
  const auto n = static_cast<double>(draws.transitions());
  const double share = mean(draws.moves()) / n;
  return variance(draws.moves()) / (n * share * (1 - share));
}

// Where every transition was accepted, or none, there is no variance to speak of.
bool even(const Moves& moves) { return !(moves.unevenness >= limit(Limit::moved_unevenness)); }

bool settled(const Moves& moves) {
  return moves.memory < limit(Limit::moved_memory) &&
         moves.tail_memory < limit(Limit::moved_tail_memory) &&
         moves.drift < limit(Limit::moved_drift) && moves.sd_drift < limit(Limit::moved_sd_drift);
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
  return 2 * count(Limit::moves_learning) +
         count(Limit::moved_rounds) * kept_of_round() * count(Limit::moves_between);
}

void move_draws(const Model& model, const Transport& q, const Options& options, std::uint32_t which,
                const std::atomic<bool>* stop, Answer& answer,
                const std::function<void()>& one_done) {
  if (q.dimension() > count(Limit::regression_coordinates)) return;
  if ((answer.draws.log_weights.array() > -kInf).count() < count(Limit::moved_draws)) return;
  HamiltonianDraws draws(model, q, options, which, starts(q, options, which, answer.draws));
  const Matrix start = draws.z();
  Moves moves{.draws = start.cols()};
  const auto move = [&](Index transitions, bool learn) {
    for (Index i = 0; i < transitions && !requested(stop); ++i, ++moves.transitions) {
      draws.move(learn);
      one_done();
    }
  };
  move(count(Limit::moves_learning), true);
  draws.learn_scales();
  move(count(Limit::moves_learning), true);
  std::vector<Matrix> kept, log_density;
  const auto keep_a_round = [&] {
    for (Index i = 0; i < kept_of_round(); ++i) {
      move(count(Limit::moves_between), false);
      kept.push_back(draws.z());
      log_density.push_back(draws.log_density().transpose());
    }
  };
  const auto done = [&](Index rounds) {
    return even(moves) ? settled(moves) : rounds >= count(Limit::moved_enough_uneven);
  };
  for (Index round = 0; round < count(Limit::moved_rounds) && !done(round); ++round) {
    draws.learn_scales();
    draws.count_from_zero();
    kept.clear();
    log_density.clear();
    keep_a_round();
    if (requested(stop)) return;
    moves.memory = memory(start, draws.z());
    moves.tail_memory = tail_memory(kept.front(), kept.back());
    moves.unevenness = unevenness(draws);
    judge_drift(kept, moves);
  }
  moves.kept = settled(moves) && even(moves);
  moves.gradient_evaluations = draws.evaluations();
  answer.moves = moves;
  if (!moves.kept) return;
  replace(q, side_by_side(kept), side_by_side(log_density).transpose(),
          static_cast<Index>(kept.size()), answer);
  answer.weighted = true;
  summarize_draws(model, q, options, which, answer);
}

std::vector<Finding> judge_moves(const Moves& moves) {
  if (moves.kept) return {};
  if (!even(moves))
    return {{FindingCode::moves_uneven, moves.unevenness, limit(Limit::moved_unevenness)}};
  const auto unsettled = [](const char* measure, double observed, double limit) {
    return std::vector{Finding{.code = FindingCode::moves_unsettled,
                               .observed = observed,
                               .limit = limit,
                               .measure = measure}};
  };
  if (!(moves.memory < limit(Limit::moved_memory))) {
    return unsettled("memory of moved draws", moves.memory, limit(Limit::moved_memory));
  }
  if (!(moves.tail_memory < limit(Limit::moved_tail_memory))) {
    return unsettled("memory of their tails", moves.tail_memory, limit(Limit::moved_tail_memory));
  }
  if (!(moves.drift < limit(Limit::moved_drift))) {
    return unsettled("drift of their means in sds", moves.drift, limit(Limit::moved_drift));
  }
  return unsettled("drift of their sds as a factor", moves.sd_drift, limit(Limit::moved_sd_drift));
}

}  // namespace ravi
