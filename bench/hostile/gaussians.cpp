// Gaussians, which are easy but for their numbers: condition, scale, place, constants, precision.
#include "gaussians.hpp"

#include <Eigen/QR>
#include <bit>
#include <cmath>
#include <functional>
#include <utility>

#include "marginals.hpp"

namespace hostile {

Vector spread(Index n, double ratio) {
  return Vector::LinSpaced(n, 0, -std::log(ratio)).array().exp().matrix();
}

Posterior gaussian(std::string name, std::string family, std::string description,
                   const Vector& mean, const Vector& axis_sds, std::uint64_t seed) {
  Posterior out{std::move(name), std::move(family), std::move(description)};
  const Index p = mean.size();
  Matrix axes = Matrix::Identity(p, p);
  if (seed != 0) {
    Random random(seed);
    Matrix normals(p, p);
    for (double& value : normals.reshaped()) value = random.normal();
    axes = Matrix(normals.householderQr().householderQ());
  }
  out.dimension = p;
  out.density = [=](const Vector& theta, Vector& gradient) {
    const Vector z = (axes.transpose() * (theta - mean)).cwiseQuotient(axis_sds);
    gradient = -(axes * z.cwiseQuotient(axis_sds));
    return -0.5 * z.squaredNorm();
  };
  out.draw = [=](Random& random) {
    return Vector(mean + axes * axis_sds.cwiseProduct(random.normals(p)));
  };
  out.truth = [=] {
    std::vector<Marginal> truth;
    for (Index i = 0; i < p; ++i) {
      truth.push_back(
          normal_marginal(mean(i), axes.row(i).transpose().cwiseProduct(axis_sds).norm()));
    }
    return truth;
  };
  return out;
}

namespace {

// In [-1, 1], a function of the bits of theta.
double hash(const Vector& theta) {
  std::uint64_t h = 0x9e3779b97f4a7c15;
  for (const double value : theta) {
    h = (h ^ std::bit_cast<std::uint64_t>(value)) * 0xbf58476d1ce4e5b9;
    h ^= h >> 31;
  }
  return static_cast<double>(h >> 11) * 0x1p-52 - 1;
}

Posterior with_values(Posterior p, double resolution,
                      std::function<double(double, const Vector&)> f) {
  p.density = [f, exact = p.density](const Vector& theta, Vector& gradient) {
    return f(exact(theta, gradient), theta);
  };
  p.resolution = resolution;
  return p;
}

Posterior beyond_digits(Posterior p) {
  p.kind = Kind::must_be_told;
  return p;
}

}  // namespace

void add_gaussians(Posteriors& all) {
  const auto add = [&](const char* name, const char* description, const Vector& mean,
                       const Vector& sds, std::uint64_t seed) {
    all.push_back(gaussian(name, "gaussians", description, mean, sds, seed));
  };
  add("condition_1e4_p5", "condition number 1e4, rotated", Vector::Zero(5), spread(5, 1e2), 1);
  add("condition_1e6_p10", "condition number 1e6, rotated", Vector::Zero(10), spread(10, 1e3), 2);
  add("condition_1e6_p50", "condition number 1e6, rotated", Vector::Zero(50), spread(50, 1e3), 3);
  add("condition_1e8_p20", "condition number 1e8, rotated", Vector::Zero(20), spread(20, 1e4), 4);
  add("condition_1e10_p5", "condition number 1e10, rotated", Vector::Zero(5), spread(5, 1e5), 5);
  add("needle_p2", "one sd of 1, one of 1e-4, along the diagonal", Vector::Constant(2, 1),
      spread(2, 1e4), 6);
  add("scales_p13", "sds from 1e-6 to 1e6", Vector::Zero(13), 1e6 * spread(13, 1e12), 0);
  add("tiny_p3", "sds of 1e-6, means of 1e-3", Vector::Constant(3, 1e-3), Vector::Constant(3, 1e-6),
      0);
  add("huge_p3", "sds of 1e6, means of 1e7", Vector::Constant(3, 1e7), Vector::Constant(3, 1e6), 0);
  add("mean_1e3_p3", "means 1000 sds away", Vector::Constant(3, 1e3), Vector::Ones(3), 0);
  add("mean_1e5_p2", "means 1e5 sds away, correlated", Vector::Constant(2, 1e5), spread(2, 5), 7);
  add("mean_1e6_p1", "a mean 1e6 sds away", Vector::Constant(1, 1e6), Vector::Ones(1), 0);

  const auto base = [](const char* name, const char* description, Index p, std::uint64_t seed) {
    return gaussian(name, "numbers", description, Vector::Constant(p, 0.5), spread(p, 5), seed);
  };
  constexpr double kDouble = 2.3e-16, kFloat = 1.2e-7;
  const auto shifted = [](double constant) {
    return [constant](double value, const Vector&) { return value + constant; };
  };
  const auto rounded = [](double constant) {
    return [constant](double value, const Vector&) {
      return static_cast<double>(static_cast<float>(value + constant));
    };
  };
  all.push_back(with_values(base("constant_1e10_p5", "1e10 added to the log density", 5, 31),
                            kDouble, shifted(1e10)));
  all.push_back(
      with_values(base("constant_-1e12_p3", "1e12 subtracted from it: digits of 1e-4", 3, 32),
                  kDouble, shifted(-1e12)));
  all.push_back(
      with_values(base("float_p5", "log densities of float precision", 5, 33), kFloat, rounded(0)));
  all.push_back(with_values(base("float_data_p5", "the same around -1e5: digits of 1e-2", 5, 34),
                            kFloat, rounded(-1e5)));
  all.push_back(with_values(
      base("noise_1e-7_p10", "relative noise of 1e-7, as of a solver", 10, 35), 2e-7,
      [](double value, const Vector& theta) { return value * (1 + 1e-7 * hash(theta)); }));
  all.push_back(
      with_values(base("noise_1e-3_p3", "noise of 1e-3 in a log density of any size", 3, 36), 2e-3,
                  [](double value, const Vector& theta) { return value + 1e-3 * hash(theta); }));
  all.push_back(beyond_digits(
      with_values(base("constant_1e17_p3", "1e17 added: steps of 16 are all that is left", 3, 37),
                  kDouble, shifted(1e17))));
  all.push_back(beyond_digits(with_values(
      base("constant_-1e18_p5", "1e18 subtracted: steps of 128", 5, 38), kDouble, shifted(-1e18))));
  all.push_back(beyond_digits(
      with_values(base("float_constant_1e9_p2", "float precision around 1e9: steps of 64", 2, 39),
                  kFloat, rounded(1e9))));
}

}  // namespace hostile
