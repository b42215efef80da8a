// The reparameterization gradient with the closed-form entropy (Kucukelbir et al. 2017).
#include "objective/elbo.hpp"

#include <cmath>

#include "core/numeric.hpp"

namespace ravi {

Index keep_usable(const Matrix& theta, Matrix& z, Matrix& gradient, Vector& log_density,
                  Vector& first_failure) {
  Index usable = 0;
  for (Index s = 0; s < z.cols(); ++s) {
    if (!std::isfinite(log_density(s)) || !gradient.col(s).allFinite()) {
      if (first_failure.size() == 0) first_failure = theta.col(s);
      continue;
    }
    if (usable != s) {
      z.col(usable) = z.col(s);
      gradient.col(usable) = gradient.col(s);
      log_density(usable) = log_density(s);
    }
    ++usable;
  }
  return usable;
}

ElboObjective::ElboObjective(const Model& model, Index draws)
    : model_(model),
      row_model_(dynamic_cast<const RowModel*>(&model)),
      z_(model.dimension(), draws),
      theta_(model.dimension(), draws),
      gradient_(model.dimension(), draws),
      log_density_(draws) {}

ElboEstimate ElboObjective::gradient(const Approximation& q, RandomStream stream, Rows rows,
                                     VectorRef gradient) {
  stream.fill_normal(z_);
  q.forward(z_, theta_);
  if (rows.all) {
    model_.evaluate(theta_, log_density_, gradient_);
  } else {
    row_model_->evaluate_rows(theta_, rows, log_density_, gradient_);
  }
  usable_ = keep_usable(theta_, z_, gradient_, log_density_, first_failure_);

  ElboEstimate estimate{.usable = usable_, .failed = z_.cols() - usable_};
  if (usable_ == 0) return estimate;
  q.elbo_gradient(z_.leftCols(usable_), gradient_.leftCols(usable_), gradient);
  const auto log_p = log_density_.head(usable_);
  estimate.value = mean(log_p) + q.entropy();
  estimate.standard_error = std::sqrt(variance(log_p) / static_cast<double>(usable_));
  return estimate;
}

}  // namespace ravi
