// Order statistics: average ranks, normal scores, quantiles of draws and of distributions.
#pragma once

#include "ravi/types.hpp"

namespace ravi {

// Ranks 1 .. n over all entries together; ties share the average of their ranks. No NaN allowed.
Matrix average_ranks(const ConstMatrixRef& x);

// Phi^-1((r - 3/8) / (n + 1/4)) of the average ranks r (Blom 1958).
Matrix normal_scores(const ConstMatrixRef& x);

// Phi^-1(p) to about 1e-16 relative; -inf and +inf at 0 and 1, NaN outside [0, 1].
double normal_quantile(double p);

// Of chi-square with n degrees of freedom, and of F with n and m, by the approximations of Wilson
// and Hilferty (1931) and Paulson (1942): the cube root of chi-square / n is nearly normal. Within
// 3 % at p = 0.95 and n >= 1, m >= 4 n.
double chi_square_quantile(double p, double n);
double f_quantile(double p, double n, double m);

// Definition 7 of Hyndman and Fan (1996), the default of R: linear between order statistics, the
// k-th of n (from 0) at p = k / (n - 1). NaN for no values, a NaN among them, or p outside [0, 1].
double quantile(Vector x, double p);

}  // namespace ravi
