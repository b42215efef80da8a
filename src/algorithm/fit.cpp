// fit(): checks the request, then hands it to the method that was asked for.
#include "ravi/fit.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>

#include "algorithm/methods.hpp"
#include "algorithm/score.hpp"
#include "algorithm/validate.hpp"
#include "core/registry.hpp"

namespace ravi {
namespace {

// A model without parameters has no posterior; what is left is to draw its quantities.
Fit draw_quantities(const Model& model, const Options& options) {
  const auto q = entry_of(family_registry(), options.family, "family").make(0);
  Fit fit{.options = options, .termination = Termination::converged};
  fit.khat_threshold = khat_threshold(options.psis_draws);
  fit.average = score(model, *q, options, 0, Detail::summaries);
  fit.findings.push_back({.code = FindingCode::no_parameters});
  std::ranges::copy(judge_quantities(*fit.average), std::back_inserter(fit.findings));
  fit.verdict = judge(fit.findings);
  return fit;
}

constexpr std::array kMethods = {
    MethodEntry{"paper", "Dhaka et al. (2020), as printed but for its errata", fit_as_in_paper},
    MethodEntry{"robust", "second-order steps that tune themselves; full rank, all rows",
                fit_robustly},
};

}  // namespace

std::span<const MethodEntry> method_registry() { return kMethods; }

Fit fit(const Model& model, const Options& options, const Observer& observer,
        const Reference* reference) {
  validate(options, model);
  if (model.dimension() == 0) return draw_quantities(model, options);
  return entry_of(method_registry(), options.method, "method")
      .run(model, options, observer, reference);
}

std::string_view name(Termination termination) {
  switch (termination) {
    case Termination::converged:
      return "converged";
    case Termination::elbo_settled:
      return "elbo-settled";
    case Termination::iterations_done:
      return "iterations-done";
    case Termination::max_iterations:
      return "max-iterations";
    case Termination::diverged:
      return "diverged";
    case Termination::interrupted:
      return "interrupted";
  }
  std::abort();
}

std::string_view name(Phase phase) {
  switch (phase) {
    case Phase::searching:
      return "searching";
    case Phase::averaging:
      return "averaging";
    case Phase::scoring:
      return "scoring";
  }
  std::abort();
}

}  // namespace ravi
