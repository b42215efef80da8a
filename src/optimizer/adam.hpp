// Adam: running means of the gradient and of its square, both corrected for their start at zero.
#pragma once

#include "optimizer/optimizer.hpp"

namespace ravi {

// Kingma and Ba (2015), algorithm 1:
//   m <- beta1 m + (1 - beta1) g,  v <- beta2 v + (1 - beta2) g^2
//   lambda <- lambda + eta (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + delta)
class Adam final : public Optimizer {
 public:
  Adam(double step_size, const StepRuleSettings&, Index size)
      : step_size_(step_size), m_(Vector::Zero(size)), v_(Vector::Zero(size)) {}
  void step(const ConstVectorRef& gradient, VectorRef lambda) override;

 private:
  static constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kDelta = 1e-8;
  double step_size_;
  Vector m_, v_;
  double beta1_to_t_ = 1, beta2_to_t_ = 1;
};

}  // namespace ravi
