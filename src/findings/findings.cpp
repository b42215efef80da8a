// The one table of everything ravi can say about a fit.
#include "ravi/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <tuple>

namespace ravi {
namespace {

using enum FindingCode;

// Where q is too far from the posterior.
constexpr const char* kReparameterize =
    "reparameterize (effects of groups non-centered where the data say little of each, centered "
    "where they say much; log scale), or use MCMC";

// Averaging ends after so many windows, not iterations; with more draws steps have less noise.
constexpr const char* kLongerRounds =
    "raise --window tenfold, which makes the rounds of averaging as much longer, or --draws; if "
    "that does not help, reparameterize the model";
constexpr const char* kMoreIterations = "raise --max-iterations";
constexpr const char* kNotByElbo =
    "lower --elbo-threshold, or use --stop mcse or --stop fixed, which do not look at the ELBO";

// What follows from a run that was too short, from one that has not come to rest, and from
// densities that could not be computed.
constexpr std::array kOfTooShort = {average_imprecise, few_effective_iterates};
constexpr std::array kOfUnrest = {not_stationary,         window_too_short,      average_imprecise,
                                  few_effective_iterates, iterates_heavy_tailed, approximation_poor,
                                  few_draws_count,        means_unknown,         moves_unsettled};
constexpr std::array kOfFailedDraws = {
    iterates_diverged, chains_disagree,        not_stationary,        window_too_short,
    average_imprecise, few_effective_iterates, iterates_heavy_tailed, approximation_poor,
    few_draws_count,   means_unknown,          moves_unsettled};
constexpr std::array kOfTooEarly = {not_stationary, average_imprecise, few_effective_iterates};
constexpr std::array kFailedDraws = {draws_failed, few_draws_failed};

constexpr std::array kTable = {
    FindingWords{gradient_wrong, "gradient-wrong", Severity::failure, Verdict::failed,
                 "the gradient is not that of the log density: nothing was fitted",
                 "mend the gradient; 'ravi check' shows it beside finite differences of the log "
                 "density, coordinate by coordinate",
                 "ravi: central differences at the starts, in random directions",
                 "gradient over finite difference"},
    FindingWords{density_flat, "density-flat", Severity::failure, Verdict::failed,
                 "the log density does not depend on a parameter, so that there is no posterior "
                 "distribution of it: nothing was fitted",
                 "give the parameter a prior, or leave it out",
                 "ravi: differences of the log density at the starts"},
    FindingWords{iterates_diverged, "iterates-diverged", Severity::failure, Verdict::failed,
                 "a chain left the range of finite numbers",
                 "look for a parameter whose scale is far from 1, and for a density that grows "
                 "without end: give it a proper prior",
                 "ravi: iterates that are not finite have no R-hat"},
    FindingWords{
        density_not_computable, "density-not-computable", Severity::failure, Verdict::failed,
        "the log density could not be computed at any draw of a whole window",
        "evaluate the model at a few ordinary points, on the unconstrained scale: it must be "
        "finite at some of them",
        "ravi: failed draws are counted, never redrawn", "", kFailedDraws},
    FindingWords{
        draws_failed, "draws-failed", Severity::warning, Verdict::accurate,
        "the log density could not be computed at a large share of the draws, which biases "
        "the ELBO towards where it could",
        "look for bounds that a declaration lacks, divisions by zero, logarithms of negative "
        "numbers or overflow in the model",
        "ravi: failed draws are counted, never redrawn", "share of draws", kOfFailedDraws},
    FindingWords{
        few_draws_failed, "few-draws-failed", Severity::note, Verdict::accurate,
        "the log density could not be computed at some draws, which were left out",
        "harmless when the start is the cause; otherwise look for bounds that a declaration "
        "lacks, divisions by zero, logarithms of negative numbers or overflow in the model",
        "ravi: failed draws are counted, never redrawn", "share of draws", kOfFailedDraws},
    FindingWords{quantities_not_finite, "quantities-not-finite", Severity::warning,
                 Verdict::accurate,
                 "a quantity could not be computed, or is infinite, at some draws; its summary is "
                 "over the others",
                 "look at how it is computed", "ravi: what could not be computed is counted",
                 "share of draws"},
    FindingWords{no_parameters, "no-parameters", Severity::note, Verdict::accurate,
                 "the model has no parameters: its quantities were drawn, nothing was approximated",
                 "if there should be parameters, declare them in the model",
                 "ravi: without parameters there is no posterior"},
    FindingWords{
        data_unread, "data-unread", Severity::warning, Verdict::accurate,
        "the data have names that the program does not declare: nothing reads them",
        "nothing, if the data serve other programs too; otherwise look for a misspelled name",
        "ravi: data that are not read are not modeled"},
    FindingWords{minor_modes, "minor-modes", Severity::note, Verdict::accurate,
                 "some starts ended in other optima, which hold almost none of the posterior's "
                 "mass and were dropped",
                 "nothing, unless you expected one of them",
                 "ravi: optima are compared by their evidence, by importance sampling",
                 "largest share of one"},
    FindingWords{other_modes_weighted, "other-modes-weighted", Severity::note, Verdict::usable,
                 "q does not cover all of the mass; draws around other optima that the searches "
                 "found have their share by importance weights",
                 "use the weighted summaries and draws, not q",
                 "ravi: the evidence of q's own draws against that of all draws",
                 "q's share of the mass"},
    FindingWords{chains_disagree, "chains-disagree", Severity::failure, Verdict::not_converged,
                 "the chains settled on different answers",
                 "the posterior may have several modes: compare the answers of the chains, which "
                 "are listed apart; constrain or reparameterize the model if some are not meant",
                 "Algorithm 1, line 9: max R-hat >= tau", "R-hat"},
    FindingWords{modes_apart, "modes-apart", Severity::warning, Verdict::not_converged,
                 "the modes that the chains settled in could not be made one answer",
                 "look at what is the matter with it: a mode that was found once is a sign of "
                 "others that were not, and one that no Gaussian fits wants other parameters",
                 "ravi: the mixture of all modes, weighed as one q", "starts that came to it"},
    FindingWords{
        modes_combined, "modes-combined", Severity::note, Verdict::accurate,
        "no one Gaussian fits this posterior: q is a mixture of several, each weighed by its "
        "mass",
        "look at its modes, and constrain the model where some are not meant; one that no "
        "start came to is not among them",
        "ravi: modes by searches from many starts, masses by importance sampling", "modes"},
    FindingWords{optima_connected, "optima-connected", Severity::failure, Verdict::unreliable,
                 "a Gaussian fits this posterior in several places that are not modes of their "
                 "own: the density does not fall between them, as in a funnel or a bent ridge",
                 kReparameterize, "ravi: log densities along the line between the optima", "R-hat"},
    FindingWords{
        not_stationary, "not-stationary", Severity::failure, Verdict::not_converged,
        "R-hat has not fallen below its limit: the chains are still moving, or move too slowly for "
        "the length of the run",
        kLongerRounds, "Algorithm 1, line 9: max R-hat >= tau", "R-hat", kOfTooShort},
    FindingWords{window_too_short, "window-too-short", Severity::failure, Verdict::not_converged,
                 "R-hat stays high over the last window although the chains agree over the second "
                 "half of the run: the window spans too few autocorrelation times to tell",
                 "raise --window (twenty times is a good try), or use --stop fixed",
                 "Dhaka et al. 2020, section 3.2, on autocorrelation and W", "R-hat"},
    FindingWords{average_imprecise, "average-imprecise", Severity::failure, Verdict::not_converged,
                 "the Monte Carlo error of the average did not fall below its limit", kLongerRounds,
                 "Algorithm 1, line 15: MCSE < epsilon", "median MCSE"},
    FindingWords{few_effective_iterates, "few-effective-iterates", Severity::failure,
                 Verdict::not_converged,
                 "the iterates are so correlated that the average rests on few effective ones",
                 kLongerRounds, "Algorithm 1, line 15: ESS > e", "smallest ESS"},
    FindingWords{iterates_heavy_tailed, "iterates-heavy-tailed", Severity::failure,
                 Verdict::not_converged,
                 "the iterates have such heavy tails that their average must not be trusted",
                 "raise --draws tenfold", "Algorithm 1, line 9: k-hat of iterates > 1",
                 "tail index of iterates"},
    FindingWords{approximation_poor, "approximation-poor", Severity::failure, Verdict::unreliable,
                 "q is too far from the posterior for importance weights to correct it: its draws "
                 "may miss a large share of the mass",
                 kReparameterize,
                 "ravi, after Vehtari et al. 2024: the largest weight over 1 - k-hat",
                 "mass that may be missed"},
    FindingWords{
        few_draws_count, "few-draws-count", Severity::failure, Verdict::unreliable,
        "the importance weights rest on a small share of the draws: q is too far from the "
        "posterior for them to correct it",
        kReparameterize,
        "ravi: effective sample size under the weights, as a share of all draws, or perplexity of "
        "the weights of q's own",
        "share of q's draws that count"},
    FindingWords{
        means_unknown, "means-unknown", Severity::failure, Verdict::unreliable,
        "a parameter has such a long tail that it has no mean, or one that no number of draws "
        "would tell, or the posterior is improper",
        "reparameterize, give the parameter a proper prior if it has none, or use MCMC; "
        "medians and quantiles may still be meaningful",
        "ravi: how fast the density falls far out; the limit is that of Vehtari et al. 2024 "
        "for sums over draws",
        "shape of its tail"},
    FindingWords{density_coarse, "density-coarse", Severity::failure, Verdict::unreliable,
                 "the log density is so large a number that rounding hides how it varies near the "
                 "posterior: importance weights and verdicts rest on lost digits",
                 "leave out constants of the log density, or compute it in double precision",
                 "ravi: the distance between neighboring numbers, over the sd of log p under q",
                 "resolution in sds of log p"},
    FindingWords{sds_unknown, "sds-unknown", Severity::warning, Verdict::usable,
                 "the sd of a quantity rests on few draws, or does not exist: it is not shown",
                 "use its quantiles; they stay meaningful where the variance does not exist",
                 "ravi, after Vehtari et al. 2024: the largest term over 1 - k-hat"},
    FindingWords{
        moves_unsettled, "moves-unsettled", Severity::failure, Verdict::unreliable,
        "Hamiltonian transitions, which were to correct the draws, have not come to rest: draws "
        "still know where they were a round of moves ago",
        kReparameterize,
        "Margossian et al. 2024: nested R-hat, rank-normalized and folded, of draws that began "
        "near each other",
        "nested R-hat of moved draws"},
    FindingWords{driver_end_open, "driver-end-open", Severity::warning, Verdict::usable,
                 "the density of a parameter that drives others has not fallen where draws of it "
                 "end: there may be more beyond, which neither k-hat nor weights show",
                 "use what is reported of it on its own scale; of the logarithm of a scale the "
                 "lower tail is not known",
                 "ravi: density of the drivers at the ends of their draws", "nats below its top"},
    FindingWords{q_bent, "q-bent", Severity::note, Verdict::usable,
                 "a Gaussian does not fit, but one does whose means and scales follow a few "
                 "parameters that drive the others; two such fits agree",
                 "use the weighted summaries and draws; far ends of what drives, such as how near "
                 "a scale comes to 0, were not checked",
                 "ravi: third derivatives of log p, and gradients given the drivers",
                 "divergence of the two"},
    FindingWords{draws_moved, "draws-moved", Severity::note, Verdict::usable,
                 "importance weights do not correct q here, so draws were moved by Hamiltonian "
                 "transitions until "
                 "they had forgotten q and their moments stayed",
                 "use the summaries and draws.csv, which are those of the moved draws",
                 "ravi, after Neal 2011: transitions that leave the posterior as it is",
                 "transitions of each draw"},
    FindingWords{
        q_unsettled, "q-unsettled", Severity::note, Verdict::usable,
        "the chains have not come to rest, so that their q is not the best one; the draws, which "
        "were moved or are of a q fitted afresh, do not depend on it",
        "use the summaries and draws.csv, not q",
        "ravi, after Neal 2011: transitions that leave the posterior as it is", "R-hat"},
    FindingWords{
        weights_needed, "weights-needed", Severity::note, Verdict::usable,
        "q is close enough to the posterior to be corrected, not to be used as it is",
        "use the weighted summaries and draws",
        "the weights' effective sample size as a share of the draws; Yao et al. 2018, section 3",
        "effective share of q's draws"},
    FindingWords{
        tail_without_weight, "tail-without-weight", Severity::note, Verdict::accurate,
        "k-hat is above its usual limit, but the tail it describes carries little weight; the "
        "flank of a narrow mode that no search has found would look the same",
        "nothing; --psis-draws 40000 gives a firmer judgment",
        "ravi: k-hat alone cries wolf where the weights hardly vary", "k-hat of q"},
    FindingWords{single_chain, "single-chain", Severity::note, Verdict::accurate,
                 "one chain alone cannot see other modes", "use --chains 4",
                 "Dhaka et al. 2020, section 4: R-hat detects optimization failure"},
    FindingWords{stopped_by_elbo, "stopped-by-elbo", Severity::note, Verdict::accurate,
                 "the run ended when the ELBO seemed to settle, which is often too early",
                 "use --stop mcse or --stop fixed", "Dhaka et al. 2020, figure 1", "", kOfTooEarly},
    FindingWords{interrupted, "interrupted", Severity::failure, Verdict::not_converged,
                 "the run was stopped before it was done",
                 "run it again, and let it come to its end", "the user's request", "", kOfUnrest},
};

// Advice that is good for one method, or after one kind of end, and no other: the first row that
// fits is taken. Where no row does, that of the table above is.
struct OtherAdvice {
  FindingCode code;
  std::string_view method;  // empty: any
  std::optional<Termination> termination;
  std::string_view advice;
};

constexpr std::array kOtherAdvice = {
    OtherAdvice{iterates_diverged,
                "paper",
                {},
                "lower --step-size by a factor of 10; if it happens again, look for a parameter "
                "whose scale is far from 1"},
    OtherAdvice{density_not_computable,
                "paper",
                {},
                "evaluate the model at a few ordinary points, on the unconstrained scale; if it is "
                "finite there, lower --step-size"},
    OtherAdvice{not_stationary, "paper", Termination::elbo_settled, kNotByElbo},
    OtherAdvice{average_imprecise, "paper", Termination::elbo_settled, kNotByElbo},
    OtherAdvice{few_effective_iterates, "paper", Termination::elbo_settled, kNotByElbo},
    OtherAdvice{
        not_stationary,
        "paper",
        {},
        "raise --max-iterations, or raise --step-size if R-hat falls steadily in the trace"},
    OtherAdvice{average_imprecise, "paper", {}, kMoreIterations},
    OtherAdvice{few_effective_iterates, "paper", {}, kMoreIterations},
    OtherAdvice{iterates_heavy_tailed, "paper", {}, "lower --step-size or raise --draws"},
    OtherAdvice{not_stationary, "", Termination::max_iterations, kMoreIterations},
    OtherAdvice{average_imprecise, "", Termination::max_iterations, kMoreIterations},
    OtherAdvice{few_effective_iterates, "", Termination::max_iterations, kMoreIterations},
    OtherAdvice{iterates_heavy_tailed, "", Termination::max_iterations, kMoreIterations},
};

// The words of a model, if it had any, are what tells that a few failed draws are the cause.
bool explains(const Finding& cause, const Finding& finding) {
  if (cause.code == few_draws_failed && cause.detail.empty()) return false;
  const auto& codes = words(cause.code).explains;
  return std::ranges::find(codes, finding.code) != codes.end();
}

bool explained_away(const Finding& finding, const std::vector<Finding>& findings) {
  return std::ranges::any_of(findings, [&](const Finding& cause) {
    return explains(cause, finding) && words(cause.code).worst >= words(finding.code).worst;
  });
}

bool is_of_a_chain(std::string_view parameter) { return parameter.starts_with("chain "); }

}  // namespace

std::string_view name(Termination termination) {
  switch (termination) {
    case Termination::not_started:
      return "not-started";
    case Termination::converged:
      return "converged";
    case Termination::elbo_settled:
      return "elbo-settled";
    case Termination::iterations_done:
      return "iterations-done";
    case Termination::max_iterations:
      return "max-iterations";
    case Termination::rounds_done:
      return "rounds-done";
    case Termination::diverged:
      return "diverged";
    case Termination::interrupted:
      return "interrupted";
  }
  std::abort();
}

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::accurate:
      return "accurate";
    case Verdict::usable:
      return "usable";
    case Verdict::unreliable:
      return "unreliable";
    case Verdict::not_converged:
      return "not-converged";
    case Verdict::failed:
      return "failed";
  }
  std::abort();
}

std::string_view meaning(Verdict verdict) {
  switch (verdict) {
    case Verdict::accurate:
      return "the approximation is close to the posterior: use it";
    case Verdict::usable:
      return "the corrected summaries and draws are good: use those, not q";
    case Verdict::unreliable:
      return "the optimization worked, but q cannot represent this posterior: do not rely on it";
    case Verdict::not_converged:
      return "the optimization did not settle: do not use this answer";
    case Verdict::failed:
      return "there is no answer: the optimization broke down";
  }
  std::abort();
}

bool trustworthy(Verdict verdict) {
  return verdict == Verdict::accurate || verdict == Verdict::usable;
}

std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::failure:
      return "failure";
  }
  std::abort();
}

std::span<const FindingWords> finding_table() { return kTable; }

const FindingWords& words(FindingCode code) {
  return *std::ranges::find(kTable, code, &FindingWords::code);
}

std::string_view measure_of(const Finding& finding) {
  return finding.measure.empty() ? words(finding.code).measure : finding.measure;
}

std::string describe(const Finding& finding) {
  std::vector<std::string> facts;
  const std::string_view measure = measure_of(finding);
  if (!std::isnan(finding.observed)) {
    facts.push_back(
        fmt::format("{}{}{:.3g}", measure, measure.empty() ? "" : " ", finding.observed));
  }
  if (!std::isnan(finding.limit)) facts.push_back(fmt::format("limit {:.3g}", finding.limit));
  if (!finding.parameter.empty()) {
    const bool of_a_number = !std::isnan(finding.observed) && !is_of_a_chain(finding.parameter);
    facts.push_back((of_a_number ? "in " : "") + finding.parameter);
  }
  if (finding.iteration >= 0) facts.push_back(fmt::format("iteration {}", finding.iteration));
  std::string text(words(finding.code).message);
  if (!facts.empty()) text += fmt::format(" ({})", fmt::join(facts, ", "));
  if (!finding.detail.empty()) text += fmt::format("; the model says: {}", finding.detail);
  return text;
}

std::string advice(const Finding& finding, const Options& options, Termination termination) {
  std::string_view text = words(finding.code).advice;
  for (const OtherAdvice& other : kOtherAdvice) {
    if (other.code != finding.code || (!other.method.empty() && other.method != options.method) ||
        (other.termination && *other.termination != termination)) {
      continue;
    }
    text = other.advice;
    break;
  }
  if (text == kReparameterize && options.family == "mean-field") {
    return fmt::format("try --family full-rank, {}", text);
  }
  return std::string(text);
}

std::vector<Finding> in_order(std::vector<Finding> findings) {
  std::vector<Finding> listed;
  std::ranges::copy_if(findings, std::back_inserter(listed),
                       [&](const Finding& f) { return !explained_away(f, findings); });
  findings = listed;
  std::ranges::stable_sort(listed, {}, [&](const Finding& finding) {
    const FindingWords& w = words(finding.code);
    const bool cause = std::ranges::any_of(
        findings, [&](const Finding& other) { return explains(finding, other); });
    return std::tuple(!cause, -static_cast<int>(w.severity), &w - kTable.data());
  });
  return listed;
}

Verdict judge(const std::vector<Finding>& findings) {
  Verdict verdict = Verdict::accurate;
  for (const Finding& f : findings) verdict = std::max(verdict, words(f.code).worst);
  return verdict;
}

}  // namespace ravi
