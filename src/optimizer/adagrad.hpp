// Adagrad: steps scaled by the root of the sum of squared gradients, of all or of the last few.
#pragma once

#include "optimizer/optimizer.hpp"

namespace ravi {

// Duchi, Hazan and Singer (2011):
//   G <- G + g^2
//   lambda <- lambda + eta g / (sqrt(G) + delta)
class Adagrad final : public Optimizer {
 public:
  Adagrad(double step_size, Index size) : step_size_(step_size), sum_(Vector::Zero(size)) {}
  void step(const ConstVectorRef& gradient, VectorRef lambda) override;

 private:
  static constexpr double kDelta = 1e-8;
  double step_size_;
  Vector sum_;
};

// The form the paper's authors ran: the sum covers the last ten gradients only, so that steps do
// not die out, and the offset is inside the root:
//   lambda <- lambda + eta g / sqrt(0.1 + sum of the last ten g^2)
class WindowedAdagrad final : public Optimizer {
 public:
  WindowedAdagrad(double step_size, Index size)
      : step_size_(step_size), squares_(Matrix::Zero(size, kWindow)) {}
  void step(const ConstVectorRef& gradient, VectorRef lambda) override;

 private:
  static constexpr Index kWindow = 10;
  static constexpr double kOffset = 0.1;
  double step_size_;
  Matrix squares_;  // a ring of the last ten
  Index next_ = 0;
};

}  // namespace ravi
