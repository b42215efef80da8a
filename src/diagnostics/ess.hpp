// Effective sample size: how many independent draws the autocorrelated ones are worth.
#pragma once

#include "ravi/types.hpp"

namespace ravi {

// Draws are iterations x chains, chains are split in halves first unless said otherwise. Vehtari et
// al. (2021): autocorrelations combined over the chains, truncated by Geyer's (1992) initial
// positive and made monotone by his initial monotone sequence. The result is at most n log10(n)
// for n draws in all. NaN when all draws are equal, one is not finite, or a (half) chain has fewer
// than three.
double ess_basic(const ConstMatrixRef& draws, bool split = true);

double ess_mean(const ConstMatrixRef& draws);                // of the mean: ess_basic, split
double ess_bulk(const ConstMatrixRef& draws);                // of the mean of the normal scores
double ess_quantile(const ConstMatrixRef& draws, double p);  // of the mean of 1{x <= p-quantile}
double ess_median(const ConstMatrixRef& draws);              // p = 0.5
double ess_tail(const ConstMatrixRef& draws);  // smaller of p = 0.05 and 0.95; NaN if either is
double ess_sd(const ConstMatrixRef& draws);    // of the mean of |x - mean|

}  // namespace ravi
