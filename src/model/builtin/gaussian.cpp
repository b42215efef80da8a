// A Gaussian target, N(mean, cov); unless given, mean 0 and cov_ij = 0.9^|i-j|.
#include <Eigen/Cholesky>
#include <cmath>

#include "core/numeric.hpp"
#include "core/scratch.hpp"
#include "model/builtin/entries.hpp"

namespace ravi {
namespace {

Index size_of(const Data& data) {
  if (data.has("P")) return data.count("P", 1);
  for (const std::string_view name : {"mean", "cov"}) {
    if (!data.has(name)) continue;
    const auto shape = data.dimensions(name);
    if (shape.empty() || shape[0] < 1) data.reject(name, "must have at least one element");
    return shape[0];
  }
  return 10;
}

constexpr double kRho = 0.9;

class GaussianTarget final : public Model {
 public:
  explicit GaussianTarget(const Data& data) {
    const Index p = size_of(data);
    mean_ = data.has("mean") ? data.vector("mean", p) : Vector(Vector::Zero(p));
    constant_ = -0.5 * static_cast<double>(p) * kLog2Pi;
    if (data.has("cov")) {
      set_cov(data.matrix("cov", p, p), data);
    } else {
      set_default(p);
    }
  }

  Index dimension() const override { return mean_.size(); }

  void evaluate(const ConstMatrixRef& theta, VectorRef log_density,
                MatrixRef gradient) const override {
    struct Centered {};
    const Index p = theta.rows();
    auto centered = scratch<Centered>(p, theta.cols());
    centered = theta.colwise() - mean_;
    if (precision_.size() > 0) {
      gradient.noalias() = -precision_ * centered;
    } else {
      gradient = -(diagonal_.asDiagonal() * centered);
      gradient.topRows(p - 1) -= off_diagonal_ * centered.bottomRows(p - 1);
      gradient.bottomRows(p - 1) -= off_diagonal_ * centered.topRows(p - 1);
    }
    log_density = 0.5 * centered.cwiseProduct(gradient).colwise().sum().transpose();
    log_density.array() += constant_;
  }

 private:
  void set_cov(const Matrix& cov, const Data& data) {
    const Index p = cov.rows();
    const double size = cov.cwiseAbs().maxCoeff();
    if ((cov - cov.transpose()).cwiseAbs().maxCoeff() > 1e-8 * size) {
      data.reject("cov", "is not symmetric");
    }
    const Eigen::LLT<Matrix> factor(cov);
    if (factor.info() != Eigen::Success) data.reject("cov", "is not positive definite");
    precision_ = factor.solve(Matrix::Identity(p, p));
    precision_ = 0.5 * (precision_ + precision_.transpose()).eval();
    constant_ -= factor.matrixLLT().diagonal().array().log().sum();
  }

  // cov_ij = rho^|i-j| is that of a stationary autoregression, x_i = rho x_i-1 + e_i with
  // var e_i = 1 - rho^2 = v: the precision has three diagonals, 1/v at both ends of the main one,
  // (1 + rho^2)/v between, -rho/v beside it; and log det cov = (P - 1) log v.
  void set_default(Index p) {
    const double v = 1 - kRho * kRho;
    diagonal_ = Vector::Constant(p, (1 + kRho * kRho) / v);
    diagonal_(0) = diagonal_(p - 1) = p > 1 ? 1 / v : 1;
    off_diagonal_ = -kRho / v;
    constant_ -= 0.5 * static_cast<double>(p - 1) * std::log(v);
  }

  Vector mean_;
  Matrix precision_;  // empty: of three diagonals
  Vector diagonal_;
  double off_diagonal_ = 0;
  double constant_ = 0;
};

std::unique_ptr<Model> make(const Data& data) { return std::make_unique<GaussianTarget>(data); }

Data example() {
  Vector mean(3);
  mean << 1.0, -2.0, 0.5;
  Matrix cov(3, 3);
  cov << 2.0, 0.6, -0.3, 0.6, 1.0, 0.2, -0.3, 0.2, 0.5;
  Data data("example");
  return data.add("mean", mean).add("cov", cov);
}

}  // namespace

ModelEntry gaussian_entry() {
  return {"gaussian",
          "target N(mean, cov); unless given, mean 0 and cov_ij = 0.9^|i-j|",
          "none: carries its own; or P (10), mean[P], cov[P,P]",
          false,
          make,
          example};
}

}  // namespace ravi
