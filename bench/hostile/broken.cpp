// What no method can fit and every method must report: wrong gradients, and posteriors without a
// total.
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "gaussians.hpp"
#include "lines.hpp"

namespace hostile {

namespace {

using Spoil = std::function<void(const Vector& theta, Vector& gradient)>;

// The density stays right, and so do the exact answers: a fit may be right by luck, but may not be
// content.
Posterior wrong_gradient(const char* name, const char* description, const Posterior& base,
                         Spoil spoil) {
  Posterior out = base;
  out.name = name;
  out.family = "wrong gradients";
  out.description = description;
  out.kind = Kind::must_be_told;
  out.density = [spoil = std::move(spoil), right = base.density](const Vector& theta,
                                                                 Vector& gradient) {
    const double value = right(theta, gradient);
    spoil(theta, gradient);
    return value;
  };
  return out;
}

Posterior improper(const char* name, const char* description, Index p, Density density) {
  Posterior out{name, "improper", description, Kind::must_be_told};
  out.dimension = p;
  out.density = std::move(density);
  return out;
}

// log of 1 / (1 + exp(-x)) without overflow, and its slope.
Term log_logistic(double x) {
  const double e = std::exp(-std::abs(x));
  return {std::min(x, 0.0) - std::log1p(e), x > 0 ? e / (1 + e) : 1 / (1 + e)};
}

}  // namespace

void add_broken(Posteriors& all) {
  const auto normal = [](Index p, double ratio, std::uint64_t seed) {
    return gaussian("", "", "", Vector::Constant(p, 0.7), spread(p, ratio), seed);
  };
  const auto add = [&](const char* name, const char* description, const Posterior& base,
                       Spoil spoil) {
    all.push_back(wrong_gradient(name, description, base, std::move(spoil)));
  };
  add("gradient_doubled_p2", "a Gaussian, gradient twice as long", normal(2, 1, 0),
      [](const Vector&, Vector& g) { g *= 2; });
  add("gradient_doubled_p10", "correlated, gradient twice as long", normal(10, 10, 51),
      [](const Vector&, Vector& g) { g *= 2; });
  add("gradient_flipped_p3", "gradient of the other sign", normal(3, 3, 52),
      [](const Vector&, Vector& g) { g = -g; });
  add("gradient_one_missing_p5", "one coordinate's gradient is 0", normal(5, 3, 53),
      [](const Vector&, Vector& g) { g(2) = 0; });
  add("gradient_one_flipped_p4", "one coordinate's gradient has the other sign", normal(4, 3, 54),
      [](const Vector&, Vector& g) { g(1) = -g(1); });
  add("gradient_zero_p2", "gradient 0 everywhere", normal(2, 2, 55),
      [](const Vector&, Vector& g) { g.setZero(); });
  add("gradient_10_percent_p3", "gradient a tenth too long", normal(3, 3, 56),
      [](const Vector&, Vector& g) { g *= 1.1; });
  add("gradient_half_the_time_p3", "right in one half of the space, doubled in the other",
      normal(3, 3, 57), [](const Vector& theta, Vector& g) {
        if (theta(0) < 0.7) g *= 2;
      });
  add("gradient_swapped_p2", "gradients of two coordinates exchanged", normal(2, 4, 0),
      [](const Vector&, Vector& g) { std::swap(g(0), g(1)); });
  add("gradient_jacobian_p2", "log scale, gradient without the term of the change of variables",
      product("", "", "", 2, log_gamma(3)), [](const Vector&, Vector& g) { g.array() -= 1; });
  add("gradient_t_tripled_p3", "a Student t with 4 degrees, gradient three times as long",
      product("", "", "", 3, student_t(4)), [](const Vector&, Vector& g) { g *= 3; });

  all.push_back(improper("flat_sum_p2", "depends on a + b alone", 2,
                         [](const Vector& theta, Vector& gradient) {
                           const double z = theta.sum() - 1;
                           gradient.setConstant(-z);
                           return -0.5 * z * z;
                         }));
  all.push_back(improper("flat_one_of_five", "does not depend on one of five coordinates", 5,
                         [](const Vector& theta, Vector& gradient) {
                           gradient = -theta;
                           gradient(3) = 0;
                           return -0.5 * (theta.squaredNorm() - theta(3) * theta(3));
                         }));
  all.push_back(improper("separated_logistic_p2",
                         "logistic regression without prior, groups apart: a ridge without end", 2,
                         [](const Vector& theta, Vector& gradient) {
                           double sum = 0;
                           gradient.setZero();
                           for (int i = -5; i <= 5; ++i) {
                             if (i == 0) continue;
                             const double x = 0.4 * i, sign = i > 0 ? 1 : -1;
                             const Term term = log_logistic(sign * (theta(0) + theta(1) * x));
                             sum += term.value;
                             gradient(0) += sign * term.slope;
                             gradient(1) += sign * term.slope * x;
                           }
                           return sum;
                         }));
  all.push_back(improper("flat_log_scale_p4",
                         "flat in the log of a scale that may be 0: the left tail never ends", 4,
                         [](const Vector& theta, Vector& gradient) {
                           // three effects standardized, y ~ N(tau u, 1) of 0.5, -0.3, 0.8
                           const double tau = std::exp(theta(0));
                           const Eigen::Vector3d y(0.5, -0.3, 0.8), u = theta.tail(3);
                           const Eigen::Vector3d e = y - tau * u;
                           gradient(0) = tau * e.dot(u);
                           gradient.tail(3) = tau * e - u;
                           return -0.5 * (e.squaredNorm() + u.squaredNorm());
                         }));
  all.push_back(improper("slow_tail_p1", "tails of 1 / |x|: no total", 1,
                         [](const Vector& theta, Vector& gradient) {
                           const double r = 1 + theta(0) * theta(0);
                           gradient(0) = -theta(0) / r;
                           return -0.5 * std::log(r);
                         }));
  all.push_back(improper("rising_p3", "rises with the sum of three coordinates for ever", 3,
                         [](const Vector& theta, Vector& gradient) {
                           const Vector d = (theta.array() - theta.mean()).matrix();
                           gradient = (0.3 - d.array()).matrix();
                           return 0.3 * theta.sum() - 0.5 * d.squaredNorm();
                         }));
  all.push_back(
      improper("never_finite_p2", "NaN everywhere", 2, [](const Vector&, Vector& gradient) {
        gradient.setConstant(kNaN);
        return kNaN;
      }));
}

}  // namespace hostile
