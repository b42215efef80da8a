// Second-order steps in the coordinates of q, in which it is standard normal.
#include "family/newton.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <optional>

#include "limits/limits.hpp"

namespace ravi {
namespace {

Matrix identity(Index p) { return Matrix::Identity(p, p); }

// By Cholesky, an order of magnitude cheaper, where nothing is clipped and nothing shortened. From
// the last coordinate to the first, I - rho E = U U' with an upper U, and the factor of the inverse
// is U^-T: there is no need for the inverse itself.
std::optional<NewtonStep> plain_step(const ScoreFit& fit, const StepRule& rule, double damping_of_e,
                                     NewtonStep::Wanted wanted) {
  const Index p = fit.d.size();
  const Matrix e = damping_of_e * fit.e;
  if (!eigenvalues_below(e, rule.cap) || !eigenvalues_below(-e, limit(Limit::most_change) - 1))
    return {};
  const Eigen::LLT<Matrix> backwards(Matrix(identity(p) - e).reverse());
  if (backwards.info() != Eigen::Success) return {};
  const Vector d = rule.damping * fit.d;
  NewtonStep result{backwards.solve(Vector(d.reverse())).reverse()};
  if (std::sqrt(result.move.dot(d)) > rule.radius) return {};
  if (wanted == NewtonStep::Wanted::move_and_root) {
    const Matrix transposed = Matrix(backwards.matrixL()).reverse().transpose();
    result.root = transposed.triangularView<Eigen::Lower>().solve(identity(p));
  }
  return result;
}

NewtonStep clipped_step(const ScoreFit& fit, const StepRule& rule, double damping_of_e,
                        NewtonStep::Wanted wanted) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(fit.e);
  const Matrix& vectors = eigen.eigenvectors();
  const Vector capped = (damping_of_e * eigen.eigenvalues()).cwiseMin(rule.cap);
  const Vector variance = (1 - capped.cwiseMax(1 - limit(Limit::most_change)).array()).inverse();
  // Where p is far narrower than q the mean goes all the way, though q does not shrink so far.
  const Vector newton = (1 - capped.array()).inverse();
  Vector move = rule.damping * newton.cwiseProduct(vectors.transpose() * fit.d);
  const double length = move.cwiseQuotient(variance.cwiseMax(1).cwiseSqrt()).norm();
  const bool shortened = length > rule.radius;
  if (shortened) move *= rule.radius / length;
  NewtonStep result{.move = vectors * move, .shortened = shortened};
  if (wanted == NewtonStep::Wanted::move_and_root) {
    result.root = Matrix(vectors * variance.asDiagonal() * vectors.transpose()).llt().matrixL();
  }
  return result;
}

}  // namespace

NewtonStep newton_step(const ScoreFit& fit, const StepRule& rule, double damping_of_e,
                       NewtonStep::Wanted wanted) {
  std::optional<NewtonStep> plain = plain_step(fit, rule, damping_of_e, wanted);
  return plain ? *std::move(plain) : clipped_step(fit, rule, damping_of_e, wanted);
}

// None is larger than the Frobenius norm, which is cheaper.
bool eigenvalues_below(const Matrix& e, double limit) {
  return e.norm() < limit || (limit * identity(e.rows()) - e).llt().info() == Eigen::Success;
}

}  // namespace ravi
