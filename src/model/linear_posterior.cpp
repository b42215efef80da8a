// The exact posterior of linear regression with known noise, by Cholesky.
#include "model/linear_posterior.hpp"

#include <Eigen/Cholesky>
#include <cmath>

#include "core/numeric.hpp"

namespace ravi {

// precision = X'X / sigma^2 + I, mean = precision^-1 X'y / sigma^2, and at any beta
// log p(y) = log p(y | beta) + log p(beta) - log p(beta | y), taken at the mean.
LinearPosterior linear_regression_posterior(const ConstMatrixRef& X, const ConstVectorRef& y,
                                            double sigma) {
  const Index p = X.cols();
  const double variance = sigma * sigma;
  Matrix precision = X.transpose() * X / variance;
  precision.diagonal().array() += 1;
  const Eigen::LLT<Matrix> factor(precision);
  LinearPosterior posterior;
  posterior.mean = factor.solve(X.transpose() * y / variance);
  posterior.cov = factor.solve(Matrix::Identity(p, p));
  posterior.cov = 0.5 * (posterior.cov + posterior.cov.transpose()).eval();
  const double log_root_det = factor.matrixLLT().diagonal().array().log().sum();
  const double n = static_cast<double>(y.size());
  posterior.log_evidence = -0.5 * n * (kLog2Pi + std::log(variance)) -
                           0.5 * (y - X * posterior.mean).squaredNorm() / variance -
                           0.5 * posterior.mean.squaredNorm() - log_root_det;
  return posterior;
}

}  // namespace ravi
