// --method robust: search from several starts, weigh the optima, average around the best.
#include "algorithm/robust/robust.hpp"

#include <algorithm>

#include "algorithm/robust/averaging.hpp"
#include "algorithm/robust/few_rows.hpp"
#include "algorithm/robust/first_order.hpp"
#include "algorithm/robust/optima.hpp"
#include "algorithm/robust/second_order.hpp"
#include "core/registry.hpp"
#include "limits/limits.hpp"
#include "options/usual.hpp"

namespace ravi {
namespace {

// A step's regression on P coefficients takes P^3 operations. So does a first-order step of a
// family with any L, of which there are far more; but one of a diagonal L takes P.
bool second_order_applies(const Options& options, Index dimension) {
  return entry_of(family_registry(), options.family, "family").closed ||
         dimension <= count(Limit::dense_coordinates);
}

// The noise of a mini-batch's E, about (P / |S|)^(1/2), makes averages wider than the best q. In a
// regression with 60 coefficients that was an error of 0.12 sds with 4 rows for each, of which the
// iterates show nothing, and of 0.02 with 16 (tests/algorithm/mini_batches_test.cpp holds us to
// it).
Index rows_for_regression(Index asked, Index dimension, Index all) {
  if (asked == 0) return 0;
  const Index needed = std::max(asked, count(Limit::rows_per_coordinate) * dimension);
  return needed < all ? needed : 0;
}

// What second-order steps cannot do: thousands of coordinates, densities that can be computed in
// too few places.
Fit fit_by_first_order(const Model& given, const Options& options, const Observer& observer,
                       const Reference* reference, const Stopwatch& stopwatch = {},
                       RunReport report = {}) {
  const auto q = entry_of(family_registry(), options.family, "family").make(given.dimension());
  Monitor monitor(observer, *q, limits_of_worst(options, q->size()), given.unconstrained_names(),
                  stopwatch);
  const Model& model = monitor.watch(given);
  Options with_rule = options;
  with_rule.optimizer = "adam";
  Chains chains(model, with_rule, *q, observer.stop_requested);
  FirstOrder steps(chains, *q, options);
  const ChainRun run = Averaging(steps, *q, options, monitor).run();
  report.add(chains.report());
  return conclude({.report = report,
                   .run = run,
                   .iterates = chains.iterates(),
                   .last_lambda = chains.lambda(0),
                   .last_iterate = Outcome::LastIterate::shown,
                   .poor_weights = Outcome::PoorWeights::made_up_for},
                  model, *q, options, monitor, reference);
}

}  // namespace

Options options_of_robust(const Options& given, Index dimension) {
  const bool regression = second_order_applies(given, dimension);
  return {.step_size = 0.8,
          .draws = regression ? static_cast<int>(draws_for_regression(dimension)) : 10,
          .chains = kUsualChains,
          .window = regression ? 5 : 10,
          .rhat_threshold = kUsualRhat,
          .tolerance = 0.1,
          .ess_threshold = kUsualEss,
          // Of first-order steps, to which a fit may turn as well.
          .max_iterations = 100000};
}

Fit fit_robustly(const Model& unwatched, const Options& given, const Observer& observer,
                 const Reference* reference) {
  if (!second_order_applies(given, unwatched.dimension())) {
    return fit_by_first_order(unwatched, given, observer, reference);
  }
  Options options = given;
  const Index p = unwatched.dimension();
  options.draws = std::max(given.draws, static_cast<int>(draws_for_regression(p)));
  options.minibatch = static_cast<int>(rows_for_regression(given.minibatch, p, rows_of(unwatched)));
  const auto q = entry_of(family_registry(), options.family, "family").make(p)->averageable();
  Monitor monitor(observer, *q, limits_of_worst(options, q->size()),
                  unwatched.unconstrained_names());
  const Model& model = monitor.watch(unwatched);

  // Search: from every start to the Gaussian nearest to the posterior around it.
  monitor.enter(Phase::searching, starts_of(options), "starts");
  FewRows rows(model, options);
  SearchResults searches =
      search_all(rows.model(), *q, options, observer.stop_requested, [&] { monitor.count_one(); });
  rows.move_to_all(searches, options, observer.stop_requested);
  RunReport report{.evaluations = searches.evaluations,
                   .failed_draws = searches.failed,
                   .of_searches = searches.evaluations,
                   .first_failure = searches.first_failure,
                   .search_elbo = searches.elbo};
  if (searches.found.empty()) {
    return fit_by_first_order(unwatched, options, observer, reference, monitor.stopwatch(), report);
  }

  // Modes: optima that hold almost none of the mass are left.
  std::vector<Finding> findings;
  std::vector<Mode> modes = find_modes(searches);
  const double dropped = drop_minor_modes(model, options, modes);
  if (dropped > 0) findings.push_back({FindingCode::minor_modes, dropped});

  // Average: around the optima that remain, until the average is precise; with a chain for each,
  // but no more than there were first starts.
  const Index of_modes = std::min(std::ssize(modes), starts_of(given));
  options.chains = std::max(options.chains, static_cast<int>(of_modes));
  const std::vector<const Search*> starts = starts_of_chains(modes, options.chains);
  SecondOrder steps(model, *q, options, observer, starts);
  const ChainRun run = Averaging(steps, *q, options, monitor).run();
  report.add(steps.report());
  Outcome outcome{.report = report,
                  .run = run,
                  .iterates = steps.iterates(),
                  .last_lambda = steps.lambda(0),
                  .last_iterate = Outcome::LastIterate::shown,
                  .poor_weights = Outcome::PoorWeights::made_up_for,
                  .findings = findings};
  for (const Mode& mode : modes) {
    Optimum optimum{.q = mode.q.get(), .seen = mode.seen};
    for (std::size_t j = 0; j < starts.size(); ++j) {
      if (std::ranges::find(mode.searches, starts[j]) != mode.searches.end())
        optimum.chains.push_back(j);
    }
    outcome.optima.push_back(std::move(optimum));
  }
  const auto lost = left_behind(model, searches, options);
  for (const auto& other : lost) outcome.optima.push_back({other.get()});
  outcome.search_further = [&](const Vector& start) {
    return search_further(start, model, searches, options, observer.stop_requested);
  };
  return conclude(outcome, model, *q, options, monitor, reference);
}

}  // namespace ravi
