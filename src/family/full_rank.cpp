// The full-rank Gaussian.
#include "family/full_rank.hpp"

#include <fmt/format.h>

#include "core/scratch.hpp"

namespace ravi {

FullRank::FullRank(Index dimension, Diagonal diagonal)
    : Approximation(dimension), diagonal_(diagonal), l_(Matrix::Identity(dimension, dimension)) {}

std::unique_ptr<Approximation> FullRank::clone() const { return std::make_unique<FullRank>(*this); }

std::unique_ptr<Approximation> FullRank::averageable() const {
  auto plain = std::make_unique<FullRank>(dimension(), Diagonal::plain);
  plain->assign(plain->lambda_of(mu_, l_));
  return plain;
}

void FullRank::assign(const ConstVectorRef& lambda) {
  const Index p = dimension();
  mu_ = lambda.head(p);
  log_determinant_ = 0;
  Index packed = p;
  for (Index j = 0; j < p; ++j) {
    const double diagonal = lambda(packed);
    const bool plain = diagonal_ == Diagonal::plain;
    log_determinant_ += plain ? std::log(diagonal) : diagonal;
    l_.col(j).tail(p - j) = lambda.segment(packed, p - j);
    l_(j, j) = plain ? diagonal : std::exp(diagonal);
    packed += p - j;
  }
}

Vector FullRank::lambda_of(const ConstVectorRef& mean, const ConstMatrixRef& l) const {
  const Index p = mean.size();
  Vector lambda(size_for(p));
  lambda.head(p) = mean;
  for (Index j = 0, first = p; j < p; first += p - j, ++j) {
    lambda.segment(first, p - j) = l.col(j).tail(p - j);
    lambda(first) = packed(l(j, j));
  }
  return lambda;
}

Vector FullRank::isotropic(const ConstVectorRef& mean, double scale) const {
  const Index p = dimension();
  Vector lambda = Vector::Zero(size());
  lambda.head(p) = mean;
  for (Index j = 0, first = p; j < p; first += p - j, ++j) lambda(first) = packed(scale);
  return lambda;
}

void FullRank::transform(const ConstMatrixRef& z, MatrixRef theta) const {
  if (dimension() == 0) return;  // Eigen divides by the size of a triangle
  theta.noalias() = l_.triangularView<Eigen::Lower>() * z;
  theta.colwise() += mu_;
}

void FullRank::whiten(const ConstMatrixRef& theta, MatrixRef z) const {
  z = theta.colwise() - mu_;
  l_.triangularView<Eigen::Lower>().solveInPlace(z);
}

// d ELBO / d L = tril(mean_s g_s z_s') + diag(1 / L_ii); by the chain rule the logarithm of a
// diagonal element gets L_ii times that, so that its entropy term becomes 1.
void FullRank::elbo_gradient(const ConstMatrixRef& z, const ConstMatrixRef& g,
                             VectorRef gradient) const {
  const Index p = dimension();
  gradient.head(p) = g.rowwise().mean();
  struct GradientOfL;
  auto d_l = scratch<GradientOfL>(p, p);
  d_l.triangularView<Eigen::Lower>() = g * z.transpose() * (1.0 / static_cast<double>(z.cols()));
  for (Index j = 0, packed = p; j < p; packed += p - j, ++j) {
    gradient.segment(packed, p - j) = d_l.col(j).tail(p - j);
    const double of_logarithm = d_l(j, j) * l_(j, j) + 1.0;
    gradient(packed) = diagonal_ == Diagonal::plain ? of_logarithm / l_(j, j) : of_logarithm;
  }
}

Matrix FullRank::cov() const { return l_ * l_.transpose(); }

// With A = L1^-1 L0 and d = L1^-1 (m1 - m0): (|A|_F^2 + |d|^2 - P) / 2 + log|L1| - log|L0|.
double FullRank::kl(const Approximation& other) const {
  const auto& o = dynamic_cast<const FullRank&>(other);
  const auto l1 = o.l_.triangularView<Eigen::Lower>();
  const Matrix a = l1.solve(l_);
  const Vector d = l1.solve(o.mu_ - mu_);
  return 0.5 * (a.squaredNorm() + d.squaredNorm() - static_cast<double>(dimension())) +
         o.log_determinant_ - log_determinant_;
}

std::string FullRank::component_name(Index k, const std::vector<std::string>& names) const {
  const Index p = dimension();
  const auto at = [&](Index i) { return names[static_cast<std::size_t>(i)]; };
  if (k < p) return fmt::format("mu[{}]", at(k));
  Index j = 0, packed = p;
  for (; k >= packed + p - j; ++j) packed += p - j;
  if (k == packed && diagonal_ == Diagonal::logarithm) return fmt::format("log L[{}]", at(j));
  return fmt::format("L[{},{}]", at(j + k - packed), at(j));
}

}  // namespace ravi
