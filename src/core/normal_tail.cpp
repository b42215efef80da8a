// The distribution function of the standard normal and its inverse, in logarithms.
#include "core/normal_tail.hpp"

#include <cmath>
#include <numbers>

#include "core/numeric.hpp"

namespace ravi {

// Beyond 30 sds log Phi(-x) = log phi(x) - log x + log(1 - 1 / x^2 + 3 / x^4 - ...), the series
// within 2e-8 of its last term.
double log_normal_cdf(double z) {
  if (z > 0) return std::log1p(-0.5 * std::erfc(z / std::numbers::sqrt2));
  if (z > -30) return std::log(0.5 * std::erfc(-z / std::numbers::sqrt2));
  const double r = 1 / (z * z);
  return -0.5 * z * z - 0.5 * kLog2Pi - std::log(-z) + std::log1p(-r * (1 - 3 * r * (1 - 5 * r)));
}

// log Phi is concave, so that Newton's steps from below the root stay below it, and log Phi(z) <
// -z^2 / 2 - log 2 below 0 says where that is. Above the middle by symmetry.
double normal_quantile_of_log(double log_p) {
  constexpr double kMiddle = -std::numbers::ln2;
  if (log_p > kMiddle) return -normal_quantile_of_log(std::log(-std::expm1(log_p)));
  if (!(log_p > -kInf)) return log_p;
  double z = -std::sqrt(-2 * (log_p - kMiddle));
  for (int i = 0; i < 50; ++i) {
    const double log_cdf = log_normal_cdf(z);
    const double step = (log_p - log_cdf) * std::exp(log_cdf + 0.5 * (z * z + kLog2Pi));
    z += step;
    if (!(std::abs(step) > 1e-15 * (1 + std::abs(z)))) break;
  }
  return z;
}

}  // namespace ravi
