// Targets made to mislead a fit, each with its exact posterior means and sds where they exist.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <numbers>
#include <ostream>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "core/numeric.hpp"
#include "model/data.hpp"
#include "model/registry.hpp"
#include "ravi/model.hpp"

namespace ravi::hostile {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

enum class Demand {
  accurate_or_told,
  accurate,  // q = p exists, or nearly so: being told would be a false alarm
  told,      // no mean and sd exist that could be right
};

struct Moments {
  Vector mean = {}, sd = {};  // empty where they do not exist
};

struct Target {
  const char* name;
  Demand demand;
  std::unique_ptr<Model> (*make)();
  Moments truth = {};
  std::uint64_t seeds = 10;
};

inline std::ostream& operator<<(std::ostream& out, const Target& target) {
  return out << target.name;
}

inline Vector vec(std::initializer_list<double> values) {
  Vector v(static_cast<Index>(values.size()));
  std::ranges::copy(values, v.data());
  return v;
}

inline std::unique_ptr<Model> builtin(std::string_view name, double p) {
  Data data;
  data.add("P", p);
  return make_builtin(name, &data);
}

// --- One coordinate at a time -----------------------------------------------------------------

// log f(x) and its slope.
struct Term {
  double value, slope;
};

// P independent coordinates with the same density.
template <typename F>
std::unique_ptr<Model> independent(Index p, F f) {
  return make_model(p, [f](const Vector& theta, Vector& gradient) {
    double sum = 0;
    for (Index i = 0; i < theta.size(); ++i) {
      const Term term = f(theta(i));
      sum += term.value;
      gradient(i) = term.slope;
    }
    return sum;
  });
}

// The first coordinate has the density f, a second one is standard normal.
template <typename F>
std::unique_ptr<Model> beside_a_normal(F f) {
  return make_model(2, [f](const Vector& theta, Vector& gradient) {
    const Term first = f(theta(0));
    gradient << first.slope, -theta(1);
    return first.value - 0.5 * theta(1) * theta(1);
  });
}

inline Term normal(double x, double mean, double sd) {
  const double z = (x - mean) / sd;
  return {-0.5 * z * z, -z / sd};
}

inline double phi(double x) { return std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi); }
inline double big_phi(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

// Mass, first and second moment of the standard normal on (a, b).
inline Eigen::Vector3d partial_moments(double a, double b) {
  const double mass = big_phi(b) - big_phi(a);
  const double a_phi = std::isfinite(a) ? a * phi(a) : 0, b_phi = std::isfinite(b) ? b * phi(b) : 0;
  return {mass, phi(a) - phi(b), mass + a_phi - b_phi};
}

struct MeanAndSd {
  double mean, sd;
};

inline MeanAndSd standardized(const Eigen::Vector3d& m) {
  const double mean = m(1) / m(0);
  return {mean, std::sqrt(m(2) / m(0) - mean * mean)};
}

// N(1, 1) cut off below 0, beside a standard normal.
inline Moments cut_normal() {
  const MeanAndSd z = standardized(partial_moments(-1, kInf));
  return {vec({1 + z.mean, 0}), vec({z.sd, 1})};
}

// Two standard normals in the box (-1, 2)^2.
inline Moments box() {
  const MeanAndSd z = standardized(partial_moments(-1, 2));
  return {vec({z.mean, z.mean}), vec({z.sd, z.sd})};
}

constexpr double kHoleFrom = 0.9, kHoleTo = 1.1;

// Two standard normals that cannot be computed between kHoleFrom and kHoleTo.
inline Moments holes() {
  const MeanAndSd z = standardized(Eigen::Vector3d(1, 0, 1) - partial_moments(kHoleFrom, kHoleTo));
  return {vec({z.mean, z.mean}), vec({z.sd, z.sd})};
}

// --- Shapes -----------------------------------------------------------------------------------

// x ~ N(0, 1), y ~ N(b x^2, s): the mean of y is b and its variance 2 b^2 + s^2.
inline std::unique_ptr<Model> banana(double b, double s) {
  return make_model(2, [b, s](const Vector& theta, Vector& gradient) {
    const double x = theta(0), r = (theta(1) - b * x * x) / s;
    gradient << -x + 2 * b * x * r / s, -r / s;
    return -0.5 * (x * x + r * r);
  });
}

inline Moments banana_moments(double b, double s) {
  return {vec({0, b}), vec({1, std::sqrt(2 * b * b + s * s)})};
}

// v ~ N(0, 1), x_i ~ N(0, exp(v/2)), 49 of them: x_i has the variance E exp(v) = exp(1/2).
inline std::unique_ptr<Model> many_effects() {
  return make_model(50, [](const Vector& theta, Vector& gradient) {
    const double v = theta(0), precision = std::exp(-v);
    const auto x = theta.tail(49);
    const double squares = precision * x.squaredNorm();
    gradient(0) = -v - 0.5 * 49 + 0.5 * squares;
    gradient.tail(49) = -precision * x;
    return -0.5 * (v * v + 49 * v + squares);
  });
}

inline Moments scale_and_effects(Index p, double sd_of_log_variance) {
  Moments m{Vector::Zero(p), Vector::Constant(p, std::exp(std::pow(sd_of_log_variance, 2) / 4))};
  m.sd(0) = sd_of_log_variance;
  return m;
}

// Effects exp(t) u_j with u ~ N(0, I), seen as y ~ N(exp(t) u, e) with little noise, and
// exp(t) ~ half-N(0, 5): all u shrink where t grows, a ridge that bends in ten coordinates.
inline const Vector kSeen = vec({-4.3, 2.1, 1.5, -0.6, -1.4, -0.6, 0.8, 2.9, -0.1});
constexpr double kNoise = 0.5, kPriorOfScale = 5;

inline std::unique_ptr<Model> well_known_effects() {
  return make_model(10, [](const Vector& theta, Vector& gradient) {
    const double s = std::exp(theta(0)), in_prior = s / kPriorOfScale;
    const Vector u = theta.tail(9), r = (kSeen - s * u) / kNoise;
    gradient(0) = 1 - in_prior * in_prior + s * u.dot(r) / kNoise;
    gradient.tail(9) = -u + s * r / kNoise;
    return theta(0) - 0.5 * (in_prior * in_prior + u.squaredNorm() + r.squaredNorm());
  });
}

// By quadrature over t: given it, y_j ~ N(0, v) with v = s^2 + e^2, and u_j ~ N(s y_j / v, e^2 /
// v).
inline Moments well_known_effects_moments() {
  double mass = 0;
  Vector first = Vector::Zero(10), second = first;
  for (double t = -6; t < 6; t += 0.001) {
    const double s = std::exp(t), v = s * s + kNoise * kNoise;
    const double weight = std::exp(t - 0.5 * std::pow(s / kPriorOfScale, 2) - 4.5 * std::log(v) -
                                   0.5 * kSeen.squaredNorm() / v);
    Vector mean(10), square(10);
    mean << t, s / v * kSeen;
    square << t * t, mean.tail(9).cwiseAbs2().array() + kNoise * kNoise / v;
    mass += weight;
    first += weight * mean;
    second += weight * square;
  }
  const Vector mean = first / mass;
  return {mean, (second / mass - mean.cwiseAbs2()).cwiseSqrt()};
}

// A sum of isotropic normals in two dimensions.
struct Component {
  double log_weight, x, y, sd;
};

template <std::size_t K>
std::unique_ptr<Model> mixture(std::array<Component, K> components) {
  return make_model(2, [components](const Vector& theta, Vector& gradient) {
    Vector log_density(static_cast<Index>(K));
    for (std::size_t k = 0; k < K; ++k) {
      const auto& [log_weight, x, y, sd] = components[k];
      log_density(static_cast<Index>(k)) = log_weight - 2 * std::log(sd) +
                                           normal(theta(0), x, sd).value +
                                           normal(theta(1), y, sd).value;
    }
    const double total = log_sum_exp(log_density);
    gradient.setZero();
    for (std::size_t k = 0; k < K; ++k) {
      const auto& [log_weight, x, y, sd] = components[k];
      const double share = std::exp(log_density(static_cast<Index>(k)) - total);
      gradient(0) += share * normal(theta(0), x, sd).slope;
      gradient(1) += share * normal(theta(1), y, sd).slope;
    }
    return total;
  });
}

// The right mode, sd 0.5 at (a, 0), and one of exp(-30) of its mass, sd 1 at (3, 0). On the x axis
// the two densities are equal at x = -0.43 when 2 (x - a)^2 = 30 + log 4 + (x - 3)^2 / 2, so that
// a = -4.75; a start from N(0, I) lies beyond, where everything leads to the wrong mode, with
// probability Phi(0.43) = 2/3.
constexpr double kRightMode = -4.75;

inline std::unique_ptr<Model> minor_mode() {
  return mixture<2>({{{0, kRightMode, 0, 0.5}, {-30, 3, 0, 1}}});
}

// Corners of a triangle at distance 6 from the origin: each coordinate has the variance
// 1 + 6^2 / 2.
inline std::unique_ptr<Model> three_modes() {
  const double half = 3, height = 3 * std::numbers::sqrt3;
  return mixture<3>({{{0, 6, 0, 1}, {0, -half, height, 1}, {0, -half, -height, 1}}});
}

// Independent normal coordinates.
inline std::unique_ptr<Model> gaussian(const Moments& m) {
  return make_model(m.mean.size(), [m](const Vector& theta, Vector& gradient) {
    const Vector z = (theta - m.mean).cwiseQuotient(m.sd);
    gradient = -z.cwiseQuotient(m.sd);
    return -0.5 * z.squaredNorm();
  });
}

// --- The table --------------------------------------------------------------------------------

inline const Moments kFarScales{vec({2e-6, -1e6}), vec({1e-6, 1e6})};
inline const Moments kFarMean{vec({1e4, -1e4, 1e4}), vec({1, 1, 1})};

inline std::vector<Target> targets() {
  using enum Demand;
  return {
      {"Funnel", accurate_or_told, [] { return builtin("funnel", 10); }, scale_and_effects(10, 3)},
      // The slowest by far, so with three seeds only.
      {"FiftyEffectsWithOneScale", accurate_or_told, many_effects, scale_and_effects(50, 1), 3},
      {"WellKnownEffectsStandardized", accurate_or_told, well_known_effects,
       well_known_effects_moments()},
      {"Cauchy", told, [] { return builtin("cauchy", 2); }},
      {"CauchyAlone", told, [] { return builtin("cauchy", 1); }},
      {"StudentTWithOneDegree", told,
       [] {
         Data data;
         data.add("P", 5).add("nu", 1);
         return make_builtin("student-t", &data);
       }},
      {"TwoEqualModes",
       accurate,
       [] { return builtin("bimodal", 2); },
       {vec({0, 0}), vec({std::sqrt(26), 1})}},
      {"ThreeEqualModes", accurate, three_modes, {vec({0, 0}), Vector::Constant(2, std::sqrt(19))}},
      {"ModeThirtyNatsLowerWithTwiceTheBasin",
       accurate,
       minor_mode,
       {vec({kRightMode, 0}), vec({0.5, 0.5})},
       20},
      {"BentBanana", accurate_or_told, [] { return banana(0.5, 1); }, banana_moments(0.5, 1)},
      {"CurledBanana", accurate_or_told, [] { return banana(3, 0.5); }, banana_moments(3, 0.5)},
      {"ScalesOfAMillionthAndAMillion", accurate, [] { return gaussian(kFarScales); }, kFarScales},
      {"MeanTenThousandAway", accurate, [] { return gaussian(kFarMean); }, kFarMean},
      {"OneParameter",
       accurate,
       [] { return independent(1, [](double x) { return normal(x, 3, 2); }); },
       {vec({3}), vec({2})}},
      // log of a Gamma(2, 1): mean digamma(2), variance trigamma(2).
      {"OneParameterLogGamma",
       accurate_or_told,
       [] {
         return independent(1, [](double x) { return Term{2 * x - std::exp(x), 2 - std::exp(x)}; });
       },
       {vec({1 - std::numbers::egamma}), vec({std::sqrt(std::pow(std::numbers::pi, 2) / 6 - 1)})}},
      // Minus log of a chi-square with one degree: mean -digamma(1/2) - log 2, variance pi^2 / 2.
      {"SkewedLogChiSquare",
       accurate_or_told,
       [] {
         return independent(2, [](double x) {
           return Term{-0.5 * (x + std::exp(-x)), -0.5 * (1 - std::exp(-x))};
         });
       },
       {Vector::Constant(2, std::numbers::egamma + std::numbers::ln2),
        Vector::Constant(2, std::numbers::pi / std::numbers::sqrt2)}},
      {"LaplaceWithAJumpInTheGradient",
       accurate_or_told,
       [] {
         return independent(2, [](double x) { return Term{-std::abs(x), x > 0 ? -1.0 : 1.0}; });
       },
       {vec({0, 0}), Vector::Constant(2, std::numbers::sqrt2)}},
      {"FlatInOneDirection", told,
       [] { return beside_a_normal([](double) {
              return Term{0, 0};
            }); }},
      {"RisingForEver", told, [] { return beside_a_normal([](double x) {
                                     return Term{x, 1};
                                   }); }},
      {"Constant", told, [] { return independent(2, [](double) {
                                return Term{0, 0};
                              }); }},
      {"ThrowsWhereASixthOfTheMassWouldBe", accurate_or_told,
       [] {
         return beside_a_normal([](double x) {
           if (x < 0) throw std::domain_error("x must not be negative");
           return normal(x, 1, 1);
         });
       },
       cut_normal()},
      {"NaNWhereASixthOfTheMassWouldBe", accurate_or_told,
       [] {
         return beside_a_normal([](double x) {
           return x < 0 ? Term{kNaN, kNaN} : normal(x, 1, 1);
         });
       },
       cut_normal()},
      {"ThrowsInHalfOfTheSpaceFarFromTheMass",
       accurate,
       [] {
         return beside_a_normal([](double x) {
           if (x < 0) throw std::domain_error("x must not be negative");
           return normal(x, 5, 0.5);
         });
       },
       {vec({5, 0}), vec({0.5, 1})}},
      {"NaNInHalfOfTheSpaceFarFromTheMass",
       accurate,
       [] {
         return beside_a_normal([](double x) {
           return x < 0 ? Term{kNaN, kNaN} : normal(x, 5, 0.5);
         });
       },
       {vec({5, 0}), vec({0.5, 1})}},
      {"NaNInStripes", accurate_or_told,
       [] {
         return independent(2, [](double x) {
           return x > kHoleFrom && x < kHoleTo ? Term{kNaN, kNaN} : normal(x, 0, 1);
         });
       },
       holes()},
      {"NothingOutsideABox", accurate_or_told,
       [] {
         return independent(2, [](double x) {
           return x > -1 && x < 2 ? normal(x, 0, 1) : Term{-kInf, 0};
         });
       },
       box()},
  };
}

}  // namespace ravi::hostile
