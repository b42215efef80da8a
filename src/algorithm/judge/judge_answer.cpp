// Whether an answer can be used, which draws of it, and what else may be worth a try.
#include "algorithm/judge/judge_answer.hpp"

#include <algorithm>

#include "algorithm/judge/judge_run.hpp"
#include "limits/limits.hpp"
#include "scoring/looks.hpp"
#include "scoring/score.hpp"

namespace ravi {
namespace {

// Sds that are not shown; the first is named.
std::vector<Finding> judge_shown(const Answer& answer) {
  const auto first = std::ranges::find(answer.parameters, false, &ParameterSummary::sd_trusted);
  if (first == answer.parameters.end()) return {};
  return {{.code = FindingCode::sds_unknown, .parameter = first->name}};
}

}  // namespace

std::vector<Finding> judge_answer(const Answer& answer, double khat_threshold, bool other_optima) {
  std::vector<Finding> findings;
  if (const double most = limit(Limit::coarse); answer.coarseness > most) {
    return {{FindingCode::density_coarse, answer.coarseness, most}};
  }
  if (!answer.moved()) findings = judge_weights(answer);
  if (!findings.empty()) return findings;
  if (const double longest = limit(Limit::longest_tail); answer.tail_shape >= longest) {
    return {{FindingCode::means_unknown, answer.tail_shape, longest}};
  }
  if (answer.moved()) {
    findings = judge_shown(answer);
    findings.push_back({FindingCode::draws_moved, static_cast<double>(answer.moves->transitions)});
    return findings;
  }
  findings = judge_shown(answer);
  if (const double least = limit(Limit::share_of_q); answer.share_of_q < least && other_optima) {
    findings.push_back({FindingCode::other_modes_weighted, answer.share_of_q, least});
  }
  if (!q_is_close(answer)) {
    findings.push_back(
        {FindingCode::weights_needed, answer.efficiency, limit(Limit::hardly_varying_ess)});
  }
  if (answer.khat > khat_threshold) {
    findings.push_back({FindingCode::tail_without_weight, answer.khat, khat_threshold});
  }
  return findings;
}

bool needs_moving(const std::vector<Finding>& findings, const Answer& answer) {
  if (trustworthy(judge(findings))) return next(answer, last_look()).next == Next::correct;
  return std::ranges::all_of(findings, [](const Finding& finding) {
    return about_rest(finding) || trustworthy(words(finding.code).worst);
  });
}

bool may_see_more(const std::vector<Finding>& findings, const Answer& answer) {
  return trustworthy(judge(findings)) && answer.unseen_variance >= limit(Limit::unseen_variance) &&
         2 * answer.tail_shape < limit(Limit::longest_tail);
}

bool tail_may_hide_more(const Answer& answer, double khat_threshold) {
  return weights_hardly_vary(answer) && answer.khat > khat_threshold;
}

}  // namespace ravi
