// Stochastic gradient ascent, with a constant or a Robbins-Monro learning rate.
#pragma once

#include "optimizer/optimizer.hpp"

namespace ravi {

// gamma_t = 1.
class Sgd final : public Optimizer {
 public:
  Sgd(double step_size, const StepRuleSettings&, Index) : step_size_(step_size) {}
  void step(const ConstVectorRef& gradient, VectorRef lambda) override;

 private:
  double step_size_;
};

// gamma_t = t^-0.6, so that sum gamma_t = inf and sum gamma_t^2 < inf (Robbins and Monro 1951). Any
// power in (1/2, 1] will do; those near 1/2 forget the start sooner, and averaging removes the
// extra noise (Polyak and Juditsky 1992).
class RobbinsMonro final : public Optimizer {
 public:
  RobbinsMonro(double step_size, const StepRuleSettings&, Index) : step_size_(step_size) {}
  void step(const ConstVectorRef& gradient, VectorRef lambda) override;

 private:
  double step_size_;
  double t_ = 0;
};

}  // namespace ravi
