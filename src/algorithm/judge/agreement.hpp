// Whether the chains have come to the same answer, and if not, whether they are still on the way.
#pragma once

#include "algorithm/judge/precision.hpp"
#include "family/approximation.hpp"

namespace ravi {

// Whether two q are so near that they are one optimum.
bool same_optimum(const Approximation& a, const Approximation& b);

// Over the second half of what the blocks hold. Distances are symmetrized Kullback-Leibler
// divergences between the q of averaged lambdas.
struct Agreement {
  Largest rhat;                       // split R-hat; unknown when there is too little to tell
  double between = 0;                 // largest distance between two chains
  double drift = 0;                   // largest distance between the halves of one chain
  std::vector<Vector> chain_average;  // lambda-bar of each chain on its own
  std::vector<int> mode_of_chain;     // from 1: chains at the same optimum share one

  // Different answers, whose mean would be one that no chain gave: told apart by R-hat; not the
  // same optimum; and further apart than by sampling noise, which makes drift about twice as large
  // as between, because a half averages over half as many iterates.
  bool apart(double rhat_threshold) const;
  // Apart for good, not on the way to each other.
  bool settled_apart(double rhat_threshold) const;
};

// How far the average of the kept iterates is from what it estimates, as KL(average || that), from
// how much B averages over parts of the run differ: sum_b KL(q_b || q) / (B (B - 1)). That is right
// on average; the limit is what the distance is below with a confidence of 95 %, taken for a sum of
// squares with as many degrees of freedom as the differences between parts show. Infinite when
// there is too little to tell.
struct KlHat {
  double value = std::numeric_limits<double>::infinity();
  double limit = std::numeric_limits<double>::infinity();
};
KlHat kl_hat(const Iterates& iterates, const Approximation& prototype);
// That limit, of a KL-hat from the divergences of B parts to their average.
double kl_limit(double kl_hat, const Vector& of_parts);

// That as a distance a reader can picture: q is as far off as if it were shifted by so many of its
// standard deviations, per 50 parameters where there are more of them.
double error_in_sds(double kl, Index dimension);

// The halves of the kept iterates differ by more than sampling noise, of which their KL divergence
// has 4 kl_hat on average: there is a transient among them, or a slow drift.
bool drifting(const Iterates& iterates, const Approximation& prototype, double kl_hat);

Agreement compare_chains(const Iterates& iterates, const Approximation& prototype);

}  // namespace ravi
