// A Gaussian target, N(mean, cov); unless given, mean 0 and cov_ij = 0.9^|i-j|.
#include <Eigen/Cholesky>
#include <cmath>

#include "core/numeric.hpp"
#include "core/scratch.hpp"
#include "model/builtin/entries.hpp"

namespace ravi {
namespace {

Index size_of(const Data& data) {
  if (data.has("P")) return data.integer("P", 1);
  for (const std::string_view name : {"mean", "cov"}) {
    if (!data.has(name)) continue;
    const auto shape = data.dimensions(name);
    if (shape.empty() || shape[0] < 1) data.reject(name, "must have at least one element");
    return shape[0];
  }
  return 10;
}

Matrix default_cov(Index p) {
  return Matrix::NullaryExpr(
      p, p, [](Index i, Index j) { return std::pow(0.9, static_cast<double>(std::abs(i - j))); });
}

class GaussianTarget final : public Model {
 public:
  explicit GaussianTarget(const Data& data) {
    const Index p = size_of(data);
    mean_ = data.has("mean") ? data.vector("mean", p) : Vector(Vector::Zero(p));
    const Matrix cov = data.has("cov") ? data.matrix("cov", p, p) : default_cov(p);
    const double size = cov.cwiseAbs().maxCoeff();
    if ((cov - cov.transpose()).cwiseAbs().maxCoeff() > 1e-8 * size) {
      data.reject("cov", "is not symmetric");
    }
    const Eigen::LLT<Matrix> factor(cov);
    if (factor.info() != Eigen::Success) data.reject("cov", "is not positive definite");
    precision_ = factor.solve(Matrix::Identity(p, p));
    precision_ = 0.5 * (precision_ + precision_.transpose()).eval();
    constant_ =
        -0.5 * static_cast<double>(p) * kLog2Pi - factor.matrixLLT().diagonal().array().log().sum();
  }

  Index dimension() const override { return mean_.size(); }

  void evaluate(const ConstMatrixRef& theta, VectorRef log_density,
                MatrixRef gradient) const override {
    struct Centered {};
    auto centered = scratch<Centered>(theta.rows(), theta.cols());
    centered = theta.colwise() - mean_;
    gradient.noalias() = -precision_ * centered;
    log_density = 0.5 * centered.cwiseProduct(gradient).colwise().sum().transpose();
    log_density.array() += constant_;
  }

 private:
  Vector mean_;
  Matrix precision_;
  double constant_;
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
