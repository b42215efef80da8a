// The beta distribution function by continued fraction, its inverse by guarded Newton steps.
#include "diagnostics/beta.hpp"

#include <cmath>
#include <limits>

#include "core/numeric.hpp"

namespace ravi {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// log Gamma(x) - [(x - 1/2) log x - x + 1/2 log 2 pi], Stirling's series (Abramowitz and Stegun
// 6.1.41). For x >= 10 the first term left out is below 1e-15.
double stirling_remainder(double x) {
  const double r = 1 / (x * x);
  return (1 / 12. + r * (-1 / 360. + r * (1 / 1260. + r * (-1 / 1680. +
                                                           r * (1 / 1188. - r * 691 / 360360.))))) /
         x;
}

// log B(a, b). Gamma functions of large arguments nearly cancel in it, so they are combined before
// any logarithm is taken; std::lgamma would also write a global variable from every thread.
double log_beta(double a, double b) {
  // B(a, b) = B(a + 1, b) (a + b) / a.
  double factor = 0;
  for (; a < 10; ++a) factor += std::log((a + b) / a);
  for (; b < 10; ++b) factor += std::log((a + b) / b);
  const double sum = a + b;
  return factor + kLog2Pi / 2 - std::log(b) / 2 + (a - 0.5) * std::log(a / sum) +
         b * std::log1p(-a / sum) + stirling_remainder(a) + stirling_remainder(b) -
         stirling_remainder(sum);
}

// x^a (1-x)^b / B(a, b).
double beta_power(double x, double a, double b, double log_normalizer) {
  return std::exp(a * std::log(x) + b * std::log1p(-x) - log_normalizer);
}

// The continued fraction of Abramowitz and Stegun 26.5.8, evaluated from the front by Lentz's
// method (Thompson and Barnett 1986). It converges in O(sqrt(max(a, b))) terms for
// x < (a + 1) / (a + b + 2).
double beta_fraction(double x, double a, double b) {
  constexpr double kTiny = 1e-300;
  constexpr int kMaxTerms = 1'000'000;
  const auto away_from_zero = [](double v) { return std::abs(v) < kTiny ? kTiny : v; };
  double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
  double c = 1, value = d;
  for (int term = 1; term < kMaxTerms; ++term) {
    const double m = term;
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    value *= c * d;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    const double change = c * d;
    value *= change;
    if (std::abs(change - 1) < kEpsilon) break;
  }
  return value;
}

double incomplete_beta(double x, double a, double b, double log_normalizer) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double power = beta_power(x, a, b, log_normalizer);
  if (x < (a + 1) / (a + b + 2)) return power * beta_fraction(x, a, b) / a;
  return 1 - power * beta_fraction(1 - x, b, a) / b;
}

}  // namespace

double incomplete_beta(double x, double a, double b) {
  if (!(x >= 0 && x <= 1 && a > 0 && b > 0)) return kNan;
  return incomplete_beta(x, a, b, log_beta(a, b));
}

double beta_quantile(double p, double a, double b) {
  if (!(p >= 0 && p <= 1 && a > 0 && b > 0)) return kNan;
  if (p == 0 || p == 1) return p;
  const double log_normalizer = log_beta(a, b);
  double low = 0, high = 1, x = a / (a + b);
  // Bisection alone would be done after some 60 steps; Newton's takes over near the root.
  for (int step = 0; step < 100; ++step) {
    const double error = incomplete_beta(x, a, b, log_normalizer) - p;
    if (error == 0) break;
    (error < 0 ? low : high) = x;
    const double density = beta_power(x, a, b, log_normalizer) / (x * (1 - x));
    const double newton = x - error / density;
    const double next = newton > low && newton < high ? newton : (low + high) / 2;
    const bool settled = std::abs(next - x) <= kEpsilon * x;
    x = next;
    if (settled) break;
  }
  return x;
}

}  // namespace ravi
