// Kernel density estimates of weighted draws, as curves to be drawn.
#pragma once

#include "ravi/model.hpp"

namespace ravi {

struct Extent {
  double low, high;
};

// Gaussian kernels with Silverman's bandwidth, 0.9 min(sd, IQR / 1.34) n^(-1/5) (1986, equation
// 3.31), n the effective sample size of the weights. Reflected at the outermost draws, so that a
// density that ends at a bound does not leak beyond it, where it is zero.
class KernelDensity {
 public:
  // Finite draws, at least one, with positive weights that sum to one.
  KernelDensity(Vector x, Vector weights);

  // Where most of the draws are, and a little more.
  Extent extent() const;

  // NaN when all draws are equal.
  Vector at(const ConstVectorRef& grid) const;

 private:
  Vector x_, weights_, quantiles_;  // 5 %, the quartiles, 95 %
  Extent range_;
};

}  // namespace ravi
