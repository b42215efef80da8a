// The mean-field Gaussian.
#include "family/mean_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "limits/limits.hpp"

namespace ravi {

MeanField::MeanField(Index dimension)
    : LocatedNormal(dimension),
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

void MeanField::scales_are(Vector sigma) {
  sigma_ = std::move(sigma);
  log_sigma_ = sigma_.array().log();
}

Vector MeanField::lambda() const {
  Vector lambda(size());
  lambda << mu_, log_sigma_;
  return lambda;
}

Vector MeanField::lambda_of(const ConstVectorRef& mean, const ConstMatrixRef& l) const {
  Vector lambda(size());
  lambda << mean, l.diagonal().array().log().matrix();
  return lambda;
}

Vector MeanField::isotropic(const ConstVectorRef& mean, double scale) const {
  Vector lambda(size());
  lambda << mean, Vector::Constant(dimension(), std::log(scale));
  return lambda;
}

void MeanField::forward(const ConstMatrixRef& z, MatrixRef theta) const {
  theta.noalias() = sigma_.asDiagonal() * z;
  theta.colwise() += mu_;
}

void MeanField::inverse(const ConstMatrixRef& theta, MatrixRef z) const {
  z = ((theta.colwise() - mu_).array().colwise() / sigma_.array()).matrix();
}

void MeanField::pull_back(const ConstMatrixRef& /*z*/, MatrixRef gradient) const {
  gradient.array().colwise() *= sigma_.array();
}

// E is not damped for the mean: at the optimum its eigenvalues come near 1 where p is far wider
// than q, and damping would slow the mean down in just those directions. Scales see only the
// diagonal of E, which says too much of how far they should grow: half as far, as a logarithm.
bool MeanField::step(const ScoreFit& fit, const StepRule& rule) {
  const NewtonStep newton = newton_step(fit, rule, 1, NewtonStep::Wanted::move);
  mu_ += sigma_.cwiseProduct(newton.move);
  const Vector e = (rule.damping * fit.e.diagonal())
                       .cwiseMax(1 - limit(Limit::most_change))
                       .cwiseMin(std::min(rule.cap, 1 - 1 / std::sqrt(limit(Limit::most_change))));
  scales_are(sigma_.array() / (1 - e.array()).sqrt());
  return newton.shortened;
}

double MeanField::distance(const ScoreFit& fit) const {
  return 0.5 * fit.d.squaredNorm() + 0.25 * fit.e.diagonal().squaredNorm();
}

void MeanField::widen(double factor) { scales_are(factor * sigma_); }

// d theta_i / d mu_i = 1, d theta_i / d log sigma_i = sigma_i z_i, d H / d log sigma_i = 1.
void MeanField::elbo_gradient(const ConstMatrixRef& z, const ConstMatrixRef& g,
                              VectorRef gradient) const {
  gradient.head(dimension()) = g.rowwise().mean();
  gradient.tail(dimension()) = (g.array() * z.array()).rowwise().mean() * sigma_.array() + 1.0;
}

void MeanField::to_units(double reach, VectorRef gradient) const {
  gradient.head(dimension()).array() *= stretch(reach).array() * sigma_.array();
}

void MeanField::move(double reach, const ConstVectorRef& u, VectorRef lambda) const {
  const Index p = dimension();
  lambda.head(p).array() += stretch(reach).array() * sigma_.array() * u.head(p).array();
  lambda.tail(p) += u.tail(p);
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
