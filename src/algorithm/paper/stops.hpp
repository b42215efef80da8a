// The stopping rules of --method paper.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "algorithm/chains/chains.hpp"
#include "algorithm/judge/monitor.hpp"

namespace ravi {

struct StopEntry {
  std::string_view name, description;
  ChainRun (*run)(Chains& chains, const Options& options, Monitor& monitor);
};

std::span<const StopEntry> stop_registry();

// --stop mcse, delta-elbo and fixed.
ChainRun algorithm1(Chains& chains, const Options& options, Monitor& monitor);
ChainRun stop_on_elbo(Chains& chains, const Options& options, Monitor& monitor);
ChainRun stop_after_iterations(Chains& chains, const Options& options, Monitor& monitor);

}  // namespace ravi
