// What a fit learned about itself: typed findings, the verdict, and the words for both.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ravi/options.hpp"

namespace ravi {

// What ended the run.
enum class Termination {
  not_started,  // the model itself is wrong
  converged,
  elbo_settled,
  iterations_done,
  max_iterations,  // the option
  rounds_done,     // the method's own caps
  diverged,
  interrupted
};
std::string_view name(Termination termination);  // "max-iterations"

enum class Verdict { accurate, usable, unreliable, not_converged, failed };

std::string_view name(Verdict verdict);     // "not-converged"
std::string_view meaning(Verdict verdict);  // one sentence: may the answer be used, and how
bool trustworthy(Verdict verdict);          // accurate or usable: exit status 0

enum class Severity { note, warning, failure };
std::string_view name(Severity severity);

enum class FindingCode {
  gradient_wrong,
  density_flat,
  iterates_diverged,
  density_not_computable,
  draws_failed,
  few_draws_failed,
  quantities_not_finite,
  no_parameters,
  data_unread,
  minor_modes,
  other_modes_weighted,
  chains_disagree,
  modes_apart,
  modes_combined,
  optima_connected,
  not_stationary,
  window_too_short,
  average_imprecise,
  few_effective_iterates,
  iterates_heavy_tailed,
  approximation_poor,
  few_draws_count,
  means_unknown,
  density_coarse,
  sds_unknown,
  moves_unsettled,
  driver_end_open,
  q_bent,
  draws_moved,
  q_unsettled,
  weights_needed,
  tail_without_weight,
  single_chain,
  stopped_by_elbo,
  interrupted,
};

// The record; its words are in the table below and are the same in every output.
struct Finding {
  FindingCode code{};
  double observed = std::numeric_limits<double>::quiet_NaN();
  double limit = std::numeric_limits<double>::quiet_NaN();
  std::string parameter = {};  // the component or chain it is about, where there is one
  long iteration = -1;         // when it was found, where that says something
  std::string detail = {};     // what the model itself said
  std::string measure = {};    // what was observed, where the code alone does not tell
};

struct FindingWords {
  FindingCode code;
  std::string_view name;  // what scripts match: "chains-disagree"
  Severity severity;
  Verdict worst;                               // the best verdict that this finding leaves possible
  std::string_view message;                    // what is the case
  std::string_view advice;                     // what to do next, unless advice() knows better
  std::string_view source;                     // where the criterion comes from
  std::string_view measure = {};               // what is observed: "R-hat"
  std::span<const FindingCode> explains = {};  // what may follow from it
};

std::span<const FindingWords> finding_table();
const FindingWords& words(FindingCode code);

// The message with its numbers: "... (R-hat 4.8, limit 1.1, in mu[3])".
std::string describe(const Finding& finding);
std::string_view measure_of(const Finding& finding);  // "R-hat"; may be empty

// What to do next. Which options help depends on the method, the family, and what ended the run.
std::string advice(const Finding& finding, const Options& options, Termination termination);

// Causes first: what explains others in the list, the model's own words foremost; then failures,
// warnings, notes, each in the order of the table. What another finding explains is left out where
// that one allows no better verdict: the verdict stays, and its advice would be about a symptom.
std::vector<Finding> in_order(std::vector<Finding> findings);

// The best verdict compatible with all findings.
Verdict judge(const std::vector<Finding>& findings);

}  // namespace ravi
