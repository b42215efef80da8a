// fit(): checks the request, then hands it to the method that was asked for.
#include "ravi/fit.hpp"

#include <array>
#include <cstdlib>

#include "algorithm/methods.hpp"
#include "algorithm/validate.hpp"
#include "core/registry.hpp"

namespace ravi {
namespace {

constexpr std::array kMethods = {
    MethodEntry{"paper", "Dhaka et al. (2020), as printed but for its errata", fit_as_in_paper},
};

}  // namespace

std::span<const MethodEntry> method_registry() { return kMethods; }

Fit fit(const Model& model, const Options& options, const Observer& observer,
        const Reference* reference) {
  validate(options, model);
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
