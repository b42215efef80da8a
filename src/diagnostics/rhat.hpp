// R-hat: do the chains, and the halves of each chain, sample the same distribution?
#pragma once

#include <span>

#include "ravi/types.hpp"

namespace ravi {

// Draws are iterations x chains. Everywhere below: NaN when all draws are equal, when one is not
// finite, or when a (half) chain has fewer than two draws; +inf when every (half) chain is constant
// but not all at the same value.

// sqrt((B/W + n - 1) / n) with n iterations per chain, B = n var(chain means), W = mean variance
// within a chain (Gelman et al. 2013, eq. 11.4). Unsplit, a single chain gives NaN.
double rhat_basic(const ConstMatrixRef& draws, bool split = true);

// Vehtari et al. (2021): split R-hat of the normal scores of the draws (bulk), and of their
// distance from the median (tail); rhat() is the larger one, NaN if either is.
double rhat_bulk(const ConstMatrixRef& draws);
double rhat_tail(const ConstMatrixRef& draws);
double rhat(const ConstMatrixRef& draws);

// Nested R-hat (Margossian et al. 2024, section 3): of many chains that may be short, in
// superchains of those that began in the same place or near it, one after the other and all of
// about one size. sqrt(1 + B/W), B the variance of the means of superchains, W within one: of the
// means of its chains, and within a chain, where that has more than one draw. Where chains have
// forgotten where they began only noise is left, B/W = 1/M on average with M chains of one draw
// each. NaN as above, and for fewer than two superchains; +inf where nothing varies within any.
double rhat_nested_basic(const ConstMatrixRef& draws, Index superchains);
// Of the normal scores of the draws, and of their distance from the median; the larger one.
double rhat_nested(const ConstMatrixRef& draws, Index superchains);

// What the largest of so many nested R-hats exceeds only at that rate, of chains of one draw each,
// if without noise they were `tolerance` at the most: by the F distribution of M B/W.
double rhat_nested_limit(double tolerance, double rate, Index quantities, Index superchains,
                         Index chains);

// Of one chain, component by component: means, and sums of squared deviations from them.
struct ChainMoments {
  const Vector& mean;
  const Vector& squares;
};

// rhat_basic (unsplit) of each component when only the moments of chains of n iterations are known.
Vector rhat_of_moments(std::span<const ChainMoments> chains, Index n, int threads = 1);

}  // namespace ravi
