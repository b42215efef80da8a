// Monte Carlo standard errors of mean, sd and quantiles.
#include "diagnostics/mcse.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/numeric.hpp"
#include "diagnostics/beta.hpp"
#include "diagnostics/chains.hpp"
#include "diagnostics/ess.hpp"

namespace ravi {
namespace {

// Phi(-1), to the digits that the reference implementation (R package posterior) uses.
constexpr double kOneSigmaBelow = 0.1586553;

}  // namespace

double mcse_mean(const ConstMatrixRef& draws) {
  return std::sqrt(variance(draws.reshaped()) / ess_mean(draws));
}

double mcse_sd(const ConstMatrixRef& draws) {
  if (!carries_information(draws)) return std::numeric_limits<double>::quiet_NaN();
  const Matrix squares = (draws.array() - draws.mean()).square();
  const double m2 = squares.mean(), m4 = squares.array().square().mean();
  return std::sqrt((m4 - m2 * m2) / ess_mean(squares) / m2) / 2;
}

double mcse_quantile(const ConstMatrixRef& draws, double p) {
  const double ess = ess_quantile(draws, p);
  if (std::isnan(ess)) return ess;
  const double a = ess * p + 1, b = ess * (1 - p) + 1;
  const auto n = static_cast<double>(draws.size());
  Vector sorted = draws.reshaped();
  std::sort(sorted.begin(), sorted.end());
  const double low = std::max(1.0, std::floor(n * beta_quantile(kOneSigmaBelow, a, b)));
  const double high = std::min(n, std::ceil(n * beta_quantile(1 - kOneSigmaBelow, a, b)));
  return (sorted(static_cast<Index>(high) - 1) - sorted(static_cast<Index>(low) - 1)) / 2;
}

double mcse_median(const ConstMatrixRef& draws) { return mcse_quantile(draws, 0.5); }

}  // namespace ravi
