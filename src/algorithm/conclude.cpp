// From chains that have run to a Fit: findings, scores, verdict.
#include "algorithm/conclude.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "algorithm/agreement.hpp"
#include "algorithm/moving.hpp"
#include "algorithm/score.hpp"
#include "core/numeric.hpp"
#include "core/parallel.hpp"

namespace ravi {
namespace {

constexpr std::size_t kPartsOfChain = 4;   // whose averages tell the error of q
constexpr double kLeastWeight = 0.001;     // of a mode that is part of an answer
constexpr double kFailedDrawsLimit = 0.2;  // share of all draws
// Addresses of the random numbers that score each approximation; chain j takes kScoreChains + j.
constexpr std::uint32_t kScoreAverage = 0, kScoreLast = 1, kScoreChains = 2;

std::string chain_name(Index chain) { return fmt::format("chain {}", chain + 1); }

// What the chains did, before any answer is looked at.
std::vector<Finding> judge_chains(const ChainsReport& chains, const Model& model,
                                  const Options& options) {
  std::vector<Finding> findings;
  const std::string in_its_words = chains.first_failure.size() > 0
                                       ? model.why_not_computable(chains.first_failure)
                                       : std::string();
  if (const auto& broken = chains.breakdown) {
    const bool not_computable = broken->code == FindingCode::density_not_computable;
    findings.push_back({.code = broken->code,
                        .parameter = chain_name(broken->chain),
                        .iteration = broken->iteration,
                        .detail = not_computable ? in_its_words : std::string()});
  }
  if (chains.failed_draws > 0) {
    const double share =
        static_cast<double>(chains.failed_draws) / static_cast<double>(chains.evaluations);
    const bool many = share > kFailedDrawsLimit;
    findings.push_back({.code = many ? FindingCode::draws_failed : FindingCode::few_draws_failed,
                        .observed = share,
                        .limit = kFailedDrawsLimit,
                        .detail = in_its_words});
  }
  if (chains.interrupted) {
    findings.push_back({.code = FindingCode::interrupted, .iteration = chains.iteration});
  }
  if (options.chains == 1) findings.push_back({.code = FindingCode::single_chain});
  return findings;
}

// Whether the iterates were stationary: line 9 of Algorithm 1, told apart by cause.
std::vector<Finding> judge_stationarity(const Search& search, const Agreement& agreement,
                                        const Monitor& monitor) {
  const double tau = search.limits.rhat;
  const auto finding = [&](FindingCode code, const Largest& rhat) {
    return std::vector{Finding{code, rhat.value, tau, monitor.component(rhat.component)}};
  };
  if (agreement.settled_apart(tau)) return finding(FindingCode::chains_disagree, agreement.rhat);
  if (agreement.apart(tau)) return finding(FindingCode::not_stationary, agreement.rhat);
  if (search.stationary) return {};
  const bool judged_by_window = search.averaging_started_at < 0;
  if (judged_by_window && agreement.rhat.value < tau) {
    return finding(FindingCode::window_too_short, search.rhat);
  }
  return finding(FindingCode::not_stationary, search.rhat);
}

// Whether the average is known well enough: line 15, and the tails of what was averaged.
std::vector<Finding> judge_average(const Search& search, const Largest& tail_index,
                                   const Options& options, const Monitor& monitor) {
  std::vector<Finding> findings;
  if (search.averaging_started_at < 0) return findings;
  const IteratePrecision& precision = search.precision;
  // Negated, so that a value that could not be computed does not pass.
  if (options.mcse_threshold > 0 && !(precision.mcse_median < options.mcse_threshold)) {
    findings.push_back(
        {FindingCode::average_imprecise, precision.mcse_median, options.mcse_threshold});
  }
  if (options.tolerance > 0 && !(search.error < options.tolerance)) {
    findings.push_back({.code = FindingCode::average_imprecise,
                        .observed = search.error,
                        .limit = options.tolerance,
                        .measure = "distance to best q in sds"});
  }
  if (!(precision.ess_min > search.limits.ess)) {
    findings.push_back({FindingCode::few_effective_iterates, precision.ess_min, search.limits.ess,
                        monitor.component(precision.ess_component)});
  }
  if (tail_index.value > search.tail_index_limit) {
    findings.push_back({FindingCode::iterates_heavy_tailed, tail_index.value,
                        search.tail_index_limit, monitor.component(tail_index.component)});
  }
  return findings;
}

// Whether q is close enough to the posterior for weights to correct it.
std::vector<Finding> judge_weights(const Answer& answer) {
  const double limit = unseen_mass_limit(answer);
  if (!(answer.unseen_mass < limit)) {
    return {{FindingCode::approximation_poor, answer.unseen_mass, limit}};
  }
  if (!answer.weighted) {
    const double share = answer.importance_ess / static_cast<double>(answer.draws_scored);
    return {{.code = FindingCode::few_draws_count,
             .observed = share,
             .limit = kFewestEffective,
             .measure = "effective share of all draws"}};
  }
  if (answer.perplexity < kLeastPerplexity && !(answer.khat < kAccurateKhat)) {
    return {{FindingCode::few_draws_count, answer.perplexity, kLeastPerplexity}};
  }
  return {};
}

// Sds that are not shown; the first is named.
std::vector<Finding> judge_shown(const Answer& answer) {
  const auto first = std::ranges::find(answer.parameters, false, &ParameterSummary::sd_trusted);
  if (first == answer.parameters.end()) return {};
  return {{.code = FindingCode::sds_unknown, .parameter = first->name}};
}

// Whether the answer can be used, and which draws of it.
std::vector<Finding> judge_approximation(const Answer& answer, double threshold, bool other_modes) {
  std::vector<Finding> findings;
  if (answer.coarseness > kCoarse) {
    return {{FindingCode::density_coarse, answer.coarseness, kCoarse}};
  }
  if (!answer.moved()) findings = judge_weights(answer);
  if (!findings.empty()) return findings;
  if (answer.tail_shape >= kLongestTail) {
    return {{FindingCode::means_unknown, answer.tail_shape, kLongestTail}};
  }
  if (answer.moved()) {
    findings = judge_shown(answer);
    findings.push_back({FindingCode::draws_moved, static_cast<double>(answer.moves->transitions)});
    return findings;
  }
  findings = judge_shown(answer);
  if (answer.share_of_q < kShareOfQ && other_modes) {
    findings.push_back({FindingCode::other_modes_weighted, answer.share_of_q, kShareOfQ});
  }
  const bool close = weights_hardly_vary(answer) ||
                     (answer.efficiency > kVaryingEss && answer.khat <= kAccurateKhat);
  if (!close) {
    findings.push_back({FindingCode::weights_needed, answer.efficiency, kHardlyVaryingEss});
  }
  if (answer.khat > threshold) {
    findings.push_back({FindingCode::tail_without_weight, answer.khat, threshold});
  }
  return findings;
}

// What says that the iterates, and so their average, have not come to rest.
bool about_rest(const Finding& finding) {
  using enum FindingCode;
  return finding.code == not_stationary || finding.code == average_imprecise ||
         finding.code == few_effective_iterates || finding.code == iterates_heavy_tailed;
}

// Whether moved draws are worth a try, and must succeed: where weights will not do, or where q has
// not come to rest and nothing worse is the matter.
bool needs_moving(const std::vector<Finding>& findings, const Answer& answer) {
  if (trustworthy(judge(findings))) return !judge_weights(answer).empty();
  return std::ranges::all_of(findings, [](const Finding& finding) {
    return about_rest(finding) || trustworthy(words(finding.code).worst);
  });
}

// Whether they might see a variance that weights do not. They do not go to the end of a tail that
// falls like a power.
bool may_see_more(const std::vector<Finding>& findings, const Answer& answer) {
  return trustworthy(judge(findings)) && answer.unseen_variance >= kUnseenVarianceLimit &&
         2 * answer.tail_shape < kLongestTail;
}

// Weights that hardly vary, but for a tail of a few that grow: the flank of another mode, perhaps.
bool tail_may_hide_more(const Answer& answer, double threshold) {
  return weights_hardly_vary(answer) && answer.khat > threshold;
}

Vector furthest_above_q(const WeightedDraws& draws) {
  const Vector log_ratio = draws.log_density - draws.log_q;
  Index largest = 0;
  log_ratio.maxCoeff(&largest);
  return draws.theta.col(largest);
}

// Draws that have forgotten where they began do not depend on how q came to rest.
void forgive_unrest(const Search& search, std::vector<Finding>& findings) {
  if (std::erase_if(findings, about_rest) == 0) return;
  findings.push_back({FindingCode::q_unsettled, search.rhat.value, search.limits.rhat});
}

// Each mode's share of the mass: its evidence, the mean over its chains, against that of all modes.
void weigh_modes(const std::vector<int>& mode_of_chain, std::vector<Answer>& chains) {
  const int modes = std::ranges::max(mode_of_chain);
  Vector evidence(modes);
  for (int m = 1; m <= modes; ++m) {
    std::vector<double> of_chains;
    for (std::size_t j = 0; j < chains.size(); ++j) {
      if (mode_of_chain[j] == m) of_chains.push_back(chains[j].log_evidence);
    }
    evidence(m - 1) = std::accumulate(of_chains.begin(), of_chains.end(), 0.0) /
                      static_cast<double>(of_chains.size());
  }
  const double all = log_sum_exp(evidence);
  for (std::size_t j = 0; j < chains.size(); ++j) {
    chains[j].mode = mode_of_chain[j];
    chains[j].mode_weight = std::exp(evidence(mode_of_chain[j] - 1) - all);
  }
}

// Whether all answers hold mass, and the density does not fall on the way from any of them to the
// first: one region, in which a Gaussian fits in several places.
bool one_region(const Model& model, const std::vector<Answer>& chains) {
  return std::ranges::all_of(chains, [&](const Answer& chain) {
    return chain.mode_weight > kLeastWeight &&
           (chain.mode == chains.front().mode ||
            connected(model, chains.front().q.mean, chain.q.mean));
  });
}

std::size_t heaviest_of(const std::vector<Answer>& chains) {
  const auto found = std::ranges::max_element(chains, {}, &Answer::mode_weight);
  return static_cast<std::size_t>(found - chains.begin());
}

void append(std::vector<Finding>& findings, std::vector<Finding> more) {
  findings.insert(findings.end(), more.begin(), more.end());
}

}  // namespace

void ChainsReport::add(const ChainsReport& later) {
  if (!breakdown) breakdown = later.breakdown;
  evaluations += later.evaluations;
  failed_draws += later.failed_draws;
  if (first_failure.size() == 0) first_failure = later.first_failure;
  interrupted = interrupted || later.interrupted;
  iteration += later.iteration;
  std::ranges::copy(later.search_elbo, std::back_inserter(search_elbo));
  std::ranges::copy(later.chain_elbo, std::back_inserter(chain_elbo));
}

ChainsReport report_of(const Chains& chains) {
  return {.breakdown = chains.breakdown(),
          .evaluations = chains.evaluations(),
          .failed_draws = chains.failed_draws(),
          .first_failure = chains.first_failure(),
          .interrupted = chains.interrupted(),
          .iteration = chains.iteration(),
          .chain_elbo = chains.elbo_traces()};
}

Fit conclude(const Outcome& outcome, const Model& model, Approximation& q, const Options& options,
             Monitor& monitor, const Reference* reference) {
  const ChainsReport& report = outcome.report;
  const Search& search = outcome.search;
  Fit fit{.dimension = model.dimension(), .options = options};
  const std::vector<Block> parts = outcome.iterates.parts(kPartsOfChain);
  // Of one chain, or of all of them.
  const auto background = [&](std::optional<std::size_t> chain) {
    Background result{.least_error = search.exact ? search.error : 0};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!chain || i / kPartsOfChain == *chain) result.parts.push_back(parts[i].mean);
    }
    return result;
  };
  const auto scored = [&](const Vector& lambda, std::uint32_t which, Detail detail,
                          const Background& known) {
    q.assign(lambda);
    Answer answer = score(model, q, options, which, detail, known);
    if (reference) answer.reference = compare_with(*reference, q);
    return answer;
  };

  fit.termination = search.termination;
  fit.iterations = report.iteration;
  fit.averaging_started_at = search.averaging_started_at;
  fit.gradient_evaluations = report.evaluations;
  fit.failed_draws = report.failed_draws;
  fit.khat_threshold = khat_threshold(options.psis_draws);
  fit.trace = monitor.trace();
  fit.search_elbo = report.search_elbo;
  fit.chain_elbo = report.chain_elbo;
  std::optional<Judging> judging(std::in_place, monitor);
  fit.findings = judge_chains(report, model, options);
  append(fit.findings, outcome.findings);

  if (search.termination == Termination::diverged) {
    fit.rhat_max = std::numeric_limits<double>::infinity();
    q.assign(outcome.last_lambda);
    fit.last_iterate = Answer{.q = q.moments()};
  } else {
    const Agreement agreement = compare_chains(outcome.iterates, q);
    const bool apart = agreement.apart(search.limits.rhat);
    const Largest& rhat = apart ? agreement.rhat : search.rhat;
    const Vector tail_indices = kept_tail_indices(outcome.iterates, options.threads);
    const Largest tail_index = largest(tail_indices);
    for (const DoubtfulComponent& doubtful :
         doubtful_components(outcome.iterates, search.precision, tail_indices, options.threads)) {
      fit.components.push_back(doubtful.record);
      fit.components.back().name = monitor.component(doubtful.component);
    }
    fit.rhat_max = rhat.value;
    if (!fit.trace.empty()) fit.trace.back().rhat_max = rhat.value;  // the check that was decisive
    fit.rhat_limit = search.limits.rhat;
    fit.error = search.error;
    fit.rhat_parameter = monitor.component(rhat.component);
    fit.mcse_median = search.precision.mcse_median;
    fit.mcse_max = search.precision.mcse_max;
    fit.ess_min = search.precision.ess_min;
    fit.ess_limit = search.limits.ess;
    fit.tail_index_max = tail_index.value;
    fit.tail_index_limit = search.tail_index_limit;
    if (apart || !search.exact) {
      append(fit.findings, judge_stationarity(search, agreement, monitor));
    }
    if (!apart && !search.exact) {
      append(fit.findings, judge_average(search, tail_index, options, monitor));
    }
    if (search.termination == Termination::elbo_settled) {
      fit.findings.push_back({.code = FindingCode::stopped_by_elbo, .iteration = report.iteration});
    }

    judging.reset();
    const std::size_t answers =
        (apart ? agreement.chain_average.size() : 1) + (outcome.score_last ? 1 : 0);
    monitor.enter(Phase::scoring, static_cast<long>(answers) * most_importance_draws(options),
                  "importance draws");
    if (outcome.score_last) {
      fit.last_iterate = scored(outcome.last_lambda, kScoreLast, Detail::score_only, {});
    } else {
      q.assign(outcome.last_lambda);
      fit.last_iterate = Answer{.q = q.moments()};
      if (reference) fit.last_iterate->reference = compare_with(*reference, q);
    }
    if (apart) {
      for (std::size_t j = 0; j < agreement.chain_average.size(); ++j) {
        fit.chains.push_back(scored(agreement.chain_average[j],
                                    kScoreChains + static_cast<std::uint32_t>(j), Detail::summaries,
                                    background(j)));
      }
      weigh_modes(agreement.mode_of_chain, fit.chains);
    }
    // Optima in one region are one answer, if weights can make one of them.
    const auto disagreement =
        std::ranges::find(fit.findings, FindingCode::chains_disagree, &Finding::code);
    std::optional<Finding> in_one_region;
    if (disagreement != fit.findings.end() && one_region(model, fit.chains)) {
      in_one_region = *disagreement;
      in_one_region->code = FindingCode::optima_connected;
      fit.findings.erase(disagreement);
    }
    const std::size_t heaviest = in_one_region ? heaviest_of(fit.chains) : 0;
    const Vector lambda = in_one_region ? agreement.chain_average[heaviest] : search.average;
    if ((!apart || in_one_region) && lambda.size() > 0) {
      q.assign(lambda);
      Background known =
          background(in_one_region ? std::optional<std::size_t>(heaviest) : std::nullopt);
      for (const Approximation* optimum : outcome.optima) {
        if (!(symmetrized_kl(*optimum, q) < kSameOptimum)) known.others.push_back(optimum);
      }
      fit.average = scored(lambda, kScoreAverage, Detail::summaries, known);
      Further further;
      if (outcome.search_further && tail_may_hide_more(*fit.average, fit.khat_threshold)) {
        further = outcome.search_further(furthest_above_q(fit.average->draws));
        fit.gradient_evaluations += further.evaluations;
      }
      if (further.q) {
        known.others.push_back(further.q.get());
        fit.average = scored(lambda, kScoreAverage, Detail::summaries, known);
      }
      const bool needed = needs_moving(fit.findings, *fit.average);
      if (outcome.move_doubtful && (needed || may_see_more(fit.findings, *fit.average))) {
        monitor.enter(Phase::moving, most_transitions(), "transitions");
        move_draws(model, q, options, kScoreAverage, monitor.stop_requested(), *fit.average,
                   [&] { monitor.count_one(); });
        if (const auto& moves = fit.average->moves) {
          if (needed) append(fit.findings, judge_moves(*moves));
          if (moves->kept) forgive_unrest(search, fit.findings);
          fit.gradient_evaluations += moves->evaluations;
        } else if (requested(monitor.stop_requested())) {
          fit.findings.push_back({.code = FindingCode::interrupted, .iteration = report.iteration});
        }
      }
      append(fit.findings,
             judge_approximation(*fit.average, fit.khat_threshold, !known.others.empty()));
      append(fit.findings, judge_quantities(*fit.average));
      if (in_one_region && trustworthy(judge(fit.findings))) {
        fit.chains.clear();
      } else if (in_one_region) {
        fit.findings.push_back(*in_one_region);
        fit.average.reset();
      }
    }
  }

  fit.verdict = judge(fit.findings);
  judging.reset();
  fit.timing = monitor.stopwatch().read();
  fit.timing.threads = resolve_threads(options.threads);
  return fit;
}

}  // namespace ravi
