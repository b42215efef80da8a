// The generalized Pareto fit of Zhang and Stephens (2009).
#include "diagnostics/pareto.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/numeric.hpp"

namespace ravi {
namespace {

// Mean of log(1 - theta x_i), which is k at that theta; x is sorted. Logarithms are what a fit
// costs, so that of a product of four is taken. Where theta x is small, 1 - theta x loses its
// digits: log(1 + y) is then log(u) + (y - (u - 1)) / u with u = 1 + y rounded, as exact as log1p,
// which Eigen does not vectorize for doubles. At the limit below the product still has 12 digits.
double mean_log1p(double theta, const ConstVectorRef& x, Eigen::ArrayXd& u) {
  constexpr double kLittle = 1e-3, kMuch = 1e60;
  const Index n = x.size(), quarter = n / 4;
  const double furthest = std::abs(theta) * x(n - 1);
  u = 1 - theta * x.array();
  if (!(furthest > kLittle && furthest < kMuch)) {
    return (u.log() + (-theta * x.array() - (u - 1)) / u).mean();
  }
  const auto part = [&](Index i) { return u.segment(i * quarter, quarter); };
  const double sum = (part(0) * part(1) * (part(2) * part(3))).log().sum();
  return (sum + u.tail(n - 4 * quarter).log().sum()) / static_cast<double>(n);
}

}  // namespace

GpdFit fit_gpd(const ConstVectorRef& x, bool weak_prior) {
  constexpr GpdFit kNoFit = {std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()};
  const Index n = x.size();
  const auto size = static_cast<double>(n);
  const auto quartile_rank = static_cast<Index>(std::floor(size / 4 + 0.5));
  if (quartile_rank < 1 || !x.allFinite() || x(0) < 0) return kNoFit;
  const double quartile = x(quartile_rank - 1), largest = x(n - 1);
  if (!(quartile > 0)) return kNoFit;

  // Profile likelihood of theta = -k / sigma on the quantiles of its prior:
  //   theta_j = 1 / x_max + (1 - sqrt(m / (j - 1/2))) / (3 x_quartile).
  const auto points = static_cast<Index>(30 + std::floor(std::sqrt(size)));
  Eigen::ArrayXd theta(points), log_likelihood(points), work(n);
  for (Index j = 0; j < points; ++j) {
    const double ratio = static_cast<double>(points) / (static_cast<double>(j) + 0.5);
    theta(j) = 1 / largest + (1 - std::sqrt(ratio)) / (3 * quartile);
    const double k = mean_log1p(theta(j), x, work);
    // theta -> 0 is the exponential distribution, -theta / k -> 1 / mean.
    const double rate = theta(j) == 0 ? 1 / x.mean() : -theta(j) / k;
    log_likelihood(j) = size * (std::log(rate) - k - 1);
  }
  const double total = log_sum_exp(log_likelihood.matrix());
  const double average = (theta * (log_likelihood - total).exp()).sum();
  if (!std::isfinite(average)) return kNoFit;

  GpdFit fit;
  fit.k = mean_log1p(average, x, work);
  fit.sigma = average == 0 ? x.mean() : -fit.k / average;
  if (weak_prior) fit.k = (size * fit.k + 5) / (size + 10);
  return std::isfinite(fit.k) ? fit : kNoFit;
}

double gpd_quantile(double p, const GpdFit& gpd) {
  if (!(gpd.sigma > 0)) return std::numeric_limits<double>::quiet_NaN();
  const double exponential = -std::log1p(-p);
  return gpd.sigma * (gpd.k == 0 ? exponential : std::expm1(gpd.k * exponential) / gpd.k);
}

Index tail_length(Index n, double r_eff) {
  const auto size = static_cast<double>(n);
  return static_cast<Index>(std::ceil(std::min(0.2 * size, 3 * std::sqrt(size / r_eff))));
}

}  // namespace ravi
