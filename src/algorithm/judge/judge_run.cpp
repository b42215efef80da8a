// What chains did, judged before any answer is looked at.
#include "algorithm/judge/judge_run.hpp"

#include <fmt/format.h>

#include "core/append.hpp"
#include "limits/limits.hpp"

namespace ravi {
namespace {

std::string chain_name(Index chain) { return fmt::format("chain {}", chain + 1); }

// Whether the iterates were stationary: line 9 of Algorithm 1, told apart by cause.
std::vector<Finding> judge_stationarity(const ChainRun& run, const Agreement& agreement,
                                        const Monitor& monitor) {
  const double tau = run.limits.rhat;
  const auto finding = [&](FindingCode code, const Largest& rhat) {
    return std::vector{Finding{code, rhat.value, tau, monitor.component(rhat.component)}};
  };
  if (agreement.settled_apart(tau)) return finding(FindingCode::chains_disagree, agreement.rhat);
  if (agreement.apart(tau)) return finding(FindingCode::not_stationary, agreement.rhat);
  if (run.stationary) return {};
  const bool judged_by_window = run.averaging_started_at < 0;
  if (judged_by_window && agreement.rhat.value < tau) {
    return finding(FindingCode::window_too_short, run.rhat);
  }
  return finding(FindingCode::not_stationary, run.rhat);
}

// Whether the average is known well enough: line 15, and the tails of what was averaged.
std::vector<Finding> judge_average(const ChainRun& run, const Largest& tail_index,
                                   const Options& options, const Monitor& monitor) {
  std::vector<Finding> findings;
  if (run.averaging_started_at < 0) return findings;
  const IteratePrecision& precision = run.precision;
  // Negated, so that a value that could not be computed does not pass.
  if (options.mcse_threshold > 0 && !(precision.mcse_median < options.mcse_threshold)) {
    findings.push_back(
        {FindingCode::average_imprecise, precision.mcse_median, options.mcse_threshold});
  }
  if (options.tolerance > 0 && !(run.error < options.tolerance)) {
    findings.push_back({.code = FindingCode::average_imprecise,
                        .observed = run.error,
                        .limit = options.tolerance,
                        .measure = "distance to best q in sds"});
  }
  if (!(precision.ess_min > run.limits.ess)) {
    findings.push_back({FindingCode::few_effective_iterates, precision.ess_min, run.limits.ess,
                        monitor.component(precision.ess_component)});
  }
  if (tail_index.value > run.tail_index_limit) {
    findings.push_back({FindingCode::iterates_heavy_tailed, tail_index.value, run.tail_index_limit,
                        monitor.component(tail_index.component)});
  }
  return findings;
}

}  // namespace

std::vector<Finding> judge_report(const RunReport& report, const Model& model,
                                  const Options& options) {
  std::vector<Finding> findings;
  const std::string in_its_words = report.first_failure.size() > 0
                                       ? model.why_not_computable(report.first_failure)
                                       : std::string();
  if (const auto& broken = report.breakdown) {
    const bool not_computable = broken->code == FindingCode::density_not_computable;
    findings.push_back({.code = broken->code,
                        .parameter = chain_name(broken->chain),
                        .iteration = broken->iteration,
                        .detail = not_computable ? in_its_words : std::string()});
  }
  if (report.failed_draws > 0) {
    const double share =
        static_cast<double>(report.failed_draws) / static_cast<double>(report.evaluations);
    const double most = limit(Limit::failed_draws);
    const bool many = share > most;
    findings.push_back({.code = many ? FindingCode::draws_failed : FindingCode::few_draws_failed,
                        .observed = share,
                        .limit = most,
                        .detail = in_its_words});
  }
  if (report.interrupted) {
    findings.push_back({.code = FindingCode::interrupted, .iteration = report.iteration});
  }
  if (options.chains == 1) findings.push_back({.code = FindingCode::single_chain});
  return findings;
}

JudgedRun judge_run(const ChainRun& run, const Iterates& iterates, const Approximation& prototype,
                    const Options& options, const Monitor& monitor) {
  JudgedRun judged{.agreement = run.points.empty() ? compare_chains(iterates, prototype)
                                                   : compare_points(run.points, prototype),
                   .rhat = run.rhat};
  judged.apart = judged.agreement.apart(run.limits.rhat);
  if (judged.apart) judged.rhat = judged.agreement.rhat;
  const Vector tail_indices = kept_tail_indices(iterates, options.threads);
  judged.tail_index = largest(tail_indices);
  for (DoubtfulComponent& doubtful :
       doubtful_components(iterates, run.precision, tail_indices, options.threads)) {
    doubtful.record.name = monitor.component(doubtful.component);
    judged.components.push_back(std::move(doubtful.record));
  }
  if (judged.apart || !run.exact) {
    append(judged.findings, judge_stationarity(run, judged.agreement, monitor));
  }
  if (!judged.apart && !run.exact) {
    append(judged.findings, judge_average(run, judged.tail_index, options, monitor));
  }
  return judged;
}

bool about_rest(const Finding& finding) {
  using enum FindingCode;
  return finding.code == not_stationary || finding.code == average_imprecise ||
         finding.code == few_effective_iterates || finding.code == iterates_heavy_tailed;
}

}  // namespace ravi
