// Algorithm 1 of Dhaka et al. (2020): optimize until the chains agree, then average until precise.
#include "algorithm/paper/rules.hpp"
#include "algorithm/paper/stops.hpp"
#include "core/registry.hpp"

namespace ravi {

// Line numbers are those of the paper. Line 9 is read as it must have been meant: it warns when
// max R-hat >= tau, and the tail index of the iterates is that of the iterates averaged, so it is
// known at the end. The warnings themselves are findings, written by fit(). What lines 5, 6 and 15
// look at, and from when on, are rules that can be chosen (rules.hpp): as printed or, with --method
// authors, as the authors' code has them.
ChainRun algorithm1(Chains& chains, const Options& options, Monitor& monitor) {
  const Index window = options.window;  // W
  const auto time_left = [&] { return chains.iteration() + window <= options.max_iterations; };
  Iterates& iterates = chains.iterates();
  ChainRun run(limits_of_one(options));
  Gate gate(chains, options);
  const bool all = entry_of(mcse_over_registry(), options.mcse_over, "choice of iterates").history;
  std::vector<History> histories;  // of all, and since T_0
  const auto begin_history = [&] {
    if (all) histories.emplace_back(iterates.chains(), iterates.size());
  };
  begin_history();
  const auto advance = [&] {
    if (!chains.advance(window)) return false;
    for (History& history : histories) history.take_in(iterates, window, options.threads);
    return true;
  };
  const auto begin = [&](Phase phase) {
    monitor.enter(phase, options.max_iterations, kIterations, chains.iteration());
  };
  begin(Phase::searching);

  // Lines 2-8: optimize until R-hat of every component, over the last W iterates, is below tau.
  while (!run.stationary && time_left()) {
    if (!advance()) break;  // line 3
    const Judging judging(monitor);
    run.stationary = gate.passes();  // lines 5 and 6
    run.rhat = gate.rhat();
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
  begin_history();
  PrecisionCheck precision =
      all ? PrecisionCheck(options, chains.locations(), {&histories[0], &histories[1]})
          : PrecisionCheck(options, chains.locations());
  const auto long_enough = [&] {
    return chains.iteration() >= options.least_iterations &&
           chains.iteration() - run.averaging_started_at >= options.least_averaged;
  };
  bool precise = false;
  while (!precise && time_left()) {
    if (!advance()) break;  // line 14
    const Judging judging(monitor);
    precise = precision.passes(iterates) && long_enough();  // line 15
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
