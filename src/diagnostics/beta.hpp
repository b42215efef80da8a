// The beta distribution function and its inverse.
#pragma once

namespace ravi {

// I_x(a, b), the regularized incomplete beta function, for a, b > 0 and x in [0, 1]; NaN outside.
double incomplete_beta(double x, double a, double b);

// The x with I_x(a, b) = p; NaN outside a, b > 0 and p in [0, 1].
double beta_quantile(double p, double a, double b);

}  // namespace ravi
