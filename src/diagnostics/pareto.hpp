// The generalized Pareto distribution: fit to the excesses over a threshold, and quantiles.
#pragma once

#include "ravi/types.hpp"

namespace ravi {

// P(X <= x) = 1 - (1 + k x / sigma)^(-1/k): moments of order below 1/k are finite.
struct GpdFit {
  double k, sigma;
};

// Zhang and Stephens (2009), with 30 + floor(sqrt(n)) grid points. The weak prior pulls k towards
// 1/2 with the weight of ten observations: (n k + 5) / (n + 10); sigma is left alone.
// No fit, k = +inf and sigma NaN: no values, one of them not finite or negative, or a first
// quartile of zero.
GpdFit fit_gpd(const ConstVectorRef& ascending_excesses, bool weak_prior = true);

// sigma ((1 - p)^-k - 1) / k; NaN unless sigma > 0.
double gpd_quantile(double p, const GpdFit& gpd);

// How many of n draws count as the tail: ceil(min(0.2 n, 3 sqrt(n / r_eff))) (Vehtari et al. 2024).
Index tail_length(Index n, double r_eff = 1);

// Tails shorter than this are not fitted.
inline constexpr Index kShortestTail = 5;

}  // namespace ravi
