// From what a method found to a Fit: gather, judge the chains, score, correct, judge the answer.
#include "algorithm/judge/conclude.hpp"

#include <algorithm>
#include <set>

#include "algorithm/judge/bent_answer.hpp"
#include "algorithm/judge/judge_answer.hpp"
#include "algorithm/judge/judge_run.hpp"
#include "algorithm/judge/modes.hpp"
#include "core/append.hpp"
#include "core/numeric.hpp"
#include "core/parallel.hpp"
#include "core/rng.hpp"
#include "core/stop.hpp"
#include "limits/limits.hpp"
#include "moving/moving.hpp"
#include "scoring/looks.hpp"
#include "scoring/score.hpp"
#include "scoring/summarize.hpp"

namespace ravi {
namespace {

// What every step looks at, and none changes.
struct Setting {
  const Outcome& outcome;
  const Model& model;
  const Approximation& prototype;
  const Options& options;
  Monitor& monitor;
  const Reference* reference;

  Answer scored(const Components& q, std::uint32_t which, Detail detail,
                const Background& background) const {
    Answer answer = score(model, q, options, which, detail, background);
    if (reference) answer.reference = compare_with(*reference, answer.q);
    return answer;
  }

  // Of one chain, or of all of them.
  Background background(std::optional<std::size_t> chain) const {
    const ChainRun& run = outcome.run;
    Background result{.least_error = run.exact ? run.error : 0};
    const Index of_chain = count(Limit::parts_of_chain);
    const std::vector<Block> parts = outcome.iterates.parts(of_chain);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (chain && i / static_cast<std::size_t>(of_chain) != *chain) continue;
      result.parts.push_back([this, part = parts[i].mean] { return prototype.member(part); });
    }
    return result;
  }
};

Fit gather(const Setting& in) {
  const RunReport& report = in.outcome.report;
  Fit fit{.dimension = in.model.dimension(), .options = in.options};
  fit.termination = in.outcome.run.termination;
  fit.iterations = report.iteration;
  fit.averaging_started_at = in.outcome.run.averaging_started_at;
  fit.gradient_evaluations = report.evaluations;
  fit.cost = {.search = report.of_searches, .averaging = report.evaluations - report.of_searches};
  fit.failed_draws = report.failed_draws;
  fit.khat_threshold = khat_threshold(in.options.psis_draws);
  fit.trace = in.monitor.trace();
  fit.search_elbo = report.search_elbo;
  fit.chain_elbo = report.chain_elbo;
  fit.findings = judge_report(report, in.model, in.options);
  append(fit.findings, in.outcome.findings);
  return fit;
}

void record(const JudgedRun& judged, const Setting& in, Fit& fit) {
  const ChainRun& run = in.outcome.run;
  fit.components = judged.components;
  fit.rhat_max = judged.rhat.value;
  if (!fit.trace.empty()) fit.trace.back().rhat_max = judged.rhat.value;  // which was decisive
  fit.rhat_limit = run.limits.rhat;
  fit.error = run.error;
  fit.rhat_parameter = in.monitor.component(judged.rhat.component);
  fit.mcse_median = run.precision.mcse_median;
  fit.mcse_max = run.precision.mcse_max;
  fit.ess_min = run.precision.ess_min;
  fit.ess_limit = run.limits.ess;
  fit.tail_index_max = judged.tail_index.value;
  fit.tail_index_limit = run.tail_index_limit;
  append(fit.findings, judged.findings);
  if (run.termination == Termination::elbo_settled) {
    fit.findings.push_back(
        {.code = FindingCode::stopped_by_elbo, .iteration = in.outcome.report.iteration});
  }
}

Answer last_iterate(const Setting& in) {
  const auto q = in.prototype.member(in.outcome.last_lambda);
  if (in.outcome.last_iterate == Outcome::LastIterate::scored) {
    return in.scored({q.get()}, stream_of::last_iterate, Detail::score_only, {});
  }
  Answer answer{.q = q->moments()};
  if (in.reference) answer.reference = compare_with(*in.reference, answer.q);
  return answer;
}

// Each chain's own answer, with its mode and that mode's share of the mass.
std::vector<Answer> score_chains(const Setting& in, const Agreement& agreement, Cost& cost) {
  std::vector<Answer> chains;
  for (std::size_t j = 0; j < agreement.chain_average.size(); ++j) {
    const auto q = in.prototype.member(agreement.chain_average[j]);
    chains.push_back(in.scored({q.get()}, stream_of::first_chain + static_cast<std::uint32_t>(j),
                               Detail::summaries, in.background(j)));
    cost.scoring += chains.back().importance_draws;
  }
  weigh_modes(agreement.mode_of_chain, chains);
  return chains;
}

auto disagreement_in(const Fit& fit) {
  return std::ranges::find(fit.findings, FindingCode::chains_disagree, &Finding::code);
}

// Modes that chains have settled in, each with the average of its chains, and which those are; and
// other optima that searches found, and what they have left.
struct AllModes {
  std::vector<std::unique_ptr<Approximation>> averages = {};
  std::vector<const Approximation*> q = {};
  std::vector<ModeSummary> known = {};  // of each component: who came there
  Background background = {};
};

AllModes gather_modes(const Setting& in, const Agreement& agreement) {
  AllModes all;
  const auto same = [&](const Approximation& q) {
    return [&](const auto& average) { return same_optimum(*average, q); };
  };
  for (int m = 1; m <= std::ranges::max(agreement.mode_of_chain); ++m) {
    std::vector<Vector> of_chains;
    ModeSummary mode;
    for (std::size_t j = 0; j < agreement.mode_of_chain.size(); ++j) {
      if (agreement.mode_of_chain[j] != m) continue;
      of_chains.push_back(agreement.chain_average[j]);
      mode.chains.push_back(static_cast<int>(j) + 1);
    }
    all.averages.push_back(in.prototype.member(mean_of(of_chains)));
    all.q.push_back(all.averages.back().get());
    all.known.push_back(std::move(mode));
  }
  // Chains may have gone on to another mode, or have been moved by the noise of one that is near.
  for (const Optimum& optimum : in.outcome.optima) {
    std::set<int> there;
    for (const std::size_t j : optimum.chains) there.insert(agreement.mode_of_chain[j]);
    for (const int m : there) all.known[static_cast<std::size_t>(m - 1)].seen += optimum.seen;
    if (std::ranges::any_of(all.averages, same(*optimum.q))) continue;
    if (optimum.seen > 0) {
      all.q.push_back(optimum.q);
      all.known.emplace_back().seen = optimum.seen;
    } else {
      all.background.others.push_back(optimum.q);
    }
  }
  return all;
}

// All modes as one answer, which is their mixture, and what is the matter with it.
struct Mixture {
  AllModes all;
  Answer answer;
  std::vector<Finding> findings;
  bool one_region = false;

  // In one region it must be as near to the posterior as a q that bends: of a funnel, whose neck no
  // Gaussian fits, the weights look good otherwise.
  bool good() const {
    return trustworthy(judge(findings)) && (!one_region || weights_good(answer));
  }
};

std::optional<Mixture> mixture_of(const Setting& in, const Agreement& agreement, Fit& fit) {
  if (in.outcome.poor_weights == Outcome::PoorWeights::told ||
      disagreement_in(fit) == fit.findings.end()) {
    return {};
  }
  Mixture result{.all = gather_modes(in, agreement), .answer = {}, .findings = {}};
  const Background& background = result.all.background;
  const Components q(result.all.q.begin(), result.all.q.end());
  result.answer = in.scored(q, stream_of::average, Detail::summaries, background);
  fit.cost.scoring += result.answer.importance_draws;
  describe_modes(result.all.known, result.answer);
  result.one_region = regions(in.model, result.answer.modes).size() == 1;
  result.findings = judge_modes(in.model, result.answer);
  append(result.findings,
         judge_answer(result.answer, fit.khat_threshold, !background.others.empty()));
  append(result.findings, judge_quantities(result.answer));
  return result;
}

// What the answer is to be made of: the average of all chains; where they are apart but in one
// region, the heaviest component.
struct Chosen {
  std::unique_ptr<Approximation> q = {};
  std::optional<std::size_t> chain = {};
};

Chosen heaviest_of(const Mixture& mixture) {
  const auto component =
      static_cast<std::size_t>(mixture.answer.modes.front().components.front() - 1);
  Chosen chosen{.q = mixture.all.q[component]->clone()};
  const std::vector<int>& chains = mixture.all.known[component].chains;
  if (!chains.empty()) chosen.chain = static_cast<std::size_t>(chains.front() - 1);
  return chosen;
}

Vector furthest_above_q(const WeightedDraws& draws) {
  const Vector log_ratio = draws.log_density - draws.log_q;
  Index largest = 0;
  log_ratio.maxCoeff(&largest);
  return draws.theta.col(largest);
}

// Draws that have forgotten where they began do not depend on how q came to rest.
void forgive_unrest(const ChainRun& run, std::vector<Finding>& findings) {
  if (std::erase_if(findings, about_rest) == 0) return;
  findings.push_back({FindingCode::q_unsettled, run.rhat.value, run.limits.rhat});
}

// The answer by weights, and what was found beyond q on the way.
struct Weighed {
  Answer answer;
  Background background;  // other optima, of which draws are among those that are weighed
  std::unique_ptr<Approximation> further = {};  // one of them
};

Weighed weigh(const Setting& in, const Chosen& chosen, double khat_threshold, Cost& cost) {
  Weighed result{.answer = {}, .background = in.background(chosen.chain)};
  Background& background = result.background;
  for (const Optimum& optimum : in.outcome.optima) {
    if (!same_optimum(*optimum.q, *chosen.q)) background.others.push_back(optimum.q);
  }
  const auto scored = [&] {
    Answer answer = in.scored({chosen.q.get()}, stream_of::average, Detail::summaries, background);
    cost.scoring += answer.importance_draws;
    return answer;
  };
  result.answer = scored();
  if (in.outcome.search_further && tail_may_hide_more(result.answer, khat_threshold)) {
    Further further = in.outcome.search_further(furthest_above_q(result.answer.draws));
    cost.search += further.evaluations;
    if (further.q) {
      result.further = std::move(further.q);
      background.others.push_back(result.further.get());
      result.answer = scored();
    }
  }
  return result;
}

// Moves the draws of an answer, in the coordinates of one q after the other until they come to
// rest.
void move(const Setting& in, const std::vector<const Transport*>& coordinates, Answer& answer,
          Cost& cost) {
  for (const Transport* q : coordinates) {
    answer.moves.reset();
    in.monitor.enter(Phase::moving, most_transitions(), "transitions");
    move_draws(in.model, *q, in.options, stream_of::average, in.monitor.stop_requested(), answer,
               [&] { in.monitor.count_one(); });
    if (!answer.moves) return;
    cost.moving += answer.moves->gradient_evaluations;
    if (answer.moves->kept) return;
  }
}

// Where the weights of a Gaussian will not do, one that bends may; and where that one is better,
// but not good, its draws are those that are moved. In its own coordinates they come into necks,
// but pass through all its layers at every step of a trajectory: those of the Gaussian are tried
// first. Returns what is the matter afterwards, of what was before.
std::vector<Finding> correct(const Setting& in, const Approximation& gaussian,
                             std::vector<Finding> findings, Weighed& weighed, Cost& cost) {
  Answer& answer = weighed.answer;
  const std::atomic<bool>* stop = in.monitor.stop_requested();
  const bool needed = needs_moving(findings, answer);
  if (in.outcome.poor_weights == Outcome::PoorWeights::told ||
      !(needed || may_see_more(findings, answer))) {
    return findings;
  }
  std::optional<BentAnswer> bent;
  if (needed && can_bend(gaussian)) {
    in.monitor.enter(Phase::bending, 0, "gradients");
    const auto scored = [&](const Transport& q) {
      Answer of_q = in.scored({&q}, stream_of::bent, Detail::summaries,
                              {.others = weighed.background.others});
      cost.scoring += of_q.importance_draws;
      return of_q;
    };
    bent = bend_answer(in.model, gaussian, in.options, stop, scored, cost.bending);
  }
  std::vector<const Transport*> coordinates{&gaussian};
  if (bent && (bent->good || bent->answer.perplexity > answer.perplexity)) {
    answer = std::move(bent->answer);
    coordinates.push_back(bent->q.get());
  }
  if (bent && bent->good) {
    append(findings, bent->findings);
    forgive_unrest(in.outcome.run, findings);
    return findings;
  }
  move(in, coordinates, answer, cost);
  if (const auto& moves = answer.moves) {
    if (needed) append(findings, judge_moves(*moves));
    if (moves->kept) forgive_unrest(in.outcome.run, findings);
  } else if (requested(stop)) {
    findings.push_back(
        {.code = FindingCode::interrupted, .iteration = in.outcome.report.iteration});
  }
  return findings;
}

void add_answer(const Setting& in, const Chosen& chosen, Fit& fit) {
  const Cost before = fit.cost;
  Weighed weighed = weigh(in, chosen, fit.khat_threshold, fit.cost);
  fit.findings = correct(in, *chosen.q, std::move(fit.findings), weighed, fit.cost);
  Answer& answer = weighed.answer;
  fit.gradient_evaluations += fit.cost.search - before.search + fit.cost.bending + fit.cost.moving;
  append(fit.findings,
         judge_answer(answer, fit.khat_threshold, !weighed.background.others.empty()));
  append(fit.findings, judge_quantities(answer));
  fit.average = std::move(answer);
}

// Where chains have settled in different places: the mixture, if that is good. In one region, where
// a Gaussian fits in several places, else the heaviest of them, corrected as any other q. Otherwise
// each chain has an answer of its own.
void add_answers_apart(const Setting& in, const Agreement& agreement, Fit& fit) {
  std::optional<Mixture> mixture = mixture_of(in, agreement, fit);
  const auto take = [&] {
    fit.findings.erase(disagreement_in(fit));
    append(fit.findings, mixture->findings);
    fit.average = std::move(mixture->answer);
  };
  if (mixture && mixture->good()) return take();
  if (mixture && mixture->one_region) {
    Fit attempt = fit;
    attempt.findings.erase(disagreement_in(attempt));
    add_answer(in, heaviest_of(*mixture), attempt);
    if (trustworthy(judge(attempt.findings))) {
      fit = std::move(attempt);
      return;
    }
    attempt.average.reset();
    attempt.findings.push_back(*disagreement_in(fit));
    attempt.findings.back().code = FindingCode::optima_connected;
    fit = std::move(attempt);
  }
  if (mixture) fit.findings.push_back(why_apart(mixture->findings));
  fit.chains = score_chains(in, agreement, fit.cost);
}

}  // namespace

Fit conclude(const Outcome& outcome, const Model& model, const Approximation& prototype,
             const Options& options, Monitor& monitor, const Reference* reference) {
  const Setting in{outcome, model, prototype, options, monitor, reference};
  std::optional<Judging> judging(std::in_place, monitor);
  Fit fit = gather(in);
  if (outcome.run.termination == Termination::diverged) {
    fit.rhat_max = kInf;
    fit.last_iterate = Answer{.q = prototype.member(outcome.last_lambda)->moments()};
  } else {
    const JudgedRun judged = judge_run(outcome.run, outcome.iterates, prototype, options, monitor);
    record(judged, in, fit);
    judging.reset();

    const bool score_last = outcome.last_iterate == Outcome::LastIterate::scored;
    const std::size_t answers =
        (judged.apart ? judged.agreement.chain_average.size() : 1) + (score_last ? 1 : 0);
    monitor.enter(Phase::scoring, static_cast<long>(answers) * most_importance_draws(options),
                  "importance draws");
    fit.last_iterate = last_iterate(in);
    if (score_last) fit.cost.scoring += fit.last_iterate->importance_draws;
    if (judged.apart) {
      add_answers_apart(in, judged.agreement, fit);
    } else if (outcome.run.average.size() > 0) {
      add_answer(in, {.q = prototype.member(outcome.run.average)}, fit);
    }
  }
  fit.verdict = judge(fit.findings);
  judging.reset();
  fit.timing = monitor.stopwatch().read();
  fit.timing.threads = resolve_threads(options.threads);
  return fit;
}

}  // namespace ravi
