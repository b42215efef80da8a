// RMSprop: steps scaled by a running root mean square of the gradient.
#pragma once

#include "optimizer/optimizer.hpp"

namespace ravi {

// Tieleman and Hinton (2012), lecture 6e:
//   v <- beta v + (1 - beta) g^2
//   lambda <- lambda + eta g / (sqrt(v) + delta)
// or, as others have it, + eta g / sqrt(v + delta).
// Seeding v with g^2 rather than 0 keeps the first step at eta instead of eta / sqrt(1 - beta),
// about three times longer at beta = 0.9.
class RmsProp final : public Optimizer {
 public:
  static constexpr StepRuleSettings kOwn = {.decay = 0.9, .offset = 1e-8, .offset_place = kOutside};

  RmsProp(double step_size, const StepRuleSettings& settings, Index size)
      : step_size_(step_size),
        beta_(settings.decay),
        delta_(settings.offset),
        inside_(settings.offset_place == kInside),
        v_(Vector::Zero(size)) {}
  void step(const ConstVectorRef& gradient, VectorRef lambda) override;

 private:
  double step_size_, beta_, delta_;
  bool inside_;
  Vector v_;
  bool seeded_ = false;
};

}  // namespace ravi
