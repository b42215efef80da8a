// fit(): checks the request, then hands it to the method that was asked for.
#include "ravi/fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include "algorithm/gradient_check.hpp"
#include "algorithm/judge/monitor.hpp"
#include "algorithm/methods.hpp"
#include "algorithm/paper/paper.hpp"
#include "algorithm/robust/robust.hpp"
#include "algorithm/validate.hpp"
#include "core/parallel.hpp"
#include "core/provenance.hpp"
#include "core/registry.hpp"
#include "objective/minibatch.hpp"
#include "ravi/version.hpp"
#include "scoring/looks.hpp"
#include "scoring/score.hpp"
#include "scoring/summarize.hpp"

namespace ravi {
namespace {

// A model without parameters has no posterior; what is left is to draw its quantities.
Fit draw_quantities(const Model& model, const Options& options) {
  const auto q = entry_of(family_registry(), options.family, "family").make(0);
  Stopwatch stopwatch;
  stopwatch.enter(&Timing::scoring_seconds);
  Fit fit{.options = options, .termination = Termination::converged};
  fit.khat_threshold = khat_threshold(options.psis_draws);
  fit.average = score(model, *q, options, 0, Detail::summaries);
  fit.findings.push_back({.code = FindingCode::no_parameters});
  std::ranges::copy(judge_quantities(*fit.average), std::back_inserter(fit.findings));
  fit.verdict = judge(fit.findings);
  fit.timing = stopwatch.read();
  fit.timing.threads = resolve_threads(options.threads);
  return fit;
}

// What is the matter with the model itself; nothing is fitted then.
Fit refuse(const Model& model, const Options& options, const GradientCheck& check) {
  Fit fit{.dimension = model.dimension(),
          .options = options,
          .verdict = judge(check.findings),
          .termination = Termination::not_started,
          .findings = check.findings,
          .gradient_evaluations = check.evaluations,
          .cost = {.search = check.evaluations}};
  return fit;
}

constexpr int kMostDigits = 12;

constexpr std::array kMethods = {
    MethodEntry{"robust", "steps that tune themselves, from several starts; nothing to choose",
                options_of_robust, fit_robustly},
    MethodEntry{"paper", "Dhaka et al. (2020), as printed but for its errata", options_of_paper,
                fit_as_in_paper},
    MethodEntry{"authors", "the same as the authors' code has it", options_of_authors,
                fit_as_in_paper},
};

}  // namespace

std::span<const MethodEntry> method_registry() { return kMethods; }

Options filled_in(Options given, const Model& model) {
  if (given.minibatch == kAuto) given.minibatch = static_cast<int>(batch_size_for(rows_of(model)));
  return filled_in(std::move(given), model.dimension());
}

Options filled_in(Options given, Index dimension) {
  const Options own = entry_of(method_registry(), given.method, "method").own(given, dimension);
  visit_pairs(given, own, [](const Field& field, auto& value, const auto& of_method) {
    if (field.by_method() && left_open(value)) value = of_method;
  });
  return given;
}

Fit fit(const Model& model, const Options& given, const Observer& observer,
        const Reference* reference) {
  validate(given, model);
  const Options options = filled_in(given, model);
  Fit result;
  if (model.dimension() == 0) {
    result = draw_quantities(model, options);
  } else if (const GradientCheck check =
                 check_gradient(model, options.seed, observer.stop_requested);
             !check.findings.empty()) {
    result = refuse(model, options, check);
  } else {
    result = entry_of(method_registry(), options.method, "method")
                 .run(model, options, observer, reference);
    result.gradient_evaluations += check.evaluations;
    result.cost.search += check.evaluations;
    result.failed_draws += check.failed;
  }
  if (const std::vector<std::string> unread = model.unread_data(); !unread.empty()) {
    result.findings.push_back({.code = FindingCode::data_unread,
                               .parameter = fmt::format("{}", fmt::join(unread, ", "))});
  }
  result.findings = in_order(std::move(result.findings));
  result.provenance = {.version = std::string(version()),
                       .created_at = utc_time(),
                       .interface = "c++",
                       .platform = platform_name()};
  return result;
}

int ParameterSummary::digits() const {
  if (!(mcse > 0) || !std::isfinite(mean)) return std::isfinite(mean) ? kMostDigits : 0;
  const double digits = std::floor(std::log10(std::abs(mean) / (2 * mcse))) + 1;
  return static_cast<int>(std::clamp(digits, 0.0, static_cast<double>(kMostDigits)));
}

std::string_view name(Phase phase) {
  switch (phase) {
    case Phase::searching:
      return "searching";
    case Phase::averaging:
      return "averaging";
    case Phase::scoring:
      return "scoring";
    case Phase::bending:
      return "bending q";
    case Phase::moving:
      return "moving draws";
  }
  std::abort();
}

}  // namespace ravi
