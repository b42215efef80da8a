// --method paper: chains of a first-order optimizer under the stopping rule that was asked for.
#include "algorithm/paper/paper.hpp"

#include "algorithm/judge/conclude.hpp"
#include "algorithm/paper/stops.hpp"
#include "core/registry.hpp"

namespace ravi {

Options options_of_paper(const Options& /*given*/, Index /*dimension*/) {
  return {.stop = "mcse",
          .optimizer = "rmsprop",
          .step_size = 0.01,
          .draws = 10,
          .window = 100,
          .mcse_threshold = 0.02,
          .elbo_threshold = 0.01,
          .max_iterations = 15000};
}

Fit fit_as_in_paper(const Model& given, const Options& options, const Observer& observer,
                    const Reference* reference) {
  const auto q = entry_of(family_registry(), options.family, "family").make(given.dimension());
  Monitor monitor(observer, *q, limits_of_one(options), given.unconstrained_names());
  const Model& model = monitor.watch(given);
  Chains chains(model, options, *q, observer.stop_requested);
  const ChainRun run =
      entry_of(stop_registry(), options.stop, "stopping rule").run(chains, options, monitor);
  return conclude({chains.report(), run, chains.iterates(), chains.lambda(0)}, model, *q, options,
                  monitor, reference);
}

}  // namespace ravi
