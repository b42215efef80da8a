// The reparameterization gradient with the closed-form entropy (Kucukelbir et al. 2017).
#include "objective/elbo.hpp"

#include <cmath>

#include "core/numeric.hpp"

namespace ravi {

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
  q.transform(z_, theta_);
  if (rows.all) {
    model_.evaluate(theta_, log_density_, gradient_);
  } else {
    row_model_->evaluate_rows(theta_, rows, log_density_, gradient_);
  }
  drop_failed_draws();

  ElboEstimate estimate{.usable = usable_, .failed = z_.cols() - usable_};
  if (usable_ == 0) return estimate;
  q.elbo_gradient(z_.leftCols(usable_), gradient_.leftCols(usable_), gradient);
  const auto log_p = log_density_.head(usable_);
  estimate.value = mean(log_p) + q.entropy();
  estimate.standard_error = std::sqrt(variance(log_p) / static_cast<double>(usable_));
  return estimate;
}

void ElboObjective::drop_failed_draws() {
  usable_ = 0;
  for (Index s = 0; s < z_.cols(); ++s) {
    if (!std::isfinite(log_density_(s)) || !gradient_.col(s).allFinite()) {
      if (first_failure_.size() == 0) first_failure_ = theta_.col(s);
      continue;
    }
    if (usable_ != s) {
      z_.col(usable_) = z_.col(s);
      gradient_.col(usable_) = gradient_.col(s);
      log_density_(usable_) = log_density_(s);
    }
    ++usable_;
  }
}

}  // namespace ravi
