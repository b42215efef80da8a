// Whether the chains have come to the same answer, and if not, whether they are still on the way.
#pragma once

#include <optional>

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

// Of every stride-th, from the first on.
Vector mean_of(const std::vector<Vector>& lambdas, std::size_t first = 0, std::size_t stride = 1);

// What the run is compared in: so many parts per chain. Parts of one chain that may know of each
// other are fewer than they seem; chains know nothing of each other, so that their averages tell as
// well, however slowly each of them moves.
struct Parts {
  Index per_chain = 4;  // long ones, so that one hardly knows of the next
  bool correlated = false;
};

// How far the average of the kept iterates is from what it estimates, as KL(average || that), from
// how much B averages over parts of the run differ: sum_b KL(q_b || q) / (B (B - 1)). That is right
// on average; the limit is what the distance is below with a confidence of 95 %, taken for a sum of
// squares with as many degrees of freedom as the differences between parts show. Infinite when
// there is too little to tell.
struct KlHat {
  double value = std::numeric_limits<double>::infinity();
  double limit = std::numeric_limits<double>::infinity();
  // KL(first half || second half) in units of what it is on average when there is only noise, 4
  // KL-hat. Beyond the limit there is a transient among the iterates, or a slow drift.
  double drift = 0;
  double correlation = 1;  // of a part with the next, where they may be correlated

  bool drifting() const;
  bool steady() const;  // nor do parts know much of each other, as those that are too short do
};
// Of the average of one chain, or of all.
KlHat kl_hat(const Iterates& iterates, const Approximation& prototype, Parts in = {},
             std::optional<Index> chain = {});
// The worse of each.
KlHat worse(const KlHat& a, const KlHat& b);

// That as a distance a reader can picture: q is as far off as if it were shifted by so many of its
// standard deviations, per 50 parameters where there are more of them; and back.
double error_in_sds(double kl, Index dimension);
double kl_of_error(double sds, Index dimension);

Agreement compare_chains(const Iterates& iterates, const Approximation& prototype);
// Of chains that rest at one point each: they have no drift, and any difference tells them apart.
Agreement compare_points(std::vector<Vector> of_chains, const Approximation& prototype);

}  // namespace ravi
