// What a fit learned about itself: typed findings, the verdict, and the words for both.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ravi {

enum class Verdict { accurate, usable, unreliable, not_converged, failed };

std::string_view name(Verdict verdict);     // "not-converged"
std::string_view meaning(Verdict verdict);  // one sentence: may the answer be used, and how
bool trustworthy(Verdict verdict);          // accurate or usable: exit status 0

enum class Severity { note, warning, failure };
std::string_view name(Severity severity);

enum class FindingCode {
  iterates_diverged,
  density_not_computable,
  draws_failed,
  few_draws_failed,
  quantities_not_finite,
  no_parameters,
  minor_modes,
  chains_disagree,
  not_stationary,
  window_too_short,
  average_imprecise,
  few_effective_iterates,
  iterates_heavy_tailed,
  approximation_poor,
  few_draws_count,
  variance_unknown,
  moves_uneven,
  moves_unsettled,
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
};

struct FindingWords {
  FindingCode code;
  std::string_view name;  // what scripts match: "chains-disagree"
  Severity severity;
  Verdict worst;             // the best verdict that this finding leaves possible
  std::string_view message;  // what is the case
  std::string_view advice;   // what to do next
  std::string_view source;   // where the criterion comes from
};

std::span<const FindingWords> finding_table();
const FindingWords& words(FindingCode code);

// The message with its numbers: "... (R-hat 4.8, limit 1.1, in mu[3])".
std::string describe(const Finding& finding);

// Line 9 of Algorithm 1: an average of iterates whose tail index is above this is not trusted.
inline constexpr double kTailIndexLimit = 1.0;

// Of the posterior's mass, and of a variance, the share that draws of q and of a wide t around it
// may miss. A tenth of the mass, three standard deviations out, moves a mean by 0.3 of them; half
// of a variance is an sd that is too small by a factor of 1.4. An answer may be off by that much.
inline constexpr double kUnseenMassLimit = 0.1;
inline constexpr double kUnseenVarianceLimit = 0.5;

// The best verdict compatible with all findings.
Verdict judge(const std::vector<Finding>& findings);

}  // namespace ravi
