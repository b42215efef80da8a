// A user's program with flags of its own: memory, types and Eigen's kernels meet those of ravi.
#include <Eigen/LU>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <utility>

#include "ravi/ravi.hpp"

namespace {

constexpr int kP = 16;
using FixedVector = Eigen::Matrix<double, kP, 1>;
using FixedMatrix = Eigen::Matrix<double, kP, kP>;

void check(bool holds, const char* claim) {
  if (holds) return;
  std::printf("Not so: %s\n", claim);
  std::exit(1);
}

// A Gaussian with means -P/2, -P/2 + 1, ..., standard deviations 1, 1.25, ... and correlations
// 0.5^|i - j|. What it is made of lies inside it, aligned as this program's compiler was told.
struct Gaussian final : ravi::Model {
  Gaussian() {
    for (int i = 0; i < kP; ++i) {
      mean(i) = i - kP / 2;
      for (int j = 0; j < kP; ++j) {
        covariance(i, j) = (1 + i / 4.0) * (1 + j / 4.0) * std::pow(0.5, std::abs(i - j));
      }
    }
    precision = covariance.inverse();
  }
  ravi::Index dimension() const override { return kP; }
  void evaluate(const ravi::ConstMatrixRef& theta, ravi::VectorRef log_density,
                ravi::MatrixRef gradient) const override {
    const ravi::Matrix centered = theta.colwise() - mean;
    gradient.noalias() = -precision * centered;
    log_density = 0.5 * centered.cwiseProduct(gradient).colwise().sum().transpose();
  }

  FixedVector mean;
  FixedMatrix covariance, precision;
};

// y_i ~ N(theta, 1) and theta ~ N(0, 1).
struct Measurements final : ravi::RowModel {
  ravi::Index dimension() const override { return 1; }
  ravi::Index rows() const override { return y.size(); }
  void add_log_likelihood(const ravi::ConstMatrixRef& theta, ravi::Rows which,
                          ravi::VectorRef log_density, ravi::MatrixRef gradient) const override {
    for (ravi::Index k = 0; k < which.count(rows()); ++k) {
      const double value = y(which.all ? k : which.index[static_cast<std::size_t>(k)]);
      log_density.array() -= 0.5 * (theta.row(0).array() - value).square().transpose();
      gradient.array() += value - theta.array();
    }
  }
  void add_log_prior(const ravi::ConstMatrixRef& theta, ravi::VectorRef log_density,
                     ravi::MatrixRef gradient) const override {
    log_density.array() -= 0.5 * theta.row(0).array().square().transpose();
    gradient -= theta;
  }

  ravi::Vector y = ravi::Vector::LinSpaced(100, 1, 3);
};

struct Broken final : ravi::Model {
  struct Cause {};
  ravi::Index dimension() const override { return 1; }
  void evaluate(const ravi::ConstMatrixRef&, ravi::VectorRef, ravi::MatrixRef) const override {
    throw Cause{};
  }
};

template <typename Exception>
bool throws(const ravi::Model& model, const ravi::Options& options) {
  try {
    ravi::fit(model, options);
  } catch (const Exception&) {
    return true;
  }
  return false;
}

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// A sum of n products is off by at most n u / (1 - n u) times the sum of their sizes, u = epsilon /
// 2, in any order and with fused operations (Higham 2002, section 3.1); two such differ by twice
// that.
void check_product(const ravi::Matrix& a, const ravi::Matrix& b) {
  const ravi::Matrix product = a * b;
  const double error = 1.01 * static_cast<double>(a.cols()) * kEpsilon;
  for (ravi::Index i = 0; i < a.rows(); ++i) {
    for (ravi::Index j = 0; j < b.cols(); ++j) {
      double sum = 0, size = 0;
      for (ravi::Index k = 0; k < a.cols(); ++k) {
        sum += a(i, k) * b(k, j);
        size += std::abs(a(i, k) * b(k, j));
      }
      check(std::abs(product(i, j) - sum) <= error * size, "this program's products are right");
    }
  }
}

}  // namespace

int main() {
  const ravi::Matrix a = ravi::Matrix::Random(120, 90), b = ravi::Matrix::Random(90, 70);
  check_product(a, b);

  const Gaussian model;
  const ravi::Reference reference{model.unconstrained_names(), model.mean, model.covariance};
  ravi::Fit fit = ravi::fit(model, {}, {}, &reference);
  check(fit.verdict == ravi::Verdict::accurate && fit.average, "the verdict is accurate");
  ravi::Answer& answer = *fit.average;

  // Each a root of a sum of P squared differences, with half the relative error of a sum of P + 4.
  const double distance = (answer.q.mean - model.mean).norm();
  check(std::abs(answer.reference->d_mu - distance) <= 0.51 * (kP + 4) * kEpsilon * distance,
        "ravi and this program measure the same distance");

  // Memory of ravi, moved, resized, replaced and freed here.
  ravi::Matrix draws = std::move(answer.draws.theta);
  draws.conservativeResize(kP, answer.draws.from_q);
  const double n = static_cast<double>(draws.cols());
  const ravi::Vector mean = draws.rowwise().mean();
  draws.colwise() -= mean;
  const ravi::Matrix covariance = draws * draws.transpose() / n;
  check_product(draws, draws.transpose());
  answer.draws.theta = a * b;
  answer.draws.log_weights = mean;
  fit.average.reset();

  // 5 standard errors: sd / sqrt(n) of a mean, at most sd_i sd_j sqrt(2 / n) of a covariance.
  const FixedVector sd = model.covariance.diagonal().cwiseSqrt();
  check(((mean - model.mean).array().abs() <= 5 / std::sqrt(n) * sd.array()).all(),
        "the means are right");
  check(((covariance - model.covariance).array().abs() <=
         5 * std::sqrt(2 / n) * (sd * sd.transpose()).array())
            .all(),
        "the covariances are right");

  check(throws<Broken::Cause>(Broken{}, {}), "an exception of this program comes back to it");
  check(throws<ravi::UsageError>(model, {.minibatch = 10}), "an exception of ravi is caught");
  check(!throws<ravi::UsageError>(Measurements{}, {.minibatch = 10, .max_iterations = 1000}),
        "ravi sees that a model has rows");
  std::printf("All right\n");
}
