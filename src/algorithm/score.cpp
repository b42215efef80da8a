// Scoring an approximation by importance sampling.
#include "algorithm/score.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <iterator>
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
// Columns per call of the model: large enough for matrix products, small enough for the cache.
constexpr Index kChunk = 100;
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

struct Batch {
  Matrix theta;  // empty unless asked for
  Vector log_density, log_q;
};

// S draws from q in chunks, each with a random stream of its own, so that threads do not matter.
Batch draw_batch(const Model& model, const Approximation& q, const Options& options,
                 std::uint32_t which, Index batch, bool keep_theta) {
  const Index p = q.dimension(), s = options.psis_draws, chunks = (s + kChunk - 1) / kChunk;
  Batch drawn{Matrix(keep_theta ? p : 0, s), Vector(s), Vector(s)};
  parallel_for(chunks, resolve_threads(options.threads), [&](Index chunk) {
    const Index first = chunk * kChunk, n = std::min(kChunk, s - first);
    Matrix z(p, n), theta(p, n), gradient(p, n);
    Vector log_density(n);
    RandomStream stream(options.seed, Purpose::importance, which,
                        static_cast<std::uint32_t>(batch * chunks + chunk));
    stream.fill_normal(z);
    q.transform(z, theta);
    model.evaluate(theta, log_density, gradient);
    for (double& value : log_density) {
      if (!std::isfinite(value)) value = -kInf;
    }
    drawn.log_density.segment(first, n) = log_density;
    drawn.log_q.segment(first, n) = q.log_density_at(z);
    if (keep_theta) drawn.theta.middleCols(first, n) = theta;
  });
  return drawn;
}

Psis smooth(const Vector& log_ratios) {
  const double range = log_ratios.maxCoeff() - log_ratios.minCoeff();
  if (range < kNegligibleRange) {
    return {log_ratios, 0.0, static_cast<double>(log_ratios.size()), 0};
  }
  return psis(log_ratios);
}

// The weights of the draws where x is finite, rescaled to sum to one; NaN when there is none.
Vector where_finite(const Vector& x, const Vector& weights) {
  const Vector kept = x.array().isFinite().select(weights, 0.0);
  return kept / kept.sum();
}

std::vector<ParameterSummary> summarize(const std::vector<std::string>& names,
                                        const Matrix& quantities, const Vector& weights,
                                        int threads) {
  std::vector<ParameterSummary> parameters(names.size());
  parallel_for(quantities.rows(), threads, [&](Index i) {
    const Vector x = quantities.row(i);
    const double not_finite =
        static_cast<double>((!x.array().isFinite()).count()) / static_cast<double>(x.size());
    const Vector w = not_finite > 0 ? where_finite(x, weights) : weights;
    const Vector quantiles = weighted_quantiles(x, w, {0.05, 0.5, 0.95});
    parameters[static_cast<std::size_t>(i)] = {.name = names[static_cast<std::size_t>(i)],
                                               .mean = weighted_mean(x, w),
                                               .sd = weighted_sd(x, w),
                                               .q5 = quantiles(0),
                                               .q50 = quantiles(1),
                                               .q95 = quantiles(2),
                                               .mcse = weighted_mean_mcse(x, w),
                                               .not_finite = not_finite};
  });
  return parameters;
}

void add_summaries(const Model& model, const Options& options, std::uint32_t which,
                   Answer& result) {
  const int threads = resolve_threads(options.threads);
  const std::vector<std::string> names = model.parameter_names();
  const Matrix& theta = result.draws.theta;
  const Index s = theta.cols();
  Matrix quantities(static_cast<Index>(names.size()), s);
  parallel_for((s + kChunk - 1) / kChunk, threads, [&](Index chunk) {
    const Index first = chunk * kChunk, n = std::min(kChunk, s - first);
    RandomStream stream(options.seed, Purpose::quantities, which,
                        static_cast<std::uint32_t>(chunk));
    const auto seed = static_cast<std::uint32_t>(stream.below(std::uint64_t{1} << 32));
    model.constrain(theta.middleCols(first, n), quantities.middleCols(first, n), seed);
  });
  for (Index i = 0; i < s; ++i) {
    if (quantities.col(i).allFinite()) continue;
    result.why_not_finite = model.why_not_computable(theta.col(i));
    break;
  }
  const Vector uniform = Vector::Constant(s, 1 / static_cast<double>(s));
  result.unweighted_parameters = summarize(names, quantities, uniform, threads);
  result.parameters = result.weighted ? summarize(names, quantities,
                                                  result.draws.log_weights.array().exp(), threads)
                                      : result.unweighted_parameters;
}

// The ELBO is the mean log ratio, over the draws whose density could be computed.
void set_elbo(const std::vector<Vector>& log_ratios, Answer& result) {
  std::vector<double> usable;
  for (const Vector& batch : log_ratios) {
    std::ranges::copy_if(batch, std::back_inserter(usable),
                         [](double x) { return std::isfinite(x); });
  }
  const Vector ratios = to_vector(usable);
  result.elbo = mean(ratios);
  result.elbo_mcse = std::sqrt(variance(ratios) / static_cast<double>(ratios.size()));
}

}  // namespace

double khat_threshold(Index draws) {
  return std::min(1 - 1 / std::log10(static_cast<double>(draws)), 0.7);
}

Answer score(const Model& model, const Approximation& q, const Options& options,
             std::uint32_t which, Detail detail) {
  const bool keep = detail == Detail::summaries;
  const double threshold = khat_threshold(options.psis_draws);
  Answer result{.q = q.moments()};
  std::vector<Vector> log_ratios;
  std::vector<double> khats;
  const auto firm = [&] {
    const double khat = quantile(to_vector(khats), 0.5);
    return std::min(std::abs(khat - kAccurateKhat), std::abs(khat - threshold)) > kFirmDistance;
  };
  for (Index b = 0; b < kFewBatches || (b < kManyBatches && !firm()); ++b) {
    Batch batch = draw_batch(model, q, options, which, b, keep && b == 0);
    log_ratios.push_back(batch.log_density - batch.log_q);
    Psis smoothed = smooth(log_ratios.back());
    khats.push_back(smoothed.khat);
    if (b > 0) continue;
    result.importance_ess = smoothed.ess;
    result.draws = {std::move(batch.theta), std::move(batch.log_density), std::move(batch.log_q),
                    normalize_log_weights(smoothed.log_weights)};
  }
  set_elbo(log_ratios, result);
  result.khat = quantile(to_vector(khats), 0.5);
  result.khat_low = quantile(to_vector(khats), 0.25);
  result.khat_high = quantile(to_vector(khats), 0.75);
  result.weighted = result.khat <= threshold;
  if (keep) add_summaries(model, options, which, result);
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
