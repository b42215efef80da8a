// What searches and chains hand back.
#include "algorithm/judge/run.hpp"

#include <algorithm>
#include <iterator>

namespace ravi {

void RunReport::add(const RunReport& later) {
  if (!breakdown) breakdown = later.breakdown;
  evaluations += later.evaluations;
  failed_draws += later.failed_draws;
  if (first_failure.size() == 0) first_failure = later.first_failure;
  interrupted = interrupted || later.interrupted;
  iteration += later.iteration;
  std::ranges::copy(later.search_elbo, std::back_inserter(search_elbo));
  std::ranges::copy(later.chain_elbo, std::back_inserter(chain_elbo));
}

void average_what_was_kept(ChainRun& run, const Iterates& iterates, const Options& options) {
  if (iterates.kept() == 0) {
    run.average = iterates.last_window_average();
    return;
  }
  run.average = iterates.average();
  run.precision = iterate_precision(iterates, options.threads);
  run.rhat = largest(run.precision.rhat);
  run.stationary = run.rhat.value < run.limits.rhat;
}

}  // namespace ravi
