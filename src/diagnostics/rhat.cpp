// R-hat, basic and rank-normalized, for one quantity or for all components of a vector at once.
#include "diagnostics/rhat.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/numeric.hpp"
#include "diagnostics/chains.hpp"
#include "diagnostics/ranks.hpp"
#include "ravi/error.hpp"

namespace ravi {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

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

// Mean (from a given origin) and variance of each row.
void row_moments(const ConstMatrixRef& part, const ConstVectorRef& origin, VectorRef mean,
                 VectorRef variance) {
  const auto n = static_cast<double>(part.cols());
  const auto first = part.col(0);
  mean.setZero();
  for (Index t = 1; t < part.cols(); ++t) mean += part.col(t) - first;
  mean /= n;
  variance.setZero();
  for (Index t = 0; t < part.cols(); ++t) variance += (part.col(t) - first - mean).cwiseAbs2();
  variance /= n - 1;
  mean += first - origin;
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

Vector split_rhat_rows(std::span<const Matrix> chains) {
  if (chains.empty()) return {};
  const Index rows = chains.front().rows(), length = chains.front().cols(), half = length / 2;
  for (const Matrix& chain : chains) {
    if (chain.rows() != rows || chain.cols() != length) {
      throw UsageError("R-hat needs chains of the same size");
    }
  }
  if (half < 2) return Vector::Constant(rows, kNan);

  // Blocks of rows small enough that the second pass over a half chain finds it in the cache.
  constexpr Index kBlock = 256;
  const auto halves = static_cast<Index>(2 * chains.size());
  Vector result(rows);
  Matrix means, variances;
  for (Index first = 0; first < rows; first += kBlock) {
    const Index size = std::min(kBlock, rows - first);
    means.resize(size, halves);
    variances.resize(size, halves);
    const auto origin = chains.front().col(0).segment(first, size);
    for (Index h = 0; h < halves; ++h) {
      const Index start = h % 2 == 0 ? 0 : length - half;
      row_moments(chains[static_cast<std::size_t>(h / 2)].block(first, start, size, half), origin,
                  means.col(h), variances.col(h));
    }
    result.segment(first, size) = rhat_of_moments(means, variances, half);
  }
  return result;
}

Vector rhat_of_moments(const ConstMatrixRef& means, const ConstMatrixRef& variances, Index n) {
  if (means.cols() < 2 || n < 2) return Vector::Constant(means.rows(), kNan);
  const Vector within = variances.rowwise().mean();
  // Measured from the first chain's mean, so that equal means have a variance of exactly zero.
  const Matrix shifted = means.colwise() - means.col(0);
  const Vector center = shifted.rowwise().mean();
  const Vector between =
      (shifted.colwise() - center).rowwise().squaredNorm() / static_cast<double>(means.cols() - 1);
  Vector result(means.rows());
  for (Index i = 0; i < result.size(); ++i) result(i) = rhat_of(within(i), between(i), n);
  return result;
}

}  // namespace ravi
