// The mean-field Gaussian.
#include "family/mean_field.hpp"

#include <fmt/format.h>

namespace ravi {

MeanField::MeanField(Index dimension)
    : Approximation(dimension),
      log_sigma_(Vector::Zero(dimension)),
      sigma_(Vector::Ones(dimension)) {}

std::unique_ptr<Approximation> MeanField::clone() const {
  return std::make_unique<MeanField>(*this);
}

void MeanField::assign(const ConstVectorRef& lambda) {
  mu_ = lambda.head(dimension());
  log_sigma_ = lambda.tail(dimension());
  sigma_ = log_sigma_.array().exp();
}

Vector MeanField::isotropic(const ConstVectorRef& mean, double scale) const {
  Vector lambda(size());
  lambda << mean, Vector::Constant(dimension(), std::log(scale));
  return lambda;
}

Vector MeanField::lambda_of(const ConstVectorRef& mean, const ConstMatrixRef& l) const {
  Vector lambda(size());
  lambda << mean, l.diagonal().array().log().matrix();
  return lambda;
}

void MeanField::transform(const ConstMatrixRef& z, MatrixRef theta) const {
  theta.noalias() = sigma_.asDiagonal() * z;
  theta.colwise() += mu_;
}

void MeanField::whiten(const ConstMatrixRef& theta, MatrixRef z) const {
  z = ((theta.colwise() - mu_).array().colwise() / sigma_.array()).matrix();
}

// d theta_i / d mu_i = 1, d theta_i / d log sigma_i = sigma_i z_i, d H / d log sigma_i = 1.
void MeanField::elbo_gradient(const ConstMatrixRef& z, const ConstMatrixRef& g,
                              VectorRef gradient) const {
  gradient.head(dimension()) = g.rowwise().mean();
  gradient.tail(dimension()) = (g.array() * z.array()).rowwise().mean() * sigma_.array() + 1.0;
}

// Sum over coordinates of log(s1/s0) + (s0^2 + (m0 - m1)^2) / (2 s1^2) - 1/2.
double MeanField::kl(const Approximation& other) const {
  const auto& o = dynamic_cast<const MeanField&>(other);
  const auto ratio = (log_sigma_ - o.log_sigma_).array();
  const auto shift = ((mu_ - o.mu_).array() / o.sigma_.array()).square();
  return (0.5 * ((2 * ratio).exp() + shift - 1) - ratio).sum();
}

std::string MeanField::component_name(Index k, const std::vector<std::string>& names) const {
  if (k < dimension()) return fmt::format("mu[{}]", names[static_cast<std::size_t>(k)]);
  return fmt::format("log sigma[{}]", names[static_cast<std::size_t>(k - dimension())]);
}

}  // namespace ravi
