// The stopping rules to choose from, and what they share.
#include "algorithm/search.hpp"

#include <array>

#include "core/parallel.hpp"

namespace ravi {
namespace {

constexpr std::array kStops = {
    StopEntry{"mcse", "the paper's Algorithm 1: R-hat starts the average, MCSE and ESS end it",
              algorithm1},
    StopEntry{"delta-elbo", "when the ELBO hardly changes; averages the second half", stop_on_elbo},
    StopEntry{"fixed", "after T_max iterations; averages the second half", stop_after_iterations},
};

}  // namespace

std::span<const StopEntry> stop_registry() { return kStops; }

std::optional<Termination> cut_short(const Chains& chains) {
  if (chains.breakdown()) return Termination::diverged;
  if (chains.interrupted()) return Termination::interrupted;
  return std::nullopt;
}

void average_what_was_kept(Search& search, const Iterates& iterates, const Options& options) {
  if (iterates.kept() == 0) {
    search.average = iterates.last_window_average();
    return;
  }
  search.average = iterates.average();
  search.precision = iterate_precision(iterates, options.threads);
  search.rhat = largest(search.precision.rhat);
  search.stationary = search.rhat.value < search.limits.rhat;
}

}  // namespace ravi
