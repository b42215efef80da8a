// Estimates from weighted draws, and draws resampled by weight.
#pragma once

#include <vector>

#include "core/rng.hpp"
#include "ravi/types.hpp"

namespace ravi {

// Weights are not negative and sum to one. A draw of weight zero counts for nothing, whatever its
// value, NaN included. Without draws, or with NaN weights, everything is NaN.

double weighted_mean(const ConstVectorRef& x, const ConstVectorRef& weights);

// sqrt(sum w (x - mean)^2), without a correction for the estimated mean.
double weighted_sd(const ConstVectorRef& x, const ConstVectorRef& weights);

// Posterior estimates of one quantity, each with its Monte Carlo standard error.
struct WeightedEstimates {
  double mean, sd, q5, q50, q95;
  double mcse_mean, mcse_sd, mcse_q5, mcse_q50, mcse_q95;
};

// Draws come in groups of that many consecutive ones that depend on each other, such as antithetic
// pairs. An estimate with influence function h has variance sum_groups (sum w h)^2, with h = x - m
// for the mean m, ((x - m)^2 - v) / (2 sd) for the sd, and 1{x <= q} - p for the level of a
// quantile, whose error is half the distance between the quantiles at p plus and minus that much.
WeightedEstimates weighted_estimates(const ConstVectorRef& x, const ConstVectorRef& weights,
                                     Index group);

// The same, where x has a known normal distribution under weights `of_q` that the same draws have:
// each estimate may be what is known plus the difference of the two weighted estimates, whose noise
// cancels where the weights are alike (a control variate), if its standard error is smaller so.
struct KnownNormal {
  double mean, sd;
};
WeightedEstimates weighted_estimates(const ConstVectorRef& x, const ConstVectorRef& weights,
                                     Index group, const ConstVectorRef& of_q,
                                     const KnownNormal& known);

// The estimates of a normal distribution itself, without error.
WeightedEstimates estimates_of(const KnownNormal& known);

// The inverse of the weighted distribution function, interpolated: in ascending order, draw i
// stands at the middle of its step, C_i - w_i / 2 with C_i the cumulative weight; the quantile is
// linear between two such points and constant beyond the first and last. With equal weights this
// is definition 5 of Hyndman and Fan (1996). Probabilities in any order.
Vector weighted_quantiles(const ConstVectorRef& x, const ConstVectorRef& weights,
                          const std::vector<double>& probabilities);

// Places of `count` draws chosen by weight, with repetitions. The log weights need not be
// normalized. Stratified: one draw from each of `count` equal slices of the cumulative weight, in
// random order. Never more variable than independent draws (Douc and Cappe 2005). Throws UsageError
// when a log weight is NaN or +inf, or when no draw has positive weight.
std::vector<Index> resample_with_replacement(const ConstVectorRef& log_weights, Index count,
                                             RandomStream& stream);

}  // namespace ravi
