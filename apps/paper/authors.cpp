// The posteriors as the paper's authors ran them.
#include "paper/authors.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/numeric.hpp"
#include "model/linear_posterior.hpp"

namespace ravi::paper {
namespace {

constexpr double kNoise = 0.2;  // sd of the regressions' outcomes

Vector of_unit_square(const Vector& x) {
  const Vector centered = x.array() - mean(x);
  return centered / std::sqrt(centered.squaredNorm() / static_cast<double>(x.size()));
}

struct Regression {
  Matrix x;
  Vector y;
};

Regression read(const Data& data) {
  const Index n = data.integer("N", 1), p = data.integer("P", 1);
  return {data.matrix("X", n, p), data.vector("y", n)};
}

}  // namespace

Data regression_of_authors(const Data& regression, bool negated) {
  Regression r = read(regression);
  for (Index k = 0; k < r.x.cols(); ++k) r.x.col(k) = of_unit_square(r.x.col(k));
  r.y = of_unit_square(r.y) * (negated ? -1 : 1);
  Data data(regression.source());
  data.add("N", static_cast<double>(r.x.rows())).add("P", static_cast<double>(r.x.cols()));
  return data.add("sigma", kNoise).add("X", r.x).add("y", r.y);
}

Data raw_digits(const Data& digits) {
  Data data(digits.source());
  if (!digits.is_table()) {
    const auto shape = digits.dimensions("x");
    return data.add("x", digits.matrix("x", shape[0], shape[1]))
        .add("y", digits.vector("y", shape[0]));
  }
  const auto columns = digits.variables();
  const Index n = columns.front().dimensions.front();
  Matrix x(n, static_cast<Index>(columns.size()) - 1);
  Index k = 0;
  for (const Variable& column : columns) {
    if (column.name != "label") x.col(k++) = digits.vector(column.name, n);
  }
  return data.add("x", x).add("y", Vector(digits.vector("label", n).array() + 1));
}

Reference linear_truth(const Data& regression, const Model& model) {
  const Regression r = read(regression);
  const double sigma = regression.positive_number("sigma", kNoise);
  const LinearPosterior exact = linear_regression_posterior(r.x, r.y, sigma);
  return {model.unconstrained_names(), exact.mean, exact.cov};
}

// Given sigma, (alpha, beta) ~ N(least squares, sigma^2 (X'X)^-1), and with S the least sum of
// squares over n houses p(sigma | y) is proportional to sigma^-(n - J - 1) exp(-S / (2 sigma^2)),
// which is negligible but for a few (2 n - 2 J - 2)^(-1/2) around its mode. Sums over a fine grid
// of sigma are then as good as exact.
Reference radon_truth(const Data& table, const Model& model) {
  const Index n = table.variables()[0].dimensions[0], p = model.dimension(), j = p - 2;
  const std::vector<Index> county = table.integers("county", n, 1, j);
  const Vector y = table.vector("log_radon", n);
  Matrix x = Matrix::Zero(n, j + 1);
  for (Index i = 0; i < n; ++i) x(i, county[static_cast<std::size_t>(i)] - 1) = 1;
  x.col(j) = table.vector("floor", n);
  const Eigen::LLT<Matrix> squares(x.transpose() * x);
  const Vector least = squares.solve(x.transpose() * y);
  const double left = (y - x * least).squaredNorm(), power = static_cast<double>(n - j - 1);

  constexpr Index kGrid = 20001;
  constexpr double kHundred = 100, kSds = 16;  // of log sigma to either side
  const double width = kSds / std::sqrt(2 * power);
  const double mode = 0.5 * std::log(left / power);
  const Vector log_sigma = Vector::LinSpaced(kGrid, mode - width, mode + width);
  const Vector variance = (2 * log_sigma.array()).exp();
  // The density of log sigma has one factor sigma more.
  const Vector log_weight = (1 - power) * log_sigma.array() - left / (2 * variance.array());
  const Vector weight = (log_weight.array() - log_sum_exp(log_weight)).exp();
  const Vector share = log_sigma.array().exp() / kHundred;
  const Vector u = share.array().log() - (1 - share.array()).log();

  Reference truth{model.unconstrained_names(), Vector(p), Matrix::Zero(p, p)};
  const double mean_u = weight.dot(u);
  truth.mean << least, mean_u;
  truth.cov.topLeftCorner(j + 1, j + 1) =
      weight.dot(variance) * squares.solve(Matrix::Identity(j + 1, j + 1));
  truth.cov(j + 1, j + 1) = weight.dot(Vector((u.array() - mean_u).square()));
  return truth;
}

// Coordinates: mu, log tau, and then eight of theta or of eta.
Reference plug_in_schools(const Reference& centered, const Reference& noncentered) {
  constexpr Index kSchools = 8;
  Reference plug_in = centered;
  const Vector& m = noncentered.mean;
  plug_in.mean.tail<kSchools>() = m(0) + m.tail<kSchools>().array() * std::exp(m(1));
  return plug_in;
}

Reference reordered_radon(const Reference& truth) {
  Reference other = truth;
  const Index last = truth.mean.size() - 1;
  std::swap(other.mean(last), other.mean(last - 1));
  other.cov.row(last).swap(other.cov.row(last - 1));
  other.cov.col(last).swap(other.cov.col(last - 1));
  return other;
}

namespace {

double entropy_constant(Index dimension) {
  return 0.5 * static_cast<double>(dimension) * (1 + kLog2Pi);
}

// Of independent normal densities whose sds are known.
double normal_constants(const Vector& sds) {
  return -0.5 * static_cast<double>(sds.size()) * kLog2Pi - sds.array().log().sum();
}

}  // namespace

// Outcomes, and w ~ N(0, 1).
double regression_constants(const Data& regression) {
  const Index n = regression.integer("N", 1), p = regression.integer("P", 1);
  const double sigma = regression.positive_number("sigma", kNoise);
  return normal_constants(Vector::Constant(n, sigma)) + normal_constants(Vector::Ones(p)) +
         entropy_constant(p);
}

// Outcomes, effects, mu ~ N(0, 5) and tau ~ half-Cauchy(0, 5), which is a whole one in their code.
double schools_constants() {
  constexpr double kScale = 5;
  const Vector sds{{15, 10, 16, 11, 9, 11, 10, 18}};
  return normal_constants(sds) + normal_constants(Vector::Ones(sds.size())) +
         normal_constants(Vector::Constant(1, kScale)) + std::log(2 / (std::numbers::pi * kScale)) +
         entropy_constant(sds.size() + 2);
}

// Outcomes, and log 100 of the logit of sigma / 100, which has no density there.
double radon_constants(const Data& table, const Model& model) {
  constexpr double kLargestSigma = 100;
  const Index houses = table.variables()[0].dimensions[0];
  return normal_constants(Vector::Ones(houses)) - std::log(kLargestSigma) +
         entropy_constant(model.dimension());
}

// Normal densities of all but two coordinates, the entropy of mean field has its constants there;
// those of the two inverse gamma densities are left.
double network_constants(const Model& model) {
  return normal_constants(Vector::Ones(model.dimension() - 2));
}

Reference weights_at_zero(const Model& model) {
  return {model.unconstrained_names(), Vector::Zero(model.dimension()), Matrix()};
}

}  // namespace ravi::paper
