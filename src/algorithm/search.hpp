// What every way of running the chains hands back, and the stopping rules to choose from.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "algorithm/chains.hpp"
#include "algorithm/monitor.hpp"
#include "algorithm/precision.hpp"
#include "ravi/fit.hpp"

namespace ravi {

struct Search {
  explicit Search(const Limits& of_method) : limits(of_method) {}

  Termination termination = Termination::max_iterations;
  long averaging_started_at = -1;             // T_0
  Limits limits;                              // tau and e, or what becomes of them
  double tail_index_limit = kTailIndexLimit;  // likewise
  bool stationary = false;                    // max R-hat is below it
  bool exact = false;                         // the iterates stay where they are but for rounding
  Largest rhat;                               // over the last window, or over the averaged iterates
  double error = kUnknown;                    // as in Fit
  IteratePrecision precision;  // of the averaged iterates; empty when averaging never began
  Vector average;              // lambda-bar over all chains; empty when there is none
};

struct StopEntry {
  std::string_view name, description;
  Search (*run)(Chains& chains, const Options& options, Monitor& monitor);
};

std::span<const StopEntry> stop_registry();

// --stop mcse, delta-elbo and fixed.
Search algorithm1(Chains& chains, const Options& options, Monitor& monitor);
Search stop_on_elbo(Chains& chains, const Options& options, Monitor& monitor);
Search stop_after_iterations(Chains& chains, const Options& options, Monitor& monitor);

// How a search that could not go on ended; nothing when it could.
std::optional<Termination> cut_short(const Chains& chains);

// For rules without an R-hat gate of their own: the average of what was kept, with its R-hat and
// its precision.
void average_what_was_kept(Search& search, const Iterates& iterates, const Options& options);

}  // namespace ravi
