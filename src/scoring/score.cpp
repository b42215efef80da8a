// Scoring an approximation by importance sampling.
#include "scoring/score.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
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

Answer score(const Model& model, const Transport& q, const Options& options, std::uint32_t which,
             Detail detail, const Background& background) {
  const bool keep = detail == Detail::summaries;
  const Index s = options.psis_draws;
  const auto quantities = static_cast<Index>(model.parameter_names().size());
  const Index most = most_kept(q.dimension(), quantities);
  const Index block = block_size(options);
  const bool keep_all = keep && block * most_blocks() <= most;
  Answer result{.q = q.moments()};
  std::optional<ImportanceDraws> drawn(std::in_place, model, q, options, which, block, keep_all,
                                       background.others);
  Vector khats;
  Weights weights;
  double log_evidence_of_q = kUnknown;
  Index of_others = 0;
  const auto look_at = [&](const Look& look) {
    drawn->draw_from_q(look.of_q - drawn->of_q() / block);
    if (!background.others.empty()) {
      const Index share = std::max<Index>(1, look.of_q / std::ssize(background.others));
      drawn->draw_from_others(share - of_others);
      of_others = share;
    }
    const Vector log_ratio = drawn->log_ratio();
    khats = khats_of(log_ratio, kBlocksOfBatch * block);
    result.khat = quantile(khats, 0.5);
    const Psis smoothed = smooth(log_ratio);
    result.efficiency = smoothed.ess / static_cast<double>(log_ratio.size());
    result.perplexity = perplexity(normalize_log_weights(smoothed.log_weights));
    log_evidence_of_q =
        log_sum_exp(smoothed.log_weights) - std::log(static_cast<double>(log_ratio.size()));
    const Index further = look.wide - drawn->wide_blocks();
    if (further > 0 && !constant(log_ratio)) drawn->draw_wide(further);
    weights = weights_of(drawn->log_density() - drawn->log_proposal());
    result.unseen_mass = weights.unseen;
    result.importance_draws = drawn->size();
    result.importance_ess = weights.ess;
    result.weighted =
        result.unseen_mass < limit(Limit::unseen_mass) &&
        weights.ess > limit(Limit::fewest_effective) * static_cast<double>(drawn->size());
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
    const auto share = static_cast<Index>(1 + background.others.size());
    drawn.emplace(model, q, options, which, std::min(s, most) / share / kPair * kPair, true,
                  background.others);
    drawn->draw_from_q(1);
    drawn->draw_from_others(1);
    weights = weights_of(drawn->log_density() - drawn->log_proposal());
  }
  if (keep_all && quantities > model.judged_quantities()) {
    drawn->keep_first(enough_of_each(weights.ess, s, block), weights.log_normalized);
    weights.log_normalized = normalize_log_weights(weights.log_normalized);
  }
  result.draws = {.theta = keep ? drawn->take_theta() : Matrix(),
                  .from_q = drawn->of_q(),
                  .plain = std::min(
                      {drawn->of_q(), s,
                       std::max(kFewestPlain, kMostPlainNumbers / std::max<Index>(1, quantities))}),
                  .log_density = drawn->log_density(),
                  .log_q = drawn->log_q(),
                  .log_proposal = drawn->log_proposal(),
                  .log_weights = weights.log_normalized,
                  .share_of_minor = share_of_minor(*drawn, result.elbo)};
  result.draws_kept = result.draws.log_weights.size();
  if (keep) {
    summarize_draws(model, q, options, which, result);
    add_error_of_q(model, q, background.parts, background.least_error,
                   static_cast<std::uint32_t>(options.seed), result.unweighted_parameters);
    if (!result.weighted) result.parameters = result.unweighted_parameters;
  }
  return result;
}

ReferenceScore compare_with(const Reference& reference, const Transport& q) {
  const Matrix cov = q.cov();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(reference.cov - cov, Eigen::EigenvaluesOnly);
  return {(reference.mean - q.mean()).norm(), std::sqrt(eigen.eigenvalues().cwiseAbs().maxCoeff()),
          gaussian_kl(q.mean(), cov, reference.mean, reference.cov)};
}

}  // namespace ravi
