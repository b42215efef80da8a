// What all families share.
#include "family/approximation.hpp"

#include <Eigen/Cholesky>
#include <limits>

#include "core/numeric.hpp"

namespace ravi {

std::unique_ptr<Approximation> Approximation::member(const ConstVectorRef& lambda) const {
  auto q = clone();
  q->assign(lambda);
  return q;
}

Vector Approximation::isotropic(const ConstVectorRef& mean, double scale) const {
  return lambda_of(mean, scale * Matrix::Identity(mean.size(), mean.size()));
}

Vector Approximation::center() const {
  Matrix theta(dimension(), 1);
  forward(Matrix::Zero(dimension(), 1), theta);
  return theta;
}

void Approximation::to_units(double /*reach*/, VectorRef /*gradient*/) const {}

void Approximation::move(double /*reach*/, const ConstVectorRef& u, VectorRef lambda) const {
  lambda += u;
}

Matrix Approximation::scale() const { return cov().llt().matrixL(); }

double symmetrized_kl(const Approximation& a, const Approximation& b) { return a.kl(b) + b.kl(a); }

double gaussian_kl(const ConstVectorRef& mean0, const ConstMatrixRef& cov0,
                   const ConstVectorRef& mean1, const ConstMatrixRef& cov1) {
  const Eigen::LLT<Matrix> chol0(cov0), chol1(cov1);
  if (chol0.info() != Eigen::Success || chol1.info() != Eigen::Success) {
    return std::numeric_limits<double>::infinity();
  }
  const Matrix ratio = chol1.matrixL().solve(chol0.matrixL().toDenseMatrix());
  const Vector shift = chol1.matrixL().solve(mean1 - mean0);
  const double log_ratio =
      (chol1.matrixLLT().diagonal().array().log() - chol0.matrixLLT().diagonal().array().log())
          .sum();
  const auto p = static_cast<double>(mean0.size());
  return 0.5 * (ratio.squaredNorm() + shift.squaredNorm() - p) + log_ratio;
}

}  // namespace ravi
