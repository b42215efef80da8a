// --stop fixed: T iterations, of which the second half is averaged.
#include <algorithm>

#include "algorithm/paper/stops.hpp"

namespace ravi {

ChainRun stop_after_iterations(Chains& chains, const Options& options, Monitor& monitor) {
  Iterates& iterates = chains.iterates();
  ChainRun run(limits_of_one(options));
  const auto run_until = [&](long end, Phase phase) {
    monitor.enter(phase, end, kIterations, chains.iteration());
    while (chains.iteration() < end) {
      const long n = std::min<long>(options.window, end - chains.iteration());
      if (!chains.advance(n)) return;
      const Judging judging(monitor);
      run.rhat = window_rhat(iterates, options.threads);
      chains.tell(monitor, run.rhat, run.precision);
    }
  };
  const long half = options.max_iterations / 2;
  run_until(half, Phase::searching);
  if (chains.iteration() == half) {
    run.averaging_started_at = half;
    iterates.start_keeping();
    run_until(options.max_iterations, Phase::averaging);
  }
  run.termination = chains.cut_short().value_or(Termination::iterations_done);
  average_what_was_kept(run, iterates, options);
  return run;
}

}  // namespace ravi
