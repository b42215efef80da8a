// Monte Carlo standard error of an estimate made from autocorrelated draws.
#pragma once

#include "ravi/types.hpp"

namespace ravi {

// Draws are iterations x chains. NaN where the effective sample size is.
double mcse_mean(const ConstMatrixRef& draws);  // sd / sqrt(ess_mean)

// First-order error propagation from the variance v to its root: with m_k the central moments,
// var(v) = (m_4 - m_2^2) / ess_mean of (x - mean)^2, and mcse^2 = var(v) / (4 m_2).
double mcse_sd(const ConstMatrixRef& draws);

// Half the distance between the order statistics at the 16 % and 84 % points of the Beta(s p + 1,
// s (1 - p) + 1) posterior of the quantile's level, s = ess_quantile (Vehtari et al. 2021).
double mcse_quantile(const ConstMatrixRef& draws, double p);
double mcse_median(const ConstMatrixRef& draws);

}  // namespace ravi
