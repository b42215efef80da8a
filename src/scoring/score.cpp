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
#include "core/rng.hpp"
#include "diagnostics/importance.hpp"
#include "diagnostics/pareto.hpp"
#include "diagnostics/psis.hpp"
#include "diagnostics/ranks.hpp"
#include "diagnostics/resolution.hpp"
#include "scoring/proposal.hpp"
#include "scoring/tails.hpp"

namespace ravi {
namespace {

// The most numbers that batches of draws may keep, and the fewest draws worth summarizing.
constexpr Index kMostNumbers = Index{1} << 25, kFewestKept = 100;
// Of these the plain draws, which files spell out, take at most so many; a thousand draws in any
// case.
constexpr Index kMostPlainNumbers = Index{1} << 23, kFewestPlain = 1000;
constexpr Index kMostBlocks = kFirstOfQ + kFirstWide + kRounds * (kRoundOfQ + kRoundWide);
// Of log weights: those that are smaller, or zero, add nothing to an entropy.
constexpr double kLowest = -700;
// Log weights that differ by less than this are equal for every purpose, and a tail fitted to them
// would be a tail of rounding errors.
constexpr double kNegligibleRange = 1e-6;

// A copy in memory that Eigen allocated: sums over it are the same in every run.
Vector to_vector(const std::vector<double>& x) {
  if (x.empty()) return {};
  Vector copy(static_cast<Index>(x.size()));
  std::ranges::copy(x, copy.data());
  return copy;
}

bool constant(const Vector& log_ratios) {
  return log_ratios.maxCoeff() - log_ratios.minCoeff() < kNegligibleRange;
}

Psis smooth(const Vector& log_ratios) {
  if (constant(log_ratios)) return {log_ratios, 0.0, static_cast<double>(log_ratios.size()), 0};
  return psis(log_ratios);
}

struct Weights {
  Vector log_normalized = {};
  double ess = 0, log_mean = 0;
  double unseen = kUnknown;
};

// Of a Pareto tail of shape k < 1, one draw in S lies beyond the largest of S terms, t, and has
// t / (1 - k) on average: as a share of the sum.
double unseen_share(const Psis& smoothed) {
  if (!(smoothed.khat < 1)) return 1;
  const double largest = smoothed.log_weights.maxCoeff() - log_sum_exp(smoothed.log_weights);
  return std::min(1.0, std::exp(largest) / (1 - std::max(0.0, smoothed.khat)));
}

// The terms w (x - m)^2 that make up a variance have a longer tail, often of a shape near 1, where
// the mean beyond the largest jumps from large to infinite and its estimate with it. What B S draws
// would add to the sum of S has no jump: t (B^(k-1) - 1) / (k - 1), t log(B) at k = 1. A variance
// that rests on a few draws shows here.
struct Unseen {
  double share = 0, khat = 0;
};

Unseen unseen_variance(const Vector& x, const Vector& weights) {
  constexpr double kMore = 1000;  // B
  if (!x.allFinite()) return {};
  const double mean = weighted_mean(x, weights);
  const Psis smoothed = smooth((weights.array() * (x.array() - mean).square()).log().matrix());
  if (!std::isfinite(smoothed.khat)) return {1, kInf};
  const double largest = smoothed.log_weights.maxCoeff() - log_sum_exp(smoothed.log_weights);
  const double above = std::max(0.0, smoothed.khat) - 1;
  const double factor =
      std::abs(above) < 1e-6 ? std::log(kMore) : std::expm1(above * std::log(kMore)) / above;
  return {std::min(1.0, std::exp(largest) * factor), smoothed.khat};
}

// exp(-sum_i w_i log w_i) / S. Unlike the effective sample size, which rests on the largest
// weights, it hardly varies from one batch to the next.
double perplexity(const Vector& log_weights) {
  const Vector terms = log_weights.array().max(kLowest).exp() * log_weights.array().max(kLowest);
  return std::exp(-terms.sum()) / static_cast<double>(terms.size());
}

Weights weights_of(const Vector& log_ratios) {
  const Psis smoothed = smooth(log_ratios);
  const double log_sum = log_sum_exp(smoothed.log_weights);
  return {.log_normalized = normalize_log_weights(smoothed.log_weights),
          .ess = smoothed.ess,
          .log_mean = log_sum - std::log(static_cast<double>(log_ratios.size())),
          .unseen = unseen_share(smoothed)};
}

// The weights of the draws where x is finite, rescaled to sum to one; NaN when there is none.
Vector where_finite(const Vector& x, const Vector& weights) {
  const Vector kept = x.array().isFinite().select(weights, 0.0);
  return kept / kept.sum();
}

ParameterSummary summary_of(const std::string& name, const WeightedEstimates& e) {
  return {name,        e.mean,    e.sd,      e.q5,       e.q50,     e.q95,
          e.mcse_mean, e.mcse_sd, e.mcse_q5, e.mcse_q50, e.mcse_q95};
}

// Which coordinate a quantity is, if it is one: for those the distribution under q is known.
std::vector<Index> coordinates_among(const Matrix& theta, const Matrix& quantities) {
  std::vector<Index> result(static_cast<std::size_t>(quantities.rows()), -1);
  if (theta.cols() == 0) return result;
  Index next = 0;
  for (Index i = 0; i < quantities.rows(); ++i) {
    for (Index k = next; k < theta.rows(); ++k) {
      if (quantities(i, 0) != theta(k, 0) || quantities.row(i) != theta.row(k)) continue;
      result[static_cast<std::size_t>(i)] = k;
      next = k + 1;
      break;
    }
  }
  return result;
}

// Summaries of draws by their weights; with those that make them draws of q, where q has
// something to say.
struct Known {
  std::vector<Index> coordinate;
  Vector mean, sd, weights_of_q;
};

std::vector<ParameterSummary> summarize(const std::vector<std::string>& names,
                                        const ConstMatrixRef& quantities, const Vector& weights,
                                        Index group, int threads, const Known& known) {
  std::vector<ParameterSummary> parameters(names.size());
  parallel_for(quantities.rows(), threads, [&](Index i) {
    const auto place = static_cast<std::size_t>(i);
    const Vector x = quantities.row(i);
    const double not_finite =
        static_cast<double>((!x.array().isFinite()).count()) / static_cast<double>(x.size());
    const Index k = known.weights_of_q.size() > 0 ? known.coordinate[place] : -1;
    if (k >= 0) {
      // What is the same to rounding is known to a millionth, not better.
      const double least = kNegligibleRange * known.sd(k);
      WeightedEstimates e =
          weighted_estimates(x, weights, group, known.weights_of_q, {known.mean(k), known.sd(k)});
      for (double* error : {&e.mcse_mean, &e.mcse_sd, &e.mcse_q5, &e.mcse_q50, &e.mcse_q95}) {
        *error = std::max(*error, least);
      }
      parameters[place] = summary_of(names[place], e);
      return;
    }
    const Vector w = not_finite > 0 ? where_finite(x, weights) : weights;
    parameters[place] = summary_of(names[place], weighted_estimates(x, w, group));
    parameters[place].not_finite = not_finite;
  });
  return parameters;
}

// The summaries of q itself: exact for its coordinates, by its draws for other quantities.
std::vector<ParameterSummary> summarize_q(const std::vector<std::string>& names,
                                          const ConstMatrixRef& draws, const Known& known,
                                          Index group, int threads) {
  const Index n = draws.cols();
  std::vector<ParameterSummary> parameters =
      summarize(names, draws, Vector::Constant(n, 1 / static_cast<double>(n)), group, threads, {});
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Index k = known.coordinate[i];
    if (k >= 0) parameters[i] = summary_of(names[i], estimates_of({known.mean(k), known.sd(k)}));
  }
  return parameters;
}

// Adds the error of q itself to its summaries. The parts of the run whose mean q is are as many
// approximations; a few draws, the same for all of them, tell what each says of every quantity, and
// means and sds over the parts have a standard error (batch means). That of a quantile follows from
// both, as for a normal distribution.
void add_error_of_q(const Model& model, const Approximation& q, const Background& background,
                    std::uint32_t seed, std::vector<ParameterSummary>& parameters) {
  constexpr Index kDraws = 32;
  const auto count = static_cast<Index>(parameters.size());
  Vector of_mean = Vector::Zero(count), of_sd = Vector::Zero(count);
  if (const auto b = static_cast<Index>(background.parts.size()); b > 1) {
    Matrix z(q.dimension(), kDraws);
    RandomStream(seed, Purpose::quantities, 0, stream_of::error_of_q)
        .fill_normal(z.leftCols(kDraws / 2));
    z.rightCols(kDraws / 2) = -z.leftCols(kDraws / 2);
    Matrix means(count, b), sds(count, b), theta(q.dimension(), kDraws), values(count, kDraws);
    const auto part = q.clone();
    for (Index i = 0; i < b; ++i) {
      part->assign(background.parts[static_cast<std::size_t>(i)]);
      part->transform(z, theta);
      model.constrain(theta, values, seed);
      means.col(i) = values.rowwise().mean();
      sds.col(i) = (values.colwise() - means.col(i)).rowwise().norm() / std::sqrt(kDraws - 1.0);
    }
    const auto error = [&](const Matrix& x) -> Vector {
      const Vector center = x.rowwise().mean();
      return (x.colwise() - center).rowwise().norm() /
             std::sqrt(static_cast<double>(b) * static_cast<double>(b - 1));
    };
    of_mean = error(means);
    of_sd = error(sds);
  }
  for (Index i = 0; i < count; ++i) {
    ParameterSummary& x = parameters[static_cast<std::size_t>(i)];
    const double mean = std::hypot(of_mean(i), background.least_error * x.sd);
    const double sd = std::hypot(of_sd(i), background.least_error * x.sd);
    const double tail = std::hypot(mean, kNormal95 * sd);
    x.mcse = std::hypot(x.mcse, mean);
    x.mcse_sd = std::hypot(x.mcse_sd, sd);
    x.mcse_q5 = std::hypot(x.mcse_q5, tail);
    x.mcse_q50 = std::hypot(x.mcse_q50, mean);
    x.mcse_q95 = std::hypot(x.mcse_q95, tail);
  }
}

// What the model's parameter_names() name, of every draw.
void add_quantities(const Model& model, const Options& options, std::uint32_t which, Index count,
                    Answer& result) {
  const Matrix& theta = result.draws.theta;
  const Index s = theta.cols(), per_chunk = columns_per_call(theta.rows());
  const Index chunks = (s + per_chunk - 1) / per_chunk;
  const auto seed_of = [&](Index chunk) {
    RandomStream stream(options.seed, Purpose::quantities, which,
                        static_cast<std::uint32_t>(chunk));
    return static_cast<std::uint32_t>(stream.below(std::uint64_t{1} << 32));
  };
  Matrix& quantities = result.draws.quantities;
  quantities.resize(count, s);
  parallel_for(chunks, resolve_threads(options.threads), [&](Index chunk) {
    const Index first = chunk * per_chunk, n = std::min(per_chunk, s - first);
    model.constrain(theta.middleCols(first, n), quantities.middleCols(first, n), seed_of(chunk));
  });
}

void say_why_not_finite(const Model& model, Answer& result) {
  const Matrix &theta = result.draws.theta, &quantities = result.draws.quantities;
  for (Index i = 0; i < theta.cols(); ++i) {
    if (quantities.col(i).allFinite()) continue;
    result.why_not_finite = model.why_not_computable(theta.col(i));
    return;
  }
}

// Which coordinates the quantities are, and the weights that make the draws draws of q: none where
// they are moved ones.
Known known_of(const Approximation& q, const Answer& result) {
  const WeightedDraws& draws = result.draws;
  Known known{coordinates_among(draws.theta, draws.quantities), q.mean(), q.sd(), {}};
  if (!result.moved()) {
    const Vector log_weights = draws.log_q - draws.log_proposal;
    known.weights_of_q = normalize_log_weights(log_weights).array().exp();
  }
  return known;
}

// Which sds are to be trusted. Where much of one may be unseen, draws that are moved may see it,
// unless q resembles the posterior on the unconstrained scale, where little is.
void judge_sds(const Model& model, const Vector& weights, int threads, Answer& result) {
  const Matrix &theta = result.draws.theta, &quantities = result.draws.quantities;
  const Index count = quantities.rows(), judged = model.judged_quantities();
  std::vector<Unseen> unseen(static_cast<std::size_t>(count));
  parallel_for(count, threads, [&](Index i) {
    unseen[static_cast<std::size_t>(i)] = unseen_variance(quantities.row(i), weights);
  });
  std::vector<Index> long_tailed;
  result.unseen_variance = 0;
  for (Index i = 0; i < count; ++i) {
    const Unseen& of = unseen[static_cast<std::size_t>(i)];
    result.parameters[static_cast<std::size_t>(i)].sd_trusted = of.share < kUnseenVarianceLimit;
    if (i >= judged) continue;
    result.unseen_variance = std::max(result.unseen_variance, of.share);
    // Moved draws never look long-tailed: they do not go that far.
    if (result.moved() || of.khat > kAccurateKhat) long_tailed.push_back(i);
  }
  const std::vector<double> shapes = tail_shapes(model, result.draws, long_tailed, threads);
  result.tail_shape = beyond_any_posterior(result.draws) ? kInf : 0;
  for (std::size_t j = 0; j < shapes.size(); ++j) {
    result.tail_shape = std::max(result.tail_shape, shapes[j]);
    if (2 * shapes[j] >= kLongestTail) {
      result.parameters[static_cast<std::size_t>(long_tailed[j])].sd_trusted = false;
    }
  }
  if (result.unseen_variance < kUnseenVarianceLimit) return;
  Vector unconstrained(theta.rows());
  parallel_for(theta.rows(), threads,
               [&](Index k) { unconstrained(k) = unseen_variance(theta.row(k), weights).share; });
  result.unseen_variance = std::min(result.unseen_variance, unconstrained.maxCoeff());
}

void add_summaries(const Model& model, const Approximation& q, const Options& options,
                   const std::vector<std::string>& names, Answer& result) {
  const int threads = resolve_threads(options.threads);
  const Matrix& quantities = result.draws.quantities;
  const Index group = result.draws.group;
  const Vector weights = result.draws.log_weights.array().exp();
  const Known known = known_of(q, result);
  if (result.unweighted_parameters.empty()) {
    result.unweighted_parameters =
        summarize_q(names, quantities.leftCols(result.draws.plain), known, group, threads);
  }
  result.parameters = result.weighted ? summarize(names, quantities, weights, group, threads, known)
                                      : result.unweighted_parameters;
  judge_sds(model, weights, threads, result);
}

// As many draws again as have weight, chosen by it; fewer distinct ones than half are a sign of
// poor weights.
void resample(const Options& options, std::uint32_t which, Answer& result) {
  const Vector& log_weights = result.draws.log_weights;
  const Index count = (log_weights.array() > -kInf).count();
  if (count == 0) return;
  RandomStream stream(options.seed, Purpose::resample, which, 0);
  result.draws.resampled = resample_with_replacement(log_weights, count, stream);
  std::vector<Index> sorted = result.draws.resampled;
  std::ranges::sort(sorted);
  result.distinct = std::distance(sorted.begin(), std::unique(sorted.begin(), sorted.end()));
}

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

// The resolution of the log densities of draws that count, over how much they vary.
double coarseness_of(const WeightedDraws& draws) {
  std::vector<double> counting;
  for (Index i = 0; i < draws.log_density.size(); ++i) {
    const double value = draws.log_density(i);
    if (draws.log_weights(i) > -kInf && std::isfinite(value)) counting.push_back(value);
  }
  const Vector values = to_vector(counting);
  if (values.size() < 2) return kUnknown;
  const double resolution = resolution_of(values);
  const double spread = std::sqrt(variance(Vector(values.array() - values.maxCoeff())));
  return resolution == 0 ? 0 : resolution / spread;
}

// Whole pairs.
Index block_size(const Options& options) {
  constexpr Index kParts = kBlocksOfBatch * kPair;
  return (options.psis_draws + kParts - 1) / kParts * kPair;
}

// Of every batch of q's draws; of all where there is not one batch.
Vector khats_of(const Vector& log_ratio, Index batch) {
  const Index batches = std::max<Index>(1, log_ratio.size() / batch);
  Vector result(batches);
  for (Index b = 0; b < batches; ++b) {
    result(b) = smooth(log_ratio.segment(b * batch, std::min(batch, log_ratio.size()))).khat;
  }
  return result;
}

// Of optima with next to no mass beside q. Their ELBOs tell: it matters where weights do not.
Vector share_of_minor(const ImportanceDraws& drawn, double elbo) {
  Vector result = Vector::Zero(drawn.size());
  for (const ImportanceDraws::Other& other : drawn.others()) {
    if (!(other.elbo - elbo > std::log(1 - kShareOfQ))) result += other.share;
  }
  return result.cwiseMin(1);
}

double settled_khat(Index draws) { return 1 - 1 / std::log10(static_cast<double>(draws)); }

// Whether there are as many draws as the tail needs.
bool settled(const Answer& answer) {
  return answer.khat <= settled_khat(std::max<Index>(answer.draws_scored, 2));
}

}  // namespace

Index most_importance_draws(const Options& options) { return block_size(options) * kMostBlocks; }

double khat_threshold(Index draws) { return std::min(settled_khat(draws), kLongestTail); }

Index most_kept(Index dimension, Index quantities) {
  return std::max(kFewestKept, kMostNumbers / std::max<Index>(1, dimension + quantities));
}

double unseen_mass_limit(const Answer& answer) {
  return settled(answer) ? kUnseenMassLimit : kFirmUnseenMass;
}

double bytes_for_scores(Index dimension, Index quantities, const Options& options) {
  const Index most = most_kept(dimension, quantities), all = block_size(options) * kMostBlocks;
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

Answer score(const Model& model, const Approximation& q, const Options& options,
             std::uint32_t which, Detail detail, const Background& background) {
  const bool keep = detail == Detail::summaries;
  const Index s = options.psis_draws;
  const auto quantities = static_cast<Index>(model.parameter_names().size());
  const Index most = most_kept(q.dimension(), quantities);
  const Index block = block_size(options);
  const bool keep_all = keep && block * kMostBlocks <= most;
  Answer result{.q = q.moments()};
  std::optional<ImportanceDraws> drawn(std::in_place, model, q, options, which, block, keep_all,
                                       background.others);
  Vector khats;
  Weights weights;
  double log_evidence_of_q = kUnknown;
  Index of_others = 0;
  const auto draw_up_to = [&](Index of_q, Index wide) {
    drawn->draw_from_q(of_q - drawn->of_q() / block);
    if (!background.others.empty()) {
      const Index share = std::max<Index>(1, of_q / std::ssize(background.others));
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
    const Index further = wide - drawn->wide_blocks();
    if (further > 0 && !constant(log_ratio)) drawn->draw_wide(further);
    weights = weights_of(drawn->log_density() - drawn->log_proposal());
    result.unseen_mass = weights.unseen;
  };
  draw_up_to(kLookOfQ, 0);
  const bool hardly_varying = weights_hardly_vary(result);
  const bool close =
      hardly_varying || (result.efficiency > kOneLookEss && result.khat < kOneLookKhat);
  if (close) draw_up_to(kLookOfQ, hardly_varying ? kLookWideHardlyVarying : kLookWide);
  if (!close || !(result.unseen_mass < kFirmUnseenMass)) draw_up_to(kFirstOfQ, kFirstWide);
  const bool firm = result.unseen_mass < kFirmUnseenMass;
  for (Index round = 1; !firm && round <= kRounds; ++round) {
    draw_up_to(kFirstOfQ + round * kRoundOfQ, kFirstWide + round * kRoundWide);
  }
  set_elbo(drawn->log_ratio(), result);
  result.khat_low = quantile(khats, 0.25);
  result.khat_high = quantile(khats, 0.75);
  result.draws_scored = drawn->size();
  result.importance_ess = weights.ess;
  result.log_evidence = weights.log_mean;
  result.share_of_q = std::min(1.0, std::exp(log_evidence_of_q - weights.log_mean));
  result.weighted = result.unseen_mass < kUnseenMassLimit &&
                    weights.ess > kFewestEffective * static_cast<double>(drawn->size());
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
    add_error_of_q(model, q, background, static_cast<std::uint32_t>(options.seed),
                   result.unweighted_parameters);
    if (!result.weighted) result.parameters = result.unweighted_parameters;
  }
  return result;
}

void summarize_draws(const Model& model, const Approximation& q, const Options& options,
                     std::uint32_t which, Answer& answer) {
  const std::vector<std::string> names = model.parameter_names();
  resample(options, which, answer);
  answer.coarseness = coarseness_of(answer.draws);
  add_quantities(model, options, which, static_cast<Index>(names.size()), answer);
  say_why_not_finite(model, answer);
  add_summaries(model, q, options, names, answer);
}

std::vector<Finding> judge_quantities(const Answer& answer) {
  const auto worst =
      std::ranges::max_element(answer.unweighted_parameters, {}, &ParameterSummary::not_finite);
  if (worst == answer.unweighted_parameters.end() || worst->not_finite == 0) return {};
  return {{.code = FindingCode::quantities_not_finite,
           .observed = worst->not_finite,
           .parameter = worst->name,
           .detail = answer.why_not_finite}};
}

ReferenceScore compare_with(const Reference& reference, const Approximation& q) {
  const Matrix cov = q.cov();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(reference.cov - cov, Eigen::EigenvaluesOnly);
  return {(reference.mean - q.mean()).norm(), std::sqrt(eigen.eigenvalues().cwiseAbs().maxCoeff()),
          gaussian_kl(q.mean(), cov, reference.mean, reference.cov)};
}

}  // namespace ravi
