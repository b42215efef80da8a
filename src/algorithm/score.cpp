// Scoring an approximation by importance sampling.
#include "algorithm/score.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <utility>
#include <vector>

#include "core/numeric.hpp"
#include "core/parallel.hpp"
#include "core/rng.hpp"
#include "diagnostics/importance.hpp"
#include "diagnostics/psis.hpp"
#include "diagnostics/ranks.hpp"

namespace ravi {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
// Columns per call of the model: large enough for matrix products, small enough for the cache, and
// for memory where P is large.
constexpr Index kChunk = 100, kChunkNumbers = Index{1} << 21;
// Draws come in pairs, z and -z: the mean of anything linear in z is then exact, and only the
// weights' variation makes an error.
constexpr Index kPair = 2;
// The most numbers that batches of draws may keep, and the fewest draws worth summarizing.
constexpr Index kMostNumbers = Index{1} << 25, kFewestKept = 100;
// Of these the plain draws, which files spell out, take at most so many; a thousand draws in any
// case.
constexpr Index kMostPlainNumbers = Index{1} << 23, kFewestPlain = 1000;
constexpr Index kMostBatches = kManyBatches + kManyBatches / kPerWide;
// Log weights that differ by less than this are equal for every purpose, and a tail fitted to them
// would be a tail of rounding errors.
constexpr double kNegligibleRange = 1e-6;

// Whole pairs, and one at least.
Index chunk_of(Index dimension) {
  return std::clamp(kChunkNumbers / std::max<Index>(1, dimension) / kPair * kPair, kPair, kChunk);
}

// A copy in memory that Eigen allocated: sums over it are the same in every run.
Vector to_vector(const std::vector<double>& x) {
  if (x.empty()) return {};
  Vector copy(static_cast<Index>(x.size()));
  std::ranges::copy(x, copy.data());
  return copy;
}

// Draws, and their log densities under p, q and the wide t around q.
struct Batch {
  Matrix theta;  // empty unless asked for
  Vector log_density, log_q, log_t;
  Index size() const { return log_q.size(); }
  Vector log_ratio() const { return log_density - log_q; }
};

// All draws in one batch, but for their theta.
Batch densities_of(const std::vector<Batch*>& batches) {
  Index all = 0;
  for (const Batch* batch : batches) all += batch->size();
  Batch result{{}, Vector(all), Vector(all), Vector(all)};
  for (Index first = 0; const Batch* batch : batches) {
    const Index n = batch->size();
    result.log_density.segment(first, n) = batch->log_density;
    result.log_q.segment(first, n) = batch->log_q;
    result.log_t.segment(first, n) = batch->log_t;
    first += n;
  }
  return result;
}

// Theta of all draws; each batch gives its own away.
Matrix take_theta(const std::vector<Batch*>& batches, Index draws) {
  Matrix theta(batches.front()->theta.rows(), draws);
  for (Index first = 0; auto* batch : batches) {
    theta.middleCols(first, batch->size()) = std::exchange(batch->theta, {});
    first += batch->size();
  }
  return theta;
}

enum class Proposal { q, t };

// (nu / chi-square_nu)^(1/2): what makes a normal vector a t vector.
double t_factor(RandomStream& stream) {
  Vector normal(kDegrees);
  stream.fill_normal(normal);
  return std::sqrt(static_cast<double>(kDegrees) / normal.squaredNorm());
}

// log density of mu + L t, t multivariate with kDegrees degrees of freedom, at mu + L z.
Vector log_t_at(const Matrix& z, double log_determinant) {
  constexpr double nu = kDegrees;
  const auto p = static_cast<double>(z.rows());
  const double constant = std::lgamma((nu + p) / 2) - std::lgamma(nu / 2) -
                          0.5 * p * std::log(nu * std::numbers::pi) - log_determinant;
  return constant - 0.5 * (nu + p) * (z.colwise().squaredNorm().transpose().array() / nu).log1p();
}

// S draws in chunks, each with a random stream of its own, so that threads do not matter.
Batch draw_batch(const Model& model, const Approximation& q, const Options& options, Index s,
                 Proposal proposal, std::uint32_t which, Index batch, bool keep_theta) {
  const Index p = q.dimension(), per_chunk = chunk_of(p), chunks = (s + per_chunk - 1) / per_chunk;
  const Purpose purpose = proposal == Proposal::q ? Purpose::importance : Purpose::wide;
  Batch drawn{Matrix(keep_theta ? p : 0, s), Vector(s), Vector(s), Vector(s)};
  parallel_for(chunks, resolve_threads(options.threads), [&](Index chunk) {
    const Index first = chunk * per_chunk, n = std::min(per_chunk, s - first);
    Matrix half(p, (n + 1) / kPair), z(p, n), theta(p, n);
    Vector log_density(n);
    RandomStream stream(options.seed, purpose, which,
                        static_cast<std::uint32_t>(batch * chunks + chunk));
    stream.fill_normal(half);
    for (Index i = 0; i < n; i += kPair) {
      z.col(i) = half.col(i / kPair);
      if (proposal == Proposal::t) z.col(i) *= t_factor(stream);
      if (i + 1 < n) z.col(i + 1) = -z.col(i);
    }
    q.transform(z, theta);
    model.log_density(theta, log_density);
    for (double& value : log_density) {
      if (!std::isfinite(value)) value = -kInf;
    }
    drawn.log_density.segment(first, n) = log_density;
    drawn.log_q.segment(first, n) = q.log_density_at(z);
    drawn.log_t.segment(first, n) = log_t_at(z, q.log_determinant());
    if (keep_theta) drawn.theta.middleCols(first, n) = theta;
  });
  return drawn;
}

// How many draws may be kept, with theta and the quantities of each.
Index most_kept(Index dimension, Index quantities) {
  return std::max(kFewestKept, kMostNumbers / std::max<Index>(1, dimension + quantities));
}

bool constant(const Vector& log_ratios) {
  return log_ratios.maxCoeff() - log_ratios.minCoeff() < kNegligibleRange;
}

Psis smooth(const Vector& log_ratios) {
  if (constant(log_ratios)) return {log_ratios, 0.0, static_cast<double>(log_ratios.size()), 0};
  return psis(log_ratios);
}

// log density of the mixture that the draws are from, with as many parts of q and of t as there are
// draws from each.
Vector log_mixture(const Batch& all, Index from_q) {
  if (from_q == all.size()) return all.log_q;
  const auto n = static_cast<double>(all.size());
  const double of_q = std::log(static_cast<double>(from_q) / n);
  const double of_t = std::log((n - static_cast<double>(from_q)) / n);
  Vector values(all.size());
  for (Index i = 0; i < all.size(); ++i) {
    const double q = of_q + all.log_q(i), t = of_t + all.log_t(i), top = std::max(q, t);
    values(i) = top + std::log1p(std::exp(std::min(q, t) - top));
  }
  return values;
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
// that does not exist, or rests on a few draws, shows here.
double unseen_variance(const Vector& x, double mean, const Vector& weights) {
  constexpr double kMore = 1000;  // B
  if (!x.allFinite()) return kUnknown;
  const Psis smoothed = smooth((weights.array() * (x.array() - mean).square()).log().matrix());
  if (!std::isfinite(smoothed.khat)) return 1;
  const double largest = smoothed.log_weights.maxCoeff() - log_sum_exp(smoothed.log_weights);
  const double above = std::max(0.0, smoothed.khat) - 1;
  const double factor =
      std::abs(above) < 1e-6 ? std::log(kMore) : std::expm1(above * std::log(kMore)) / above;
  return std::min(1.0, std::exp(largest) * factor);
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

std::vector<ParameterSummary> summarize(const std::vector<std::string>& names,
                                        const ConstMatrixRef& quantities, const Vector& weights,
                                        int threads) {
  std::vector<ParameterSummary> parameters(names.size());
  parallel_for(quantities.rows(), threads, [&](Index i) {
    const Vector x = quantities.row(i);
    const double not_finite =
        static_cast<double>((!x.array().isFinite()).count()) / static_cast<double>(x.size());
    const Vector w = not_finite > 0 ? where_finite(x, weights) : weights;
    const WeightedEstimates e = weighted_estimates(x, w, kPair);
    parameters[static_cast<std::size_t>(i)] = {names[static_cast<std::size_t>(i)],
                                               e.mean,
                                               e.sd,
                                               e.q5,
                                               e.q50,
                                               e.q95,
                                               e.mcse_mean,
                                               e.mcse_sd,
                                               e.mcse_q5,
                                               e.mcse_q50,
                                               e.mcse_q95,
                                               not_finite};
  });
  return parameters;
}

// What the model's parameter_names() name, of every draw and at q's mean.
void add_quantities(const Model& model, const Approximation& q, const Options& options,
                    std::uint32_t which, Index count, Answer& result) {
  const Matrix& theta = result.draws.theta;
  const Index s = theta.cols(), per_chunk = chunk_of(theta.rows());
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
  Matrix at_mean(count, 1);
  model.constrain(q.mean(), at_mean, seed_of(chunks));
  result.at_mean = at_mean;
}

void add_summaries(const Model& model, const Options& options,
                   const std::vector<std::string>& names, Answer& result) {
  const int threads = resolve_threads(options.threads);
  const Matrix &theta = result.draws.theta, &quantities = result.draws.quantities;
  for (Index i = 0; i < theta.cols(); ++i) {
    if (quantities.col(i).allFinite()) continue;
    result.why_not_finite = model.why_not_computable(theta.col(i));
    break;
  }
  const Index plain = result.draws.plain;
  result.unweighted_parameters =
      summarize(names, quantities.leftCols(plain),
                Vector::Constant(plain, 1 / static_cast<double>(plain)), threads);
  result.parameters = result.weighted ? summarize(names, quantities,
                                                  result.draws.log_weights.array().exp(), threads)
                                      : result.unweighted_parameters;
  // A tail can be heavy on one scale and light on the other: a variance is in doubt when it is in
  // doubt on both.
  const Vector weights = result.draws.log_weights.array().exp();
  const auto unseen_of = [&](const ConstMatrixRef& rows, Index i) {
    const Vector x = rows.row(i);
    const double share = unseen_variance(x, weighted_mean(x, weights), weights);
    return std::isnan(share) ? 0 : share;
  };
  const Index judged = model.judged_quantities();
  Vector reported = Vector::Zero(std::max<Index>(1, judged));
  Vector unconstrained = Vector::Zero(std::max<Index>(1, theta.rows()));
  parallel_for(judged, threads, [&](Index i) { reported(i) = unseen_of(quantities, i); });
  parallel_for(theta.rows(), threads, [&](Index i) {
    const bool same = i < judged && quantities.row(i) == theta.row(i);
    unconstrained(i) = same ? reported(i) : unseen_of(theta, i);
  });
  result.unseen_variance = std::min(reported.maxCoeff(), unconstrained.maxCoeff());
}

// As many draws again, chosen by weight; fewer distinct ones than half are a sign of poor weights.
void resample(const Options& options, std::uint32_t which, Answer& result) {
  const Vector& log_weights = result.draws.log_weights;
  if (!log_weights.allFinite() && !(log_weights.array() > -kInf).any()) return;
  RandomStream stream(options.seed, Purpose::resample, which, 0);
  result.draws.resampled = resample_with_replacement(log_weights, log_weights.size(), stream);
  std::vector<Index> sorted = result.draws.resampled;
  std::ranges::sort(sorted);
  result.distinct = std::distance(sorted.begin(), std::unique(sorted.begin(), sorted.end()));
}

// The ELBO is the mean log ratio, over the draws whose density could be computed.
void set_elbo(const std::vector<Batch>& batches, Answer& result) {
  std::vector<double> usable;
  for (const Batch& batch : batches) {
    const Vector log_ratio = batch.log_ratio();
    std::ranges::copy_if(log_ratio, std::back_inserter(usable),
                         [](double x) { return std::isfinite(x); });
  }
  const Vector ratios = to_vector(usable);
  result.elbo = mean(ratios);
  result.elbo_mcse = std::sqrt(variance(ratios) / static_cast<double>(ratios.size()));
}

double settled_khat(Index draws) { return 1 - 1 / std::log10(static_cast<double>(draws)); }

}  // namespace

double khat_threshold(Index draws) { return std::min(settled_khat(draws), 0.7); }

double unseen_mass_limit(const Answer& answer) {
  const bool settled = answer.khat <= settled_khat(std::max<Index>(answer.draws_scored, 2));
  return settled ? kUnseenMassLimit : kFirmUnseenMass;
}

double bytes_for_scores(Index dimension, Index quantities, const Options& options) {
  const Index most = most_kept(dimension, quantities), all = options.psis_draws * kMostBatches;
  const bool keep_all = all <= most;
  // theta is there twice while batches are put together.
  const double kept =
      static_cast<double>(keep_all ? all : std::min<Index>(most, options.psis_draws)) *
      static_cast<double>((keep_all ? 2 : 1) * dimension + quantities);
  // z, theta and its gradient of a chunk, in every thread.
  const double work =
      3.0 * static_cast<double>(chunk_of(dimension) * dimension) * resolve_threads(options.threads);
  return sizeof(double) * (kept + work);
}

Answer score(const Model& model, const Approximation& q, const Options& options,
             std::uint32_t which, Detail detail) {
  const bool keep = detail == Detail::summaries;
  const std::vector<std::string> names = model.parameter_names();
  const Index s = options.psis_draws;
  const auto quantities = static_cast<Index>(names.size());
  const Index most = most_kept(q.dimension(), quantities);
  const bool keep_all = keep && s * kMostBatches <= most;
  Answer result{.q = q.moments()};
  std::vector<Batch> from_q, from_t;
  std::vector<Batch*> used;
  const auto use = [&](std::vector<Batch>& batches) {
    for (Batch& batch : batches) used.push_back(&batch);
  };
  std::vector<double> khats;
  Batch all;
  Index count_of_q = 0;
  Vector log_proposal;
  Weights weights;
  const auto draw = [&](Index of_q, Index of_t) {
    for (Index b = 0; b < of_q; ++b) {
      const auto number = static_cast<Index>(from_q.size());
      from_q.push_back(draw_batch(model, q, options, s, Proposal::q, which, number, keep_all));
      khats.push_back(smooth(from_q.back().log_ratio()).khat);
    }
    for (Index b = 0; b < of_t; ++b) {
      const auto number = static_cast<Index>(from_t.size());
      from_t.push_back(draw_batch(model, q, options, s, Proposal::t, which, number, keep_all));
    }
    result.khat = quantile(to_vector(khats), 0.5);
    used.clear();
    use(from_q);
    all = densities_of(used);
    result.efficiency = smooth(all.log_ratio()).ess / static_cast<double>(all.size());
    count_of_q = all.size();
    if (!constant(all.log_ratio())) {
      use(from_t);
      all = densities_of(used);
    }
    log_proposal = log_mixture(all, count_of_q);
    weights = weights_of(all.log_density - log_proposal);
    result.unseen_mass = weights.unseen;
  };
  draw(kFewBatches, kFewBatches / kPerWide);
  const bool firm = result.unseen_mass < kFirmUnseenMass &&
                    (result.khat < kFirmKhat || result.efficiency > kHardlyVaryingEss);
  if (!firm) {
    draw(kManyBatches - kFewBatches, (kManyBatches - kFewBatches) / kPerWide);
  }
  set_elbo(from_q, result);
  result.khat_low = quantile(to_vector(khats), 0.25);
  result.khat_high = quantile(to_vector(khats), 0.75);
  result.draws_scored = all.size();
  result.importance_ess = weights.ess;
  result.log_evidence = weights.log_mean;
  result.weighted = result.unseen_mass < kUnseenMassLimit &&
                    weights.ess > kFewestEffective * static_cast<double>(all.size());
  if (keep_all) all.theta = take_theta(used, all.size());
  if (keep && !keep_all) {
    // Too large to keep them all: the summaries are over a first batch of q, or the beginning of
    // it, by its own weights.
    all = draw_batch(model, q, options, std::min(s, most), Proposal::q, which, 0, true);
    count_of_q = all.size();
    log_proposal = all.log_q;
    weights = weights_of(all.log_ratio());
  }
  result.draws = {.theta = std::move(all.theta),
                  .from_q = count_of_q,
                  .plain = std::min(
                      {count_of_q, Index{options.psis_draws},
                       std::max(kFewestPlain, kMostPlainNumbers / std::max<Index>(1, quantities))}),
                  .log_density = std::move(all.log_density),
                  .log_q = std::move(all.log_q),
                  .log_proposal = std::move(log_proposal),
                  .log_weights = weights.log_normalized};
  if (keep) {
    resample(options, which, result);
    add_quantities(model, q, options, which, quantities, result);
    add_summaries(model, options, names, result);
  }
  return result;
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
