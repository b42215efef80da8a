// Second-order steps on a Gaussian q.
#include "algorithm/robust/whitened.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/numeric.hpp"
#include "objective/elbo.hpp"

namespace ravi {
namespace {

constexpr double kRidge = 0.01;
// Below this nonlinearity p is Gaussian on the scale of q, and a ridge would only bias the slope.
constexpr double kLinear = 1e-4;
constexpr double kNoRidge = 1e-12;
constexpr double kSmallestShare = 0.8;  // of usable draws
// No variance shrinks by more than a factor of 1 + this in one step.
constexpr double kLargestShrinkage = 99;
constexpr double kLargestCapOfScale = 0.96;  // of a diagonal L

Matrix identity(Index p) { return Matrix::Identity(p, p); }

Matrix symmetric(const Matrix& e) { return 0.5 * (e + e.transpose()); }

// Damping of E. With a diagonal L the optimum has an E whose eigenvalues come near 1, where p is
// far wider than q; damping it there would slow the mean down in just those directions.
double damping_of_curvature(const StepRule& rule) {
  return rule.shape == Shape::full ? rule.damping : 1;
}

// The Cholesky factor of (I - rho E)^-1, and rho (I - rho E)^-1 d, with the eigenvalues of rho E
// clipped and the step of the mean shortened where they must be.
struct NewtonStep {
  Matrix root;  // empty for a diagonal L
  Vector move;
  bool shortened = false;
};

// By Cholesky, an order of magnitude cheaper, where nothing is clipped and nothing shortened. From
// the last coordinate to the first, I - rho E = U U' with an upper U, and the factor of the inverse
// is U^-T: there is no need for the inverse itself.
std::optional<NewtonStep> plain_step(const WhitenedFit& fit, const StepRule& rule) {
  const Index p = fit.d.size();
  const Matrix e = damping_of_curvature(rule) * fit.e;
  if (!eigenvalues_below(e, rule.cap) || !eigenvalues_below(-e, kLargestShrinkage)) return {};
  const Eigen::LLT<Matrix> backwards(Matrix(identity(p) - e).reverse());
  if (backwards.info() != Eigen::Success) return {};
  const Vector d = rule.damping * fit.d;
  NewtonStep result{{}, backwards.solve(Vector(d.reverse())).reverse()};
  if (std::sqrt(result.move.dot(d)) > rule.radius) return {};
  if (rule.shape == Shape::full) {
    const Matrix transposed = Matrix(backwards.matrixL()).reverse().transpose();
    result.root = transposed.triangularView<Eigen::Lower>().solve(identity(p));
  }
  return result;
}

NewtonStep clipped_step(const WhitenedFit& fit, const StepRule& rule) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(fit.e);
  const Matrix& vectors = eigen.eigenvectors();
  const Vector capped = (damping_of_curvature(rule) * eigen.eigenvalues()).cwiseMin(rule.cap);
  const Vector variance = (1 - capped.cwiseMax(-kLargestShrinkage).array()).inverse();
  // Where p is far narrower than q the mean goes all the way, though q does not shrink so far.
  const Vector newton = (1 - capped.array()).inverse();
  Vector move = rule.damping * newton.cwiseProduct(vectors.transpose() * fit.d);
  const double length = move.cwiseQuotient(variance.cwiseMax(1).cwiseSqrt()).norm();
  const bool shortened = length > rule.radius;
  if (shortened) move *= rule.radius / length;
  NewtonStep result{{}, vectors * move, shortened};
  if (rule.shape == Shape::full) {
    result.root = Matrix(vectors * variance.asDiagonal() * vectors.transpose()).llt().matrixL();
  }
  return result;
}

}  // namespace

Shape shape_of(const Options& options) {
  return options.family == "mean-field" ? Shape::diagonal : Shape::full;
}

Index draws_for_regression(Index dimension) {
  return std::max<Index>(12, (5 * (dimension + 1) + 3) / 4);
}

// None is larger than the Frobenius norm, which is cheaper.
bool eigenvalues_below(const Matrix& e, double limit) {
  return e.norm() < limit || (limit * identity(e.rows()) - e).llt().info() == Eigen::Success;
}

bool WhitenedBatch::good() const {
  return evaluated > 0 &&
         static_cast<double>(z.cols()) >= kSmallestShare * static_cast<double>(evaluated) &&
         z.cols() > 2;
}

double WhitenedBatch::fisher_distance() const {
  return 0.5 * s.squaredNorm() / static_cast<double>(s.cols());
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

double WhitenedFit::distance(Shape shape) const {
  const double of_scale = shape == Shape::full ? e.squaredNorm() : e.diagonal().squaredNorm();
  return 0.5 * d.squaredNorm() + 0.25 * of_scale;
}

WhitenedFit fit_by_regression(const WhitenedBatch& batch) {
  const Index p = batch.z.rows();
  const double scale = 1 / static_cast<double>(batch.z.cols() - 1);
  const Vector z_mean = batch.z.rowwise().mean(), s_mean = batch.s.rowwise().mean();
  const Matrix z = batch.z.colwise() - z_mean, s = batch.s.colwise() - s_mean;
  const Matrix zz = scale * z * z.transpose(), sz = scale * s * z.transpose();
  const auto slope = [&](double ridge) -> Matrix {
    return (zz + ridge * identity(p)).llt().solve(sz.transpose()).transpose();
  };
  WhitenedFit fit;
  Matrix e;
  if (const Index freedom = batch.z.cols() - p - 1; freedom > 0) {
    e = slope(kNoRidge);
    const double left = (s - e * z).squaredNorm() / static_cast<double>(freedom);
    fit.nonlinearity = left / (scale * (s - z).squaredNorm());
  }
  // Negated, so that a nonlinearity that is not a number does not pass.
  if (!(fit.nonlinearity < kLinear)) e = slope(kRidge);
  fit.d = s_mean - e * z_mean;
  fit.e = symmetric(e);
  return fit;
}

WhitenedFit fit_by_moments(const WhitenedBatch& batch) {
  const double scale = 1 / static_cast<double>(batch.z.cols() - 1);
  const Vector z_mean = batch.z.rowwise().mean(), s_mean = batch.s.rowwise().mean();
  const Matrix e = scale * (batch.s.colwise() - s_mean) * (batch.z.colwise() - z_mean).transpose();
  return {s_mean, symmetric(e)};
}

WhitenedFit fit_by_moments(const WhitenedBatch& batch, const Matrix& slope) {
  WhitenedBatch rest{.z = batch.z, .s = batch.s - slope * batch.z, .log_ratio = {}};
  WhitenedFit fit = fit_by_moments(rest);
  fit.e += slope;
  return fit;
}

WhitenedGaussian step(const WhitenedGaussian& q, const WhitenedFit& fit, const StepRule& rule,
                      bool* radius_was_binding) {
  std::optional<NewtonStep> newton = plain_step(fit, rule);
  if (!newton) newton = clipped_step(fit, rule);
  if (radius_was_binding != nullptr) *radius_was_binding = newton->shortened;
  WhitenedGaussian next{q.mu + q.l * newton->move, q.l};
  if (rule.shape == Shape::full) {
    next.l = q.l.triangularView<Eigen::Lower>() * newton->root;
    next.l.triangularView<Eigen::StrictlyUpper>().setZero();
  } else {
    const Vector e = (rule.damping * fit.e.diagonal())
                         .cwiseMax(-kLargestShrinkage)
                         .cwiseMin(std::min(rule.cap, kLargestCapOfScale));
    next.l.diagonal().array() /= (1 - e.array()).sqrt();
  }
  return next;
}

}  // namespace ravi
