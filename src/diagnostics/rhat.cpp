// R-hat, basic and rank-normalized, for one quantity or for all components of a vector at once.
#include "diagnostics/rhat.hpp"

#include <algorithm>
#include <cmath>

#include "core/numeric.hpp"
#include "core/parallel.hpp"
#include "diagnostics/chains.hpp"
#include "diagnostics/ranks.hpp"

namespace ravi {
namespace {

// Finite draws whose squares overflow would otherwise pass for converged: B/inf = 0.
double rhat_of(double within, double between, Index iterations) {
  const auto n = static_cast<double>(iterations);
  return std::isfinite(within) ? std::sqrt(between / within + (n - 1) / n) : kNan;
}

double unsplit_rhat(const ConstMatrixRef& draws) {
  if (!carries_information(draws)) return kNan;
  const ChainVariances variances = chain_variances(draws);
  return rhat_of(variances.within, variances.between, draws.rows());
}

}  // namespace

double rhat_basic(const ConstMatrixRef& draws, bool split) {
  return split ? unsplit_rhat(split_chains(draws)) : unsplit_rhat(draws);
}

double rhat_bulk(const ConstMatrixRef& draws) {
  if (!carries_information(draws)) return kNan;
  return unsplit_rhat(normal_scores(split_chains(draws)));
}

double rhat_tail(const ConstMatrixRef& draws) {
  if (!carries_information(draws)) return kNan;
  const double center = median(draws.reshaped());
  const Matrix folded = (draws.array() - center).abs();
  return unsplit_rhat(normal_scores(split_chains(folded)));
}

double rhat(const ConstMatrixRef& draws) {
  const double bulk = rhat_bulk(draws), tail = rhat_tail(draws);
  return std::isnan(bulk) || std::isnan(tail) ? kNan : std::max(bulk, tail);
}

double rhat_nested_basic(const ConstMatrixRef& draws, Index superchains) {
  if (superchains < 2 || draws.cols() < superchains || !carries_information(draws)) return kNan;
  Vector center(superchains), within(superchains);
  for (Index k = 0; k < superchains; ++k) {
    const Index first = k * draws.cols() / superchains;
    const Index end = (k + 1) * draws.cols() / superchains;
    const Matrix chains = draws.middleCols(first, end - first);
    const Vector means = chains.colwise().mean();
    center(k) = means.mean();
    within(k) = (means.size() > 1 ? variance(means) : 0) +
                (chains.rows() > 1 ? chain_variances(chains).within : 0);
  }
  const double between = variance(center);
  return std::isfinite(within.mean()) ? std::sqrt(1 + between / within.mean()) : kNan;
}

double rhat_nested(const ConstMatrixRef& draws, Index superchains) {
  if (!carries_information(draws)) return kNan;
  const Matrix folded = (draws.array() - median(draws.reshaped())).abs();
  const double bulk = rhat_nested_basic(normal_scores(draws), superchains);
  const double tail = rhat_nested_basic(normal_scores(folded), superchains);
  return std::isnan(bulk) || std::isnan(tail) ? kNan : std::max(bulk, tail);
}

double rhat_nested_limit(double tolerance, double rate, Index quantities, Index superchains,
                         Index chains) {
  const auto k = static_cast<double>(superchains), n = static_cast<double>(chains);
  const double noise =
      f_quantile(1 - rate / static_cast<double>(quantities), k - 1, n - k) / (n / k);
  return std::sqrt(tolerance * tolerance + noise);
}

Vector rhat_of_moments(std::span<const ChainMoments> chains, Index n, int threads) {
  if (chains.empty()) return {};
  const Vector& origin = chains.front().mean;
  if (chains.size() < 2 || n < 2) return Vector::Constant(origin.size(), kNan);
  const auto m = static_cast<double>(chains.size()), length = static_cast<double>(n);
  Vector result(origin.size());
  // In parts that stay in the cache.
  constexpr Index kTogether = 512;
  parallel_for((origin.size() + kTogether - 1) / kTogether, threads, [&](Index number) {
    const Index k = number * kTogether, count = std::min(kTogether, origin.size() - k);
    const auto part = [&](const Vector& of_chain) { return of_chain.segment(k, count).array(); };
    Eigen::ArrayXd within = Eigen::ArrayXd::Zero(count), center = within, between = within;
    // Measured from the first chain's mean, so that equal means have a variance of exactly zero.
    for (const ChainMoments& chain : chains) {
      within += part(chain.squares) / (m * (length - 1));
      center += (part(chain.mean) - part(origin)) / m;
    }
    for (const ChainMoments& chain : chains) {
      between += (part(chain.mean) - part(origin) - center).abs2() / (m - 1);
    }
    result.segment(k, count) =
        within.isFinite().select((between / within + (length - 1) / length).sqrt(), kNan);
  });
  return result;
}

}  // namespace ravi
