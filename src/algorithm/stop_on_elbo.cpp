// --stop delta-elbo: the rule Algorithm 1 is compared with, which watches the objective alone.
#include <cmath>

#include "algorithm/search.hpp"
#include "core/numeric.hpp"

namespace ravi {
namespace {

double relative_change(double now, double before) { return std::abs((now - before) / before); }

}  // namespace

// Kucukelbir et al. (2017), section 2.6: stop when the relative change of the ELBO, here from one
// window of W estimates to the next, is below epsilon, for its mean or for its median. The second
// half of the run is averaged, since nothing tells where the transient ends.
Search stop_on_elbo(Chains& chains, const Options& options, Monitor& monitor) {
  Iterates& iterates = chains.iterates();
  iterates.start_keeping();
  Search search(limits_of_one(options));
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
    search.rhat = window_rhat(iterates, options.threads);
    mean_before = mean_now;
    median_before = median_now;
    monitor.report(chains, search.rhat, search.precision);
  }
  search.termination =
      cut_short(chains).value_or(settled ? Termination::elbo_settled : Termination::max_iterations);
  search.averaging_started_at = chains.iteration() - iterates.forget_first_half();
  average_what_was_kept(search, iterates, options);
  return search;
}

}  // namespace ravi
