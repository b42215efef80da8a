// Draws that bending has paid for: densities with gradients, in the coordinates of a Gaussian.
#pragma once

#include "family/bent.hpp"

namespace ravi {

// In coordinates x, theta = mu + A x. Draws whose density cannot be computed are left out.
struct Bank {
  Matrix x, gradient;  // of log p in x, one column each
  Vector log_density;

  Index size() const { return x.cols(); }
  // Returns which of the draws are there now, those of the last columns.
  std::vector<Index> add(const Model& model, const Bent::Frame& frame, const Matrix& drawn,
                         int threads);
  void append(const Bank& other);
  // The same draws in coordinates turned by an orthogonal matrix, x <- Q' x.
  void turn(const Matrix& q);
};

}  // namespace ravi
