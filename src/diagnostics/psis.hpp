// Pareto smoothed importance sampling: weights with a tamed tail, and whether they can be trusted.
#pragma once

#include "ravi/types.hpp"

namespace ravi {

struct Psis {
  Vector log_weights;     // smoothed, in the order and with the offset of the log ratios
  double khat;            // shape of the tail of the raw weights; +inf: it could not be fitted
  double ess;             // r_eff / sum of squared normalized weights
  Index tail_length = 0;  // how many of the largest weights count as the tail
};

// Vehtari et al. (2024). The tail_length largest ratios are replaced by quantiles of the fitted
// distribution, none above the largest raw ratio. r_eff is the efficiency of the draws relative to
// independent ones.
//
// A ratio of -inf is a weight of zero: it stays one and is never part of the tail, which is
// shortened if there are too few others. A tail of fewer than five, or of equal values, is left as
// it is and khat is +inf; this includes ratios that are all equal, the best case there is, so a
// caller to whom that can happen looks at the range of the ratios first. Without a single positive
// weight, or with a ratio that is NaN or +inf, khat is +inf and ess 0; in the latter case all log
// weights are NaN.
Psis psis(const ConstVectorRef& log_ratios, double r_eff = 1);

// Shifted so that exp() sums to one; all NaN when no weight is positive.
Vector normalize_log_weights(const ConstVectorRef& log_weights);

}  // namespace ravi
