// How precisely the average of the iterates is known: MCSE, ESS, and the tails of the iterates.
#pragma once

#include <span>

#include "iterates/history.hpp"
#include "ravi/fit.hpp"

namespace ravi {

// The largest of K numbers and where it is.
struct Largest {
  double value = kUnknown;
  Index component = -1;
};

// A component that never moved has no R-hat and is no obstacle: NaN is passed over. Inf is not.
Largest largest(const Vector& values);

// What the largest R-hat and the smallest effective sample size must pass.
struct Limits {
  double rhat, ess;
};

// tau and e as they are, which is Algorithm 1.
Limits limits_of_one(const Options& options);

// tau and e as they are meant for one component, for the worst of K. By chance alone R-hat^2 - 1
// and 1 / ESS of J chains in halves are about proportional to a chi-square variable with 2J - 1
// degrees of freedom, the estimated variance of the chains' means, and the largest of K such is
// larger. The limits for K components are those that noise passes as seldom as tau and e for one:
// R-hat^2 - 1 < (tau^2 - 1) c and ESS > e / c with c = q(1 - a/K) / q(1 - a), q the quantiles and
// a = 0.05.
Limits limits_of_worst(const Options& options, Index components);

inline constexpr std::string_view kMedian = "median";  // of --ess-over; the smallest otherwise

struct IteratePrecision {
  double mcse_median = kUnknown, mcse_max = kUnknown;
  double ess_min = kUnknown;
  Index ess_component = -1;               // where the ESS is smallest
  Vector rhat = {}, ess = {}, mcse = {};  // of every component
};

// MCSE(lambda_i) = (Var(lambda_i) / ESS(lambda_i))^(1/2), ESS by Vehtari et al. (2021): Geyer's
// pairs over all chains, for each of the K components, over the iterates kept since T_0. From the
// raw ones where these are few, else from the means of blocks, whose variance over their own ESS is
// that of the average (Geyer 1992, section 3.2). Split R-hat likewise.
IteratePrecision iterate_precision(const Iterates& iterates, int threads);

struct ComponentPrecision {
  double ess, mcse;
};
ComponentPrecision precision_from_raw(const Matrix& draws);
ComponentPrecision precision_from_blocks(const Iterates& iterates, Index component,
                                         double variance);

// Line 15 of Algorithm 1, "MCSE < epsilon and ESS > e": the median MCSE over all components, and
// the smallest ESS of all, or the median one, of locations and of scales; both by Geyer's pairs of
// what is averaged, or the MCSE of all that the chains have done, and the ESS since T_0 in the same
// way. Where every ESS must pass, the component that was worst last time is looked at first, and
// the rest only when it passes: the decision is the same, at 1/K of the cost.
class PrecisionCheck {
 public:
  // So many components, the first ones, are locations. The options are those of the paper's
  // methods, filled in; the histories, of all and since T_0, must outlive the check.
  struct Histories {
    const History *all = nullptr, *since = nullptr;
  };
  PrecisionCheck(const Options& options, Index locations)
      : PrecisionCheck(options, locations, {}) {}
  PrecisionCheck(const Options& options, Index locations, Histories histories)
      : options_(options), locations_(locations), histories_(histories) {}
  bool passes(const Iterates& iterates);
  const IteratePrecision& last() const { return last_; }

 private:
  bool all_decide() const;
  double threshold(Index component) const;
  bool effective_enough() const;

  const Options& options_;
  Index locations_;
  Histories histories_;
  IteratePrecision last_;
};

// R-hat (unsplit) of every component, each block taken for a chain; all must be of one length.
Vector rhat_of_blocks(std::span<const Block> blocks, int threads = 1);

// The largest split R-hat over all components, of the last W iterates.
Largest window_rhat(const Iterates& iterates, int threads = 1);

// The same for the tail index: fitted to a tail of m draws it has a standard error of about
// (1 + k) / sqrt(m), and the largest of 2K is the one that is looked at; of correlated draws there
// are effectively fewer.
double tail_index_limit(const Iterates& iterates, double ess);

// The larger tail index of both tails of every component, iterates kept since T_0, all chains
// pooled; empty when none were kept.
Vector kept_tail_indices(const Iterates& iterates, int threads);

// The components most in doubt: a few each with the largest R-hat, the fewest effective iterates
// and the longest tails, without names.
struct DoubtfulComponent {
  Index component;
  Component record;
};
std::vector<DoubtfulComponent> doubtful_components(const Iterates& iterates,
                                                   const IteratePrecision& precision,
                                                   const Vector& tail_indices, int threads);

}  // namespace ravi
