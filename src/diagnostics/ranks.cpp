// Order statistics: average ranks, normal scores, the normal quantile function, quantiles.
#include "diagnostics/ranks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace ravi {
namespace {

using Coefficients = std::array<double, 8>;

// Horner's rule, lowest power first.
double polynomial(const Coefficients& c, double x) {
  double value = 0;
  for (auto k = c.rbegin(); k != c.rend(); ++k) value = value * x + *k;
  return value;
}

struct Rational {
  Coefficients numerator, denominator;
  double operator()(double x) const {
    return polynomial(numerator, x) / polynomial(denominator, x);
  }
};

// Wichura (1988), algorithm AS 241, PPND16: |p - 1/2| <= 0.425, then moderate and far tails.
constexpr Rational kCenter = {
    {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
     1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
     3.3430575583588128105e4, 2.5090809287301226727e3},
    {1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
     2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4,
     5.2264952788528545610e3}};
constexpr Rational kTail = {
    {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
     3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
     2.27238449892691845833e-2, 7.74545014278341407640e-4},
    {1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
     1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
     1.05075007164441684324e-9}};
constexpr Rational kFarTail = {
    {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
     2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
     2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
     7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
     2.04426310338993978564e-15}};

}  // namespace

double normal_quantile(double p) {
  if (!(p >= 0 && p <= 1)) return std::numeric_limits<double>::quiet_NaN();
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) return q * kCenter(0.180625 - q * q);
  const double tail = q < 0 ? p : 1 - p;
  if (tail == 0) return std::copysign(std::numeric_limits<double>::infinity(), q);
  const double r = std::sqrt(-std::log(tail));
  return std::copysign(r <= 5 ? kTail(r - 1.6) : kFarTail(r - 5), q);
}

double chi_square_quantile(double p, double n) {
  const double c = 2 / (9 * n);
  return n * std::pow(1 - c + normal_quantile(p) * std::sqrt(c), 3);
}

// With u = F^(1/3): ((1 - d) u - (1 - c)) / (c + d u^2)^(1/2) = z, a quadratic equation for u.
double f_quantile(double p, double n, double m) {
  const double c = 2 / (9 * n), d = 2 / (9 * m), z = normal_quantile(p);
  const double a = (1 - d) * (1 - d) - z * z * d, b = (1 - c) * (1 - d);
  const double rest = (1 - c) * (1 - c) - z * z * c;
  const double u = (b + std::copysign(std::sqrt(b * b - a * rest), z)) / a;
  return u * u * u;
}

Matrix average_ranks(const ConstMatrixRef& x) {
  const Vector values = x.reshaped();
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return values(a) < values(b); });
  Matrix ranks(x.rows(), x.cols());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first + 1;
    while (end < order.size() && values(order[end]) == values(order[first])) ++end;
    // Ranks first + 1 .. end share their average.
    const double shared = static_cast<double>(first + 1 + end) / 2;
    for (; first < end; ++first) ranks.data()[order[first]] = shared;
  }
  return ranks;
}

Matrix normal_scores(const ConstMatrixRef& x) {
  const double n = static_cast<double>(x.size());
  return average_ranks(x).unaryExpr(
      [n](double rank) { return normal_quantile((rank - 0.375) / (n + 0.25)); });
}

double quantile(Vector x, double p) {
  if (x.size() == 0 || x.hasNaN() || !(p >= 0 && p <= 1)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const double position = p * static_cast<double>(x.size() - 1);
  const double whole = std::floor(position), part = position - whole;
  const auto low = x.begin() + static_cast<Index>(whole);
  std::nth_element(x.begin(), low, x.end());
  if (part == 0) return *low;
  const double next = *std::min_element(low + 1, x.end());
  // Equal neighbors are returned as they are: an indicator x <= quantile must see the tie.
  return next == *low ? next : (1 - part) * *low + part * next;
}

}  // namespace ravi
