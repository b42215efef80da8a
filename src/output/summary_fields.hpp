// The numbers of a parameter's summary by the names that fit.json and Python give them.
#pragma once

#include <string_view>

#include "ravi/fit.hpp"

namespace ravi {

// Why there is no sd where sd_trusted is false.
inline constexpr std::string_view kSdMissing = "it rests on too few draws, or does not exist";

// A summary as every output shows it: without an sd that is not to be trusted.
inline ParameterSummary shown(ParameterSummary summary) {
  if (!summary.sd_trusted) summary.sd = summary.mcse_sd = kUnknown;
  return summary;
}

// Calls visit(key, member) for the members of a ParameterSummary, in the order they are shown.
template <typename Summary, typename Visitor>
void visit_summary(Summary&& s, Visitor visit) {
  visit("mean", s.mean);
  visit("sd", s.sd);
  visit("q5", s.q5);
  visit("q50", s.q50);
  visit("q95", s.q95);
  visit("mcse", s.mcse);
  visit("mcse_sd", s.mcse_sd);
  visit("mcse_q5", s.mcse_q5);
  visit("mcse_q50", s.mcse_q50);
  visit("mcse_q95", s.mcse_q95);
}

}  // namespace ravi
