// Importance weights: smoothed, their sums, and what of those sums may be unseen.
#pragma once

#include "core/numeric.hpp"
#include "diagnostics/psis.hpp"
#include "ravi/fit.hpp"

namespace ravi {

// Whether they differ by no more than rounding: they are equal for every purpose then, and a tail
// fitted to them would be a tail of rounding errors.
bool constant(const Vector& log_ratios);

// psis(), but for those.
Psis smooth(const Vector& log_ratios);

struct Weights {
  Vector log_normalized = {};
  double ess = 0, log_mean = 0;
  double unseen = kUnknown;  // the share of their sum that may be
};
Weights weights_of(const Vector& log_ratios);

// exp(-sum_i w_i log w_i) / S. Unlike the effective sample size, which rests on the largest
// weights, it hardly varies from one batch to the next.
double perplexity(const Vector& log_weights);

// k-hat of every whole batch; of all where there is not one.
Vector khats_of(const Vector& log_ratios, Index batch);

// The terms w (x - m)^2 that make up a variance have a longer tail, often of a shape near 1, where
// the mean beyond the largest jumps from large to infinite and its estimate with it. What B S draws
// would add to the sum of S has no jump: t (B^(k-1) - 1) / (k - 1), t log(B) at k = 1. A variance
// that rests on a few draws shows here.
struct Unseen {
  double share = 0, khat = 0;
};

Unseen unseen_variance(const Vector& x, const Vector& weights);

}  // namespace ravi
