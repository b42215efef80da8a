// Kernel density estimates of weighted draws, as curves to be drawn.
#pragma once

#include "ravi/model.hpp"

namespace ravi {

// Where most of the draws are, and a little more; weights as in diagnostics/importance.hpp.
struct Extent {
  double low, high;
};
Extent extent_of(const ConstVectorRef& x, const ConstVectorRef& weights);

// Gaussian kernels with Silverman's bandwidth, 0.9 min(sd, IQR / 1.34) n^(-1/5) (1986, equation
// 3.31), n the effective sample size of the weights. Reflected at the outermost draws, so that a
// density that ends at a bound does not leak beyond it, where it is zero. NaN when all draws of
// positive weight are equal.
Vector density(const ConstVectorRef& x, const ConstVectorRef& weights, const ConstVectorRef& grid);

}  // namespace ravi
