// The stopping rules of --method paper.
#include "algorithm/paper/stops.hpp"

#include <array>

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

}  // namespace ravi
