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
