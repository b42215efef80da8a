// The layers of a bent q, fitted to gradients at draws.
#pragma once

#include <vector>

#include "bending/bank.hpp"

namespace ravi {

// What the layers make of the draws: zeta, the gradients of log p in zeta, and the log determinant.
struct Inside {
  Matrix zeta, gradient;
  Vector log_det;

  Matrix score() const { return gradient + zeta; }  // zero iff y given w is what the layers say
};

struct Conditional {
  std::vector<Bent::Layer> layers;
  Inside inside;
};

// A learned partial centering, and then so many layers of means and scales. The bank is in the
// coordinates (w, y) of the frame.
Conditional fit_conditional(const Bank& bank, const Bent::Frame& frame, const DriverBasis& basis,
                            Index layers, int threads);

}  // namespace ravi
