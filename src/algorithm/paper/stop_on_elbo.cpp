// --stop delta-elbo: the rule Algorithm 1 is compared with, which watches the objective alone.
#include "algorithm/paper/rules.hpp"
#include "algorithm/paper/stops.hpp"
#include "core/registry.hpp"

namespace ravi {

// Stops when the ELBO hardly changes, by the rule that was asked for. Nothing tells where the
// transient ends, so that what is averaged is a choice as well.
ChainRun stop_on_elbo(Chains& chains, const Options& options, Monitor& monitor) {
  const ElboRuleEntry& rule = entry_of(elbo_rule_registry(), options.elbo_rule, "rule of the ELBO");
  const auto watch = rule.make(options.elbo_threshold, options.max_iterations);
  Iterates& iterates = chains.iterates();
  iterates.start_keeping();
  ChainRun run(limits_of_one(options));
  monitor.enter(Phase::searching, options.max_iterations, kIterations);
  long end = options.max_iterations;
  bool settled = false;
  while (chains.iteration() + options.window <= end) {
    if (!chains.advance(options.window)) break;
    const Judging judging(monitor);
    if (!settled && watch->settled(chains.window_elbo(), chains.iteration())) {
      settled = true;
      end = std::min(end, chains.iteration() + rule.more);
    }
    run.rhat = window_rhat(iterates, options.threads);
    chains.tell(monitor, run.rhat, run.precision);
  }
  run.termination = chains.cut_short().value_or(settled ? Termination::elbo_settled
                                                        : Termination::max_iterations);
  const ElboAverageEntry& average =
      entry_of(elbo_average_registry(), options.elbo_average, "average");
  run.averaging_started_at = chains.iteration() - average.forget(iterates, chains.iteration());
  average_what_was_kept(run, iterates, options);
  return run;
}

}  // namespace ravi
