// --stop fixed: T iterations, of which the second half is averaged.
#include <algorithm>

#include "algorithm/search.hpp"

namespace ravi {

Search stop_after_iterations(Chains& chains, const Options& options, Monitor& monitor) {
  Iterates& iterates = chains.iterates();
  Search search(limits_of_one(options));
  const auto run_until = [&](long end, Phase phase) {
    monitor.enter(phase, end, kIterations, chains.iteration());
    while (chains.iteration() < end) {
      const long n = std::min<long>(options.window, end - chains.iteration());
      if (!chains.advance(n)) return;
      const Judging judging(monitor);
      search.rhat = window_rhat(iterates, options.threads);
      monitor.report(chains, search.rhat, search.precision);
    }
  };
  const long half = options.max_iterations / 2;
  run_until(half, Phase::searching);
  if (chains.iteration() == half) {
    search.averaging_started_at = half;
    iterates.start_keeping();
    run_until(options.max_iterations, Phase::averaging);
  }
  search.termination = cut_short(chains).value_or(Termination::iterations_done);
  average_what_was_kept(search, iterates, options);
  return search;
}

}  // namespace ravi
