// --stop delta-elbo: the rule Algorithm 1 is compared with, which watches the objective alone.
#include <cmath>

#include "algorithm/paper/stops.hpp"
#include "core/numeric.hpp"

namespace ravi {
namespace {

double relative_change(double now, double before) { return std::abs((now - before) / before); }

}  // namespace

// Kucukelbir et al. (2017), section 2.6: stop when the relative change of the ELBO, here from one
// window of W estimates to the next, is below epsilon, for its mean or for its median. The second
// half of the run is averaged, since nothing tells where the transient ends.
ChainRun stop_on_elbo(Chains& chains, const Options& options, Monitor& monitor) {
  Iterates& iterates = chains.iterates();
  iterates.start_keeping();
  ChainRun run(limits_of_one(options));
  monitor.enter(Phase::searching, options.max_iterations, kIterations);
  bool settled = false;
  double mean_before = kUnknown, median_before = kUnknown;
  while (!settled && chains.iteration() + options.window <= options.max_iterations) {
    if (!chains.advance(options.window)) break;
    const Judging judging(monitor);
    const double mean_now = mean(chains.window_elbo());
    const double median_now = median(chains.window_elbo());
    settled = relative_change(mean_now, mean_before) < options.elbo_threshold ||
              relative_change(median_now, median_before) < options.elbo_threshold;
    run.rhat = window_rhat(iterates, options.threads);
    mean_before = mean_now;
    median_before = median_now;
    chains.tell(monitor, run.rhat, run.precision);
  }
  run.termination = chains.cut_short().value_or(settled ? Termination::elbo_settled
                                                        : Termination::max_iterations);
  run.averaging_started_at = chains.iteration() - iterates.forget_first_half();
  average_what_was_kept(run, iterates, options);
  return run;
}

}  // namespace ravi
