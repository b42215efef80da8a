// The full-rank Gaussian.
#include "family/full_rank.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>

#include "core/scratch.hpp"

namespace ravi {
namespace {

// L follows the mean in lambda, column by column from the diagonal down: f(column, where it is).
template <typename F>
void for_each_column(Index p, F f) {
  for (Index j = 0, packed = p; j < p; packed += p - j, ++j) f(j, packed);
}

}  // namespace

FullRank::FullRank(Index dimension, Diagonal diagonal)
    : LocatedNormal(dimension), diagonal_(diagonal), l_(Matrix::Identity(dimension, dimension)) {}

std::unique_ptr<Approximation> FullRank::clone() const { return std::make_unique<FullRank>(*this); }

std::unique_ptr<Approximation> FullRank::averageable() const {
  auto plain = std::make_unique<FullRank>(*this);
  plain->diagonal_ = Diagonal::plain;
  return plain;
}

std::unique_ptr<Approximation> FullRank::by_symmetric_root() const {
  auto other = std::make_unique<FullRank>(*this);
  other->symmetric_ = true;
  other->find_root();
  return other;
}

void FullRank::find_root() {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(l_ * l_.transpose());
  axes_ = solver.eigenvectors();
  roots_ = solver.eigenvalues().cwiseMax(0).cwiseSqrt();
}

// From the gradient G in S to that in L. With Sigma = S S, d Sigma = S dS + dS S, so that the
// gradient X in Sigma solves S X + X S = (G + G') / 2, element by element along the axes of S; and
// with Sigma = L L' the gradient in L is 2 X L.
Matrix FullRank::by_root(const ConstMatrixRef& of_root) const {
  Matrix x = axes_.transpose() * (0.5 * (of_root + of_root.transpose())) * axes_;
  for (Index j = 0; j < x.cols(); ++j) x.col(j).array() /= roots_.array() + roots_(j);
  return 2 * (axes_ * x * axes_.transpose()) * l_;
}

void FullRank::assign(const ConstVectorRef& lambda) {
  const Index p = dimension();
  mu_ = lambda.head(p);
  log_determinant_ = 0;
  for_each_column(p, [&](Index j, Index packed) {
    const double diagonal = lambda(packed);
    const bool plain = diagonal_ == Diagonal::plain;
    log_determinant_ += plain ? std::log(diagonal) : diagonal;
    l_.col(j).tail(p - j) = lambda.segment(packed, p - j);
    l_(j, j) = plain ? diagonal : std::exp(diagonal);
  });
  if (symmetric_) find_root();
}

Vector FullRank::lambda_of(const ConstVectorRef& mean, const ConstMatrixRef& l) const {
  const Index p = mean.size();
  Vector lambda(size_for(p));
  lambda.head(p) = mean;
  for_each_column(p, [&](Index j, Index first) {
    lambda.segment(first, p - j) = l.col(j).tail(p - j);
    lambda(first) = packed(l(j, j));
  });
  return lambda;
}

void FullRank::scale_is(Matrix l) {
  l_ = std::move(l);
  l_.triangularView<Eigen::StrictlyUpper>().setZero();
  log_determinant_ = 0;
  for (Index j = 0; j < dimension(); ++j) log_determinant_ += std::log(l_(j, j));
  if (symmetric_) find_root();
}

void FullRank::forward(const ConstMatrixRef& z, MatrixRef theta) const {
  if (dimension() == 0) return;  // Eigen divides by the size of a triangle
  if (symmetric_) {
    theta.noalias() = axes_ * (roots_.asDiagonal() * (axes_.transpose() * z));
    theta.colwise() += mu_;
    return;
  }
  theta.noalias() = l_.triangularView<Eigen::Lower>() * z;
  theta.colwise() += mu_;
}

void FullRank::inverse(const ConstMatrixRef& theta, MatrixRef z) const {
  z = theta.colwise() - mu_;
  if (symmetric_) {
    z = (axes_ * (roots_.cwiseInverse().asDiagonal() * (axes_.transpose() * z))).eval();
    return;
  }
  l_.triangularView<Eigen::Lower>().solveInPlace(z);
}

void FullRank::pull_back(const ConstMatrixRef& /*z*/, MatrixRef gradient) const {
  if (symmetric_) {
    gradient = (axes_ * (roots_.asDiagonal() * (axes_.transpose() * gradient))).eval();
  } else {
    gradient = l_.triangularView<Eigen::Lower>().transpose() * gradient;
  }
}

bool FullRank::step(const ScoreFit& fit, const StepRule& rule) {
  const NewtonStep newton = newton_step(fit, rule, rule.damping, NewtonStep::Wanted::move_and_root);
  mu_ += l_ * newton.move;
  scale_is(l_.triangularView<Eigen::Lower>() * newton.root);
  return newton.shortened;
}

double FullRank::distance(const ScoreFit& fit) const {
  return 0.5 * fit.d.squaredNorm() + 0.25 * fit.e.squaredNorm();
}

void FullRank::widen(double factor) { scale_is(factor * l_); }

// d ELBO / d L = tril(mean_s g_s z_s') + diag(1 / L_ii); by the chain rule the logarithm of a
// diagonal element gets L_ii times that, so that its entropy term becomes 1.
void FullRank::elbo_gradient(const ConstMatrixRef& z, const ConstMatrixRef& g,
                             VectorRef gradient) const {
  const Index p = dimension();
  gradient.head(p) = g.rowwise().mean();
  struct GradientOfL;
  auto d_l = scratch<GradientOfL>(p, p);
  d_l.triangularView<Eigen::Lower>() = g * z.transpose() * (1.0 / static_cast<double>(z.cols()));
  if (symmetric_) d_l = by_root(g * z.transpose() / static_cast<double>(z.cols()));
  for_each_column(p, [&](Index j, Index packed) {
    gradient.segment(packed, p - j) = d_l.col(j).tail(p - j);
    const double of_logarithm = d_l(j, j) * l_(j, j) + 1.0;
    gradient(packed) = diagonal_ == Diagonal::plain ? of_logarithm / l_(j, j) : of_logarithm;
  });
}

// By the chain rule, with G = d / d L below the diagonal of L: L' F g_mu for the mean, (L' G)_ij
// for u_ij; and u_jj moves all of column j, which adds (L' G)_jj to the gradient in log L_jj.
void FullRank::to_units(double reach, VectorRef gradient) const {
  const Index p = dimension();
  gradient.head(p).array() *= stretch(reach).array();
  struct InL;
  struct InU;
  auto in_l = scratch<InL>(p, p), in_u = scratch<InU>(p, p);
  in_l.setZero();
  for_each_column(p, [&](Index j, Index packed) {
    in_l.col(j).tail(p - j - 1) = gradient.segment(packed + 1, p - j - 1);
  });
  const auto transposed = l_.transpose().triangularView<Eigen::Upper>();
  in_u.noalias() = transposed * in_l;
  gradient.head(p) = (transposed * gradient.head(p)).eval();
  for_each_column(p, [&](Index j, Index packed) {
    if (diagonal_ == Diagonal::plain) gradient(packed) *= l_(j, j);
    gradient(packed) += in_u(j, j);
    gradient.segment(packed + 1, p - j - 1) = in_u.col(j).tail(p - j - 1);
  });
}

void FullRank::move(double reach, const ConstVectorRef& u, VectorRef lambda) const {
  const Index p = dimension();
  struct Factor;
  struct Moved;
  auto m = scratch<Factor>(p, p), moved = scratch<Moved>(p, p);
  m.setZero();
  for_each_column(p, [&](Index j, Index packed) {
    m(j, j) = std::exp(u(packed));
    m.col(j).tail(p - j - 1) = u.segment(packed + 1, p - j - 1);
  });
  const auto lower = l_.triangularView<Eigen::Lower>();
  moved.noalias() = lower * m;
  lambda.head(p).array() += stretch(reach).array() * (lower * u.head(p)).eval().array();
  for_each_column(p, [&](Index j, Index packed) {
    lambda(packed) = diagonal_ == Diagonal::plain ? moved(j, j) : lambda(packed) + u(packed);
    lambda.segment(packed + 1, p - j - 1) = moved.col(j).tail(p - j - 1);
  });
}

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
