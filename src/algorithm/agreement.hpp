// Whether the chains have come to the same answer, and if not, whether they are still on the way.
#pragma once

#include "algorithm/precision.hpp"
#include "family/approximation.hpp"

namespace ravi {

// Over the second half of what the blocks hold. Distances are symmetrized Kullback-Leibler
// divergences between the q of averaged lambdas.
struct Agreement {
  Largest rhat;                       // split R-hat; unknown when there is too little to tell
  double between = 0;                 // largest distance between two chains
  double drift = 0;                   // largest distance between the halves of one chain
  std::vector<Vector> chain_average;  // lambda-bar of each chain on its own

  // Different answers, whose mean would be one that no chain gave: told apart by R-hat; by more
  // than a standard deviation (two unit normals at distance 1 have a symmetrized divergence of 1);
  // and by more than sampling noise, which makes drift about twice as large as between, because a
  // half averages over half as many iterates.
  bool apart(double rhat_threshold) const {
    return rhat.value >= rhat_threshold && between > 1 && between > drift;
  }
  // Apart for good, not on the way to each other: chains in different modes are more than 100 times
  // their drift apart (tests/statistics/agreement_test.cpp), so the limit is not a delicate one.
  bool settled_apart(double rhat_threshold) const {
    return apart(rhat_threshold) && between > 5 * drift;
  }
};

Agreement compare_chains(const Iterates& iterates, const Approximation& prototype);

}  // namespace ravi
