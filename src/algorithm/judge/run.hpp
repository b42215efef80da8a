// What searches and chains hand back, of whatever kind they are: what went on, and what came out.
#pragma once

#include <optional>

#include "algorithm/judge/precision.hpp"
#include "iterates/iterates.hpp"
#include "limits/limits.hpp"
#include "ravi/fit.hpp"

namespace ravi {

// Why a chain cannot go on.
struct Breakdown {
  FindingCode code{};  // iterates_diverged or density_not_computable
  Index chain = 0;
  long iteration = 0;
};

// What went on.
struct RunReport {
  std::optional<Breakdown> breakdown = {};
  std::int64_t evaluations = 0, failed_draws = 0;
  std::int64_t of_searches = 0;  // among the evaluations
  Vector first_failure = {};     // a draw to ask the model about
  bool interrupted = false;
  long iteration = 0;  // of every chain
  std::vector<ElboTrace> search_elbo = {}, chain_elbo = {};

  // What went on after it, in the same fit.
  void add(const RunReport& later);
};

// What came out of chains.
struct ChainRun {
  explicit ChainRun(const Limits& of_method) : limits(of_method) {}

  Termination termination = Termination::max_iterations;
  long averaging_started_at = -1;                      // T_0
  Limits limits;                                       // tau and e, or what becomes of them
  double tail_index_limit = limit(Limit::tail_index);  // likewise
  bool stationary = false;                             // max R-hat is below it, and nothing drifts
  bool exact = false;               // the iterates stay where they are but for rounding
  std::vector<Vector> points = {};  // one per chain, of chains that were at rest
  Largest rhat;                     // over the last window, or over the averaged iterates
  double error = kUnknown;          // as in Fit
  IteratePrecision precision;       // of the averaged iterates; empty when averaging never began
  Vector average;                   // lambda-bar over all chains; empty when there is none
};

// For rules without an R-hat gate of their own: the average of what was kept, with its R-hat and
// its precision.
void average_what_was_kept(ChainRun& run, const Iterates& iterates, const Options& options);

}  // namespace ravi
