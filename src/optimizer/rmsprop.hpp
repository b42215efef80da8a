// RMSprop: steps scaled by a running root mean square of the gradient.
#pragma once

#include "optimizer/optimizer.hpp"

namespace ravi {

// Tieleman and Hinton (2012), lecture 6e:
//   v <- beta v + (1 - beta) g^2
//   lambda <- lambda + eta g / (sqrt(v) + delta)
// Seeding v with g^2 rather than 0 keeps the first step at eta instead of eta / sqrt(1 - beta),
// about three times longer at beta = 0.9.
class RmsProp final : public Optimizer {
 public:
  RmsProp(double step_size, Index size) : step_size_(step_size), v_(Vector::Zero(size)) {}
  void step(const ConstVectorRef& gradient, VectorRef lambda) override;

 private:
  static constexpr double kBeta = 0.9;
  static constexpr double kDelta = 1e-8;
  double step_size_;
  Vector v_;
  bool seeded_ = false;
};

}  // namespace ravi
