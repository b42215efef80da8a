// Scoring an approximation by importance sampling.
#include "scoring/score.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "core/numeric.hpp"
#include "core/parallel.hpp"
#include "diagnostics/importance.hpp"
#include "diagnostics/ranks.hpp"
#include "family/approximation.hpp"
#include "limits/limits.hpp"
#include "scoring/looks.hpp"
#include "scoring/proposal.hpp"
#include "scoring/summarize.hpp"
#include "scoring/weights.hpp"

namespace ravi {
namespace {

// The most numbers that batches of draws may keep, and the fewest draws worth summarizing.
constexpr Index kMostNumbers = Index{1} << 25, kFewestKept = 100;
// Of these the plain draws, which files spell out, take at most so many; a thousand draws in any
// case.
constexpr Index kMostPlainNumbers = Index{1} << 23, kFewestPlain = 1000;
Index most_blocks() { return last_look().of_q + last_look().wide; }

// The ELBO is the mean log ratio, over the draws whose density could be computed.
void set_elbo(const Vector& log_ratio, Answer& result) {
  std::vector<double> usable;
  std::ranges::copy_if(log_ratio, std::back_inserter(usable),
                       [](double x) { return std::isfinite(x); });
  const Vector ratios = to_vector(usable);
  result.elbo = mean(ratios);
  result.elbo_mcse = std::sqrt(variance(ratios) / static_cast<double>(ratios.size()));
}

// Quantities beyond the parameters, such as predictions, can take more time than densities, and
// beyond a point more draws of them add no digit worth having: of every block so many are enough
// that together they count for S independent draws.
Index enough_of_each(double ess, Index s, Index block) {
  const double share = static_cast<double>(s) / ess;
  if (!(share < 1)) return block;
  const auto of_each = static_cast<Index>(std::ceil(share * static_cast<double>(block)));
  return std::min((of_each + kPair - 1) / kPair * kPair, block);
}

// Whole pairs.
Index block_size(const Options& options) {
  constexpr Index kParts = kBlocksOfBatch * kPair;
  return (options.psis_draws + kParts - 1) / kParts * kPair;
}

// Of optima with next to no mass beside q. Their ELBOs tell: it matters where weights do not.
Vector share_of_minor(const ImportanceDraws& drawn, double elbo) {
  Vector result = Vector::Zero(drawn.size());
  for (const ImportanceDraws::Other& other : drawn.others()) {
    if (!(other.elbo - elbo > std::log(1 - limit(Limit::share_of_q)))) result += other.share;
  }
  return result.cwiseMin(1);
}

Matrix cov_of(const Gaussian& q) {
  return q.cov.size() > 0 ? q.cov : Matrix(q.scale.cwiseAbs2().asDiagonal());
}

// Of a mixture: within its components, and between them.
Gaussian moments_of(const Components& q, const Vector& weight) {
  if (q.size() == 1) return q.front()->moments();
  std::vector<Gaussian> part;
  for (const Transport* of : q) part.push_back(of->moments());
  Gaussian all{.family = "mixture", .mean = Vector::Zero(part.front().mean.size())};
  for (std::size_t c = 0; c < part.size(); ++c) {
    all.mean += weight(static_cast<Index>(c)) * part[c].mean;
  }
  const bool diagonal = part.front().cov.size() == 0;
  const Index p = all.mean.size();
  if (diagonal) {
    all.scale = Vector::Zero(p);
  } else {
    all.cov = Matrix::Zero(p, p);
  }
  for (std::size_t c = 0; c < part.size(); ++c) {
    const double w = weight(static_cast<Index>(c));
    const Vector off = part[c].mean - all.mean;
    if (diagonal) {
      all.scale.array() += w * (part[c].scale.array().square() + off.array().square());
    } else {
      all.cov += w * (part[c].cov + off * off.transpose());
    }
  }
  all.scale = all.scale.cwiseSqrt();
  return all;
}

// Components that share much of what one of them holds are one mode: of two, that is the mean of
// the other's share of q over the draws of the one. Two equal ones of sd 1 are, up to 2.7 sds
// apart.
void add_modes(const Components& q, const Vector& weight, const Matrix& share, Answer& answer) {
  const Vector weights = answer.draws.log_weights.array().exp();
  const Matrix held = share.transpose() * weights.asDiagonal() * share;
  std::vector<Index> mode(q.size());
  std::iota(mode.begin(), mode.end(), Index{0});
  for (Index a = 0; a < held.rows(); ++a) {
    for (Index b = 0; b < a; ++b) {
      const double least = std::min(held.row(a).sum(), held.row(b).sum());
      if (!(held(a, b) > limit(Limit::unseen_mass) * least)) continue;
      const Index from = mode[static_cast<std::size_t>(a)], to = mode[static_cast<std::size_t>(b)];
      std::ranges::replace(mode, from, to);
    }
  }
  std::vector<Index> numbers = mode;
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::vector<Vector> shares;
  for (const Index number : numbers) {
    ModeSummary summary;
    Components there;
    std::vector<double> of_those;
    Vector of_mode = Vector::Zero(share.rows());
    for (std::size_t c = 0; c < q.size(); ++c) {
      if (mode[c] != number) continue;
      summary.components.push_back(static_cast<int>(c) + 1);
      there.push_back(q[c]);
      of_those.push_back(weight(static_cast<Index>(c)));
      of_mode += share.col(static_cast<Index>(c));
    }
    const Vector of_each = to_vector(of_those);
    // Next to nothing is no mode, and could not be summarized.
    if (!(of_each.sum() > limit(Limit::negligible_mass))) continue;
    summary.q = moments_of(there, of_each / of_each.sum());
    answer.modes.push_back(std::move(summary));
    shares.push_back(of_mode);
  }
  answer.draws.share_of_mode.resize(share.rows(), std::ssize(shares));
  for (std::size_t m = 0; m < shares.size(); ++m) {
    answer.draws.share_of_mode.col(static_cast<Index>(m)) = shares[m];
  }
}

// All numbers below that, with some of them first.
std::vector<Index> first_of(std::vector<Index> order, Index all) {
  std::vector<char> there(static_cast<std::size_t>(all), 0);
  for (const Index i : order) there[static_cast<std::size_t>(i)] = 1;
  for (Index i = 0; i < all; ++i) {
    if (!there[static_cast<std::size_t>(i)]) order.push_back(i);
  }
  return order;
}

}  // namespace

Index most_importance_draws(const Options& options) { return block_size(options) * most_blocks(); }

Index most_kept(Index dimension, Index quantities) {
  return std::max(kFewestKept, kMostNumbers / std::max<Index>(1, dimension + quantities));
}

double bytes_for_scores(Index dimension, Index quantities, const Options& options) {
  const Index most = most_kept(dimension, quantities), all = block_size(options) * most_blocks();
  const bool keep_all = all <= most;
  // theta is there twice while batches are put together.
  const double kept =
      static_cast<double>(keep_all ? all : std::min<Index>(most, options.psis_draws)) *
      static_cast<double>((keep_all ? 2 : 1) * dimension + quantities);
  // z, theta and its gradient of a chunk, in every thread.
  const double work = 3.0 * static_cast<double>(columns_per_call(dimension) * dimension) *
                      resolve_threads(options.threads);
  return sizeof(double) * (kept + work);
}

Answer score(const Model& model, const Components& q, const Options& options, std::uint32_t which,
             Detail detail, const Background& background) {
  const bool keep = detail == Detail::summaries;
  const Index s = options.psis_draws, components = std::ssize(q);
  const auto quantities = static_cast<Index>(model.parameter_names().size());
  const Index most = most_kept(model.dimension(), quantities);
  const Index block = block_size(options);
  // All components together are drawn from as often as one, but for what each needs at the least.
  const auto of_each = [&](Index blocks) { return (blocks + components - 1) / components; };
  const bool keep_all = keep && block * components * of_each(most_blocks()) <= most;
  Answer result;
  std::optional<ImportanceDraws> drawn(std::in_place, model, q, options, which, block, keep_all,
                                       background.others);
  Vector khats;
  Weights weights;
  double log_evidence_of_q = kUnknown;
  Index of_q = 0, of_others = 0;
  const auto look_at = [&](const Look& look) {
    const Index now = std::max(of_each(look.of_q), first_look().of_q);
    drawn->draw_from_q(now - of_q);
    of_q = now;
    if (!background.others.empty()) {
      const Index share = std::max<Index>(1, look.of_q / std::ssize(background.others));
      drawn->draw_from_others(share - of_others);
      of_others = share;
    }
    drawn->reweigh();
    const Vector log_ratio = drawn->log_ratio();
    khats = khats_of(log_ratio, kBlocksOfBatch * block);
    result.khat = quantile(khats, 0.5);
    const Psis smoothed = smooth(log_ratio);
    result.efficiency = smoothed.ess / static_cast<double>(log_ratio.size());
    result.perplexity = perplexity(normalize_log_weights(smoothed.log_weights));
    log_evidence_of_q =
        log_sum_exp(smoothed.log_weights) - std::log(static_cast<double>(log_ratio.size()));
    const Index further = of_each(look.wide) - drawn->wide_blocks();
    if (further > 0 && !constant(log_ratio)) drawn->draw_wide(further);
    weights = weights_of(drawn->log_density() - drawn->log_proposal());
    result.unseen_mass = weights.unseen;
    result.importance_draws = drawn->size();
    result.importance_ess = weights.ess;
    result.weighted = result.unseen_mass < limit(Limit::unseen_mass);
    return next(result, look);
  };
  Step step{Next::more, first_look()};
  while (step.next == Next::more) step = look_at(step.look);
  set_elbo(drawn->log_ratio(), result);
  result.khat_low = quantile(khats, 0.25);
  result.khat_high = quantile(khats, 0.75);
  result.log_evidence = weights.log_mean;
  result.share_of_q = std::min(1.0, std::exp(log_evidence_of_q - weights.log_mean));
  if (keep && !keep_all) {
    // Too large to keep them all: the summaries are over S draws of q, or as many as there may be,
    // by their own weights.
    const Vector weight = drawn->weight_of_component();
    const Index share = components + std::ssize(background.others);
    drawn.emplace(model, q, options, which, std::min(s, most) / share / kPair * kPair, true,
                  background.others);
    drawn->weigh_components(weight);
    drawn->draw_from_q(1);
    drawn->draw_from_others(1);
    weights = weights_of(drawn->log_density() - drawn->log_proposal());
  }
  if (keep_all && quantities > model.judged_quantities()) {
    drawn->keep_first(enough_of_each(weights.ess, s, block), weights.log_normalized);
    weights.log_normalized = normalize_log_weights(weights.log_normalized);
  }
  result.q = moments_of(q, drawn->weight_of_component());
  // Those of q come first.
  const std::vector<Index> order = first_of(drawn->draws_of_q(), drawn->size());
  const auto ordered = [&](const Vector& of_draws) -> Vector { return of_draws(order); };
  const auto from_q = std::ssize(drawn->draws_of_q());
  result.draws = {
      .theta = {},
      .from_q = from_q,
      .plain = std::min(
          {from_q, s, std::max(kFewestPlain, kMostPlainNumbers / std::max<Index>(1, quantities))}),
      .log_density = ordered(drawn->log_density()),
      .log_q = ordered(drawn->log_q()),
      .log_proposal = ordered(drawn->log_proposal()),
      .log_weights = ordered(weights.log_normalized),
      .share_of_minor = ordered(share_of_minor(*drawn, result.elbo))};
  if (components > 1) {
    add_modes(q, drawn->weight_of_component(), drawn->share_of_component()(order, Eigen::all),
              result);
  }
  if (keep) {
    result.draws.theta = drawn->take_theta();
    if (components > 1) result.draws.theta = Matrix(result.draws.theta(Eigen::all, order));
  }
  result.draws_kept = result.draws.log_weights.size();
  if (keep) {
    summarize_draws(model, q, options, which, result);
    if (components == 1) {
      add_error_of_q(model, *q.front(), background.parts, background.least_error,
                     static_cast<std::uint32_t>(options.seed), result.unweighted_parameters);
    }
    if (!result.weighted) result.parameters = result.unweighted_parameters;
  }
  return result;
}

ReferenceScore compare_with(const Reference& reference, const Gaussian& q) {
  const Matrix cov = cov_of(q);
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(reference.cov - cov, Eigen::EigenvaluesOnly);
  return {(reference.mean - q.mean).norm(), std::sqrt(eigen.eigenvalues().cwiseAbs().maxCoeff()),
          gaussian_kl(q.mean, cov, reference.mean, reference.cov)};
}

}  // namespace ravi
