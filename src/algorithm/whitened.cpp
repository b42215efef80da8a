// Second-order steps on a full-rank Gaussian q.
#include "algorithm/whitened.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "core/numeric.hpp"
#include "objective/elbo.hpp"

namespace ravi {
namespace {

constexpr double kRidge = 0.01;
constexpr double kSmallestShare = 0.8;  // of usable draws
// No variance shrinks by more than a factor of 1 + this in one step.
constexpr double kLargestShrinkage = 99;

WhitenedFit with_eigenvalues(Vector d, const Matrix& e) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(0.5 * (e + e.transpose()));
  return {std::move(d), eigen.eigenvectors(), eigen.eigenvalues()};
}

}  // namespace

bool WhitenedBatch::good() const {
  return evaluated > 0 &&
         static_cast<double>(z.cols()) >= kSmallestShare * static_cast<double>(evaluated) &&
         z.cols() > 2;
}

double symmetrized_kl(const WhitenedGaussian& a, const WhitenedGaussian& b) {
  const auto la = a.l.triangularView<Eigen::Lower>(), lb = b.l.triangularView<Eigen::Lower>();
  const Vector difference = a.mu - b.mu;
  const double p = static_cast<double>(a.mu.size());
  return 0.5 * (la.solve(b.l).squaredNorm() + lb.solve(a.l).squaredNorm() +
                la.solve(difference).squaredNorm() + lb.solve(difference).squaredNorm()) -
         p;
}

WhitenedBatch draw_whitened(const Model& model, const WhitenedGaussian& q, Index draws,
                            RandomStream stream) {
  const Index p = q.mu.size();
  Matrix z(p, draws), gradient(p, draws);
  Vector log_density(draws);
  stream.fill_normal(z);
  const auto l = q.l.triangularView<Eigen::Lower>();
  Matrix theta = l * z;
  theta.colwise() += q.mu;
  model.evaluate(theta, log_density, gradient);

  WhitenedBatch batch;
  batch.evaluated = draws;
  const Index usable = keep_usable(theta, z, gradient, log_density, batch.first_failure);
  batch.failed = draws - usable;
  batch.z = z.leftCols(usable);
  if (usable == 0) return batch;
  batch.s = l.transpose() * gradient.leftCols(usable) + batch.z;
  const double log_normalizer = 0.5 * static_cast<double>(p) * kLog2Pi + q.log_determinant();
  batch.log_ratio = log_density.head(usable) + 0.5 * batch.z.colwise().squaredNorm().transpose() +
                    Vector::Constant(usable, log_normalizer);
  if (usable > 1) {
    batch.elbo = mean(batch.log_ratio);
    batch.standard_error = std::sqrt(variance(batch.log_ratio) / static_cast<double>(usable));
  }
  return batch;
}

WhitenedFit fit_by_regression(const WhitenedBatch& batch) {
  const Index p = batch.z.rows();
  const double scale = 1 / static_cast<double>(batch.z.cols() - 1);
  const Vector z_mean = batch.z.rowwise().mean(), s_mean = batch.s.rowwise().mean();
  const Matrix z = batch.z.colwise() - z_mean, s = batch.s.colwise() - s_mean;
  const Matrix zz = scale * z * z.transpose() + kRidge * Matrix::Identity(p, p);
  const Matrix sz = scale * s * z.transpose();
  const Matrix e = zz.llt().solve(sz.transpose()).transpose();
  return with_eigenvalues(s_mean - e * z_mean, e);
}

WhitenedFit fit_by_moments(const WhitenedBatch& batch) {
  const double scale = 1 / static_cast<double>(batch.z.cols() - 1);
  const Vector z_mean = batch.z.rowwise().mean(), s_mean = batch.s.rowwise().mean();
  const Matrix e = scale * (batch.s.colwise() - s_mean) * (batch.z.colwise() - z_mean).transpose();
  return with_eigenvalues(s_mean, e);
}

WhitenedGaussian step(const WhitenedGaussian& q, const WhitenedFit& fit, const StepRule& rule,
                      bool* radius_was_binding) {
  const Vector clipped =
      (rule.damping * fit.eigenvalues).cwiseMax(-kLargestShrinkage).cwiseMin(rule.cap);
  const Vector variance = (1 - clipped.array()).inverse();
  Vector move = rule.damping * variance.cwiseProduct(fit.vectors.transpose() * fit.d);
  const double length = move.cwiseQuotient(variance.cwiseMax(1).cwiseSqrt()).norm();
  const bool binding = length > rule.radius;
  if (binding) move *= rule.radius / length;
  if (radius_was_binding != nullptr) *radius_was_binding = binding;
  const Matrix covariance = fit.vectors * variance.asDiagonal() * fit.vectors.transpose();
  const Matrix root = covariance.llt().matrixL();
  WhitenedGaussian next{q.mu + q.l * (fit.vectors * move), q.l * root};
  next.l.triangularView<Eigen::StrictlyUpper>().setZero();
  return next;
}

}  // namespace ravi
