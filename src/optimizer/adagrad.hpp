// Adagrad: steps scaled by the root of the sum of squared gradients, of all or of the last few.
#pragma once

#include "optimizer/optimizer.hpp"

namespace ravi {

// Duchi, Hazan and Singer (2011):
//   G <- G + g^2
//   lambda <- lambda + eta g / (sqrt(G) + delta)
class Adagrad final : public Optimizer {
 public:
  static constexpr StepRuleSettings kOwn = {.offset = 1e-8, .offset_place = kOutside};

  Adagrad(double step_size, const StepRuleSettings& settings, Index size)
      : step_size_(step_size),
        delta_(settings.offset),
        inside_(settings.offset_place == kInside),
        sum_(Vector::Zero(size)) {}
  void step(const ConstVectorRef& gradient, VectorRef lambda) override;

 private:
  double step_size_, delta_;
  bool inside_;
  Vector sum_;
};

// The form the paper's authors ran: the sum covers the last ten gradients only, so that steps do
// not die out, and the offset is inside the root:
//   lambda <- lambda + eta g / sqrt(delta + sum of the last ten g^2)
class WindowedAdagrad final : public Optimizer {
 public:
  static constexpr StepRuleSettings kOwn = {.offset = 0.1, .offset_place = kInside, .squares = 10};

  WindowedAdagrad(double step_size, const StepRuleSettings& settings, Index size)
      : step_size_(step_size),
        delta_(settings.offset),
        inside_(settings.offset_place == kInside),
        squares_(Matrix::Zero(size, settings.squares)) {}
  void step(const ConstVectorRef& gradient, VectorRef lambda) override;

 private:
  double step_size_, delta_;
  bool inside_;
  Matrix squares_;  // a ring of the last few
  Index next_ = 0;
};

}  // namespace ravi
