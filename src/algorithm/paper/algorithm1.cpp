// Algorithm 1 of Dhaka et al. (2020): optimize until the chains agree, then average until precise.
#include "algorithm/paper/stops.hpp"

namespace ravi {

// Line numbers are those of the paper. Line 9 is read as it must have been meant: it warns when
// max R-hat >= tau, and the tail index of the iterates is that of the iterates averaged, so it is
// known at the end. The warnings themselves are findings, written by fit().
ChainRun algorithm1(Chains& chains, const Options& options, Monitor& monitor) {
  const Index window = options.window;  // W
  const auto time_left = [&] { return chains.iteration() + window <= options.max_iterations; };
  Iterates& iterates = chains.iterates();
  ChainRun run(limits_of_one(options));
  const auto begin = [&](Phase phase) {
    monitor.enter(phase, options.max_iterations, kIterations, chains.iteration());
  };
  begin(Phase::searching);

  // Lines 2-8: optimize until R-hat of every component, over the last W iterates, is below tau.
  while (!run.stationary && time_left()) {
    if (!chains.advance(window)) break;  // line 3
    const Judging judging(monitor);
    run.rhat = window_rhat(iterates, options.threads);         // line 5
    run.stationary = run.rhat.value < options.rhat_threshold;  // line 6
    chains.tell(monitor, run.rhat, run.precision);
  }

  // Lines 9-11: no stationarity before T_max; the average is that of the last W iterates.
  if (!run.stationary) {
    run.termination = chains.cut_short().value_or(Termination::max_iterations);
    run.average = iterates.last_window_average();
    return run;
  }

  // Line 7: T_0 <- t. Lines 13-16: average until the average is known to within epsilon.
  run.averaging_started_at = chains.iteration();
  begin(Phase::averaging);
  iterates.start_keeping();
  PrecisionCheck precision(options);
  bool precise = false;
  while (!precise && time_left()) {
    if (!chains.advance(window)) break;  // line 14
    const Judging judging(monitor);
    precise = precision.passes(iterates);  // line 15
    chains.tell(monitor, run.rhat, precision.last());
  }

  // Line 17: the average of the last t - T_0 iterates of all chains.
  run.termination =
      chains.cut_short().value_or(precise ? Termination::converged : Termination::max_iterations);
  run.average = iterates.average();
  run.precision = precise ? precision.last() : iterate_precision(iterates, options.threads);
  return run;
}

}  // namespace ravi
