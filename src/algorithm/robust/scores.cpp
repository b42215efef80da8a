// Draws of q with the score in its coordinates, and the line through it.
#include "algorithm/robust/scores.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "core/numeric.hpp"
#include "limits/limits.hpp"
#include "objective/elbo.hpp"

namespace ravi {
namespace {

// A guard against rounding, where draws are equal.
constexpr double kNoRidge = 1e-12;

Matrix symmetric(const Matrix& e) { return 0.5 * (e + e.transpose()); }

}  // namespace

Index draws_for_regression(Index dimension) {
  const double of_each = limit(Limit::draws_per_coordinate) * static_cast<double>(dimension + 1);
  return std::max(count(Limit::least_draws), static_cast<Index>(std::ceil(of_each)));
}

double far_below(Index dimension) {
  return 0.5 * (std::pow(limit(Limit::lost), 2) + static_cast<double>(dimension));
}

bool ScoreBatch::good() const {
  return evaluated > 0 &&
         static_cast<double>(z.cols()) >=
             (1 - limit(Limit::failed_draws)) * static_cast<double>(evaluated) &&
         z.cols() > 2;
}

double ScoreBatch::fisher_distance() const {
  return 0.5 * s.squaredNorm() / static_cast<double>(s.cols());
}

ScoreBatch draw_scores(const Model& model, const Approximation& q, Index draws,
                       RandomStream stream) {
  const Index p = q.dimension();
  Matrix z(p, draws), gradient(p, draws), theta(p, draws);
  Vector log_density(draws);
  stream.fill_normal(z);
  q.forward(z, theta);
  model.evaluate(theta, log_density, gradient);

  ScoreBatch batch;
  batch.evaluated = draws;
  const Index usable = keep_usable(theta, z, gradient, log_density, batch.first_failure);
  batch.failed = draws - usable;
  batch.z = z.leftCols(usable);
  if (usable == 0) return batch;
  batch.s = gradient.leftCols(usable);
  q.pull_back(batch.z, batch.s);
  batch.s += batch.z;
  batch.log_ratio = log_density.head(usable) - q.log_density_at(batch.z);
  if (usable > 1) {
    batch.elbo = mean(batch.log_ratio);
    batch.standard_error = std::sqrt(variance(batch.log_ratio) / static_cast<double>(usable));
  }
  return batch;
}

ScoreFit fit_by_regression(const ScoreBatch& batch) {
  const Index p = batch.z.rows();
  const double scale = 1 / static_cast<double>(batch.z.cols() - 1);
  const Vector z_mean = batch.z.rowwise().mean(), s_mean = batch.s.rowwise().mean();
  const Matrix z = batch.z.colwise() - z_mean, s = batch.s.colwise() - s_mean;
  const Matrix zz = scale * z * z.transpose(), sz = scale * s * z.transpose();
  const auto slope = [&](double ridge) -> Matrix {
    return (zz + ridge * Matrix::Identity(p, p)).llt().solve(sz.transpose()).transpose();
  };
  ScoreFit fit;
  Matrix e;
  if (const Index freedom = batch.z.cols() - p - 1; freedom > 0) {
    e = slope(kNoRidge);
    const double left = (s - e * z).squaredNorm() / static_cast<double>(freedom);
    fit.nonlinearity = left / (scale * (s - z).squaredNorm());
  }
  // The less of a line p has the more there is to shrink: where it is Gaussian a ridge would only
  // bias the slope. In this order, a nonlinearity that is not a number has the whole ridge.
  if (!(fit.nonlinearity < kNoRidge)) e = slope(std::min(limit(Limit::ridge), fit.nonlinearity));
  fit.d = s_mean - e * z_mean;
  fit.e = symmetric(e);
  return fit;
}

ScoreFit fit_by_moments(const ScoreBatch& batch) {
  const double scale = 1 / static_cast<double>(batch.z.cols() - 1);
  const Vector z_mean = batch.z.rowwise().mean(), s_mean = batch.s.rowwise().mean();
  const Matrix e = scale * (batch.s.colwise() - s_mean) * (batch.z.colwise() - z_mean).transpose();
  return {s_mean, symmetric(e)};
}

ScoreFit fit_by_moments(const ScoreBatch& batch, const Matrix& slope) {
  const ScoreBatch rest{.z = batch.z, .s = batch.s - slope * batch.z, .log_ratio = {}};
  ScoreFit fit = fit_by_moments(rest);
  fit.e += slope;
  return fit;
}

}  // namespace ravi
