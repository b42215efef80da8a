// The evidence lower bound and its gradient, from M draws of q in one call of the model.
#pragma once

#include "core/rng.hpp"
#include "family/approximation.hpp"

namespace ravi {

struct ElboEstimate {
  double value = kUnknown;           // mean of log p over the usable draws, plus the entropy of q
  double standard_error = kUnknown;  // sd of log p over the root of their number
  Index usable = 0, failed = 0;
};

// Moves the draws whose log density and gradient are finite to the front, in their order, and
// returns how many they are. An empty first_failure becomes the first theta that failed.
Index keep_usable(const Matrix& theta, Matrix& z, Matrix& gradient, Vector& log_density,
                  Vector& first_failure);

// Draws where log p or its gradient is not finite are dropped and counted, never redrawn: a
// redraw would hide them. One object holds the work space of one chain.
class ElboObjective {
 public:
  ElboObjective(const Model& model, Index draws);

  // Estimates the ELBO of q on the given rows of data. The gradient in lambda is written only when
  // some draw was usable.
  ElboEstimate gradient(const Approximation& q, RandomStream stream, Rows rows, VectorRef gradient);

  // The first draw that ever failed, so that the model can be asked why; empty when none did.
  const Vector& first_failure() const { return first_failure_; }

 private:
  const Model& model_;
  const RowModel* row_model_;
  Matrix z_, theta_, gradient_;  // P x M; the first usable_ columns count
  Vector log_density_, first_failure_;
  Index usable_ = 0;
};

}  // namespace ravi
