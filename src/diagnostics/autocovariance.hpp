// Autocovariances at all lags, by fast Fourier transform.
#pragma once

#include "ravi/types.hpp"

namespace ravi {

// gamma_t = 1/n sum_{i < n-t} (x_i - mean)(x_{i+t} - mean) for t = 0 .. n-1: the biased estimate,
// divisor n at every lag (Geyer 1992). All zero for equal values, all NaN if one is not finite.
Vector autocovariance(const ConstVectorRef& x);

// The same for every column.
Matrix autocovariances(const ConstMatrixRef& draws);

// Their mean over the columns, which is all that ESS needs, at about half the cost.
Vector mean_autocovariance(const ConstMatrixRef& draws);

// The same number for one lag after the other, for those who stop at the first that is noise: sums
// of products for the first lags, which is cheaper than a transform, and the transform for what
// follows. The draws must be finite and outlive it.
class LaggedAutocovariance {
 public:
  explicit LaggedAutocovariance(const ConstMatrixRef& draws);
  double operator()(Index lag);

 private:
  ConstMatrixRef draws_;
  Matrix centered_;
  double scale_;
  Vector all_;
};

}  // namespace ravi
