// The one table of everything ravi can say about a fit.
#include "ravi/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace ravi {
namespace {

using enum FindingCode;

// Where q is too far from the posterior.
constexpr const char* kReparameterize =
    "reparameterize (effects of groups non-centered where the data say little of each, centered "
    "where they say much; log scale), try --family full-rank if it was mean-field, or use MCMC";

constexpr std::array kTable = {
    FindingWords{gradient_wrong, "gradient-wrong", Severity::failure, Verdict::failed,
                 "the gradient is not that of the log density: nothing was fitted",
                 "mend the gradient; the numbers are what it has and what finite differences of "
                 "the log density have for the first coordinate named, and 'ravi check' shows all",
                 "ravi: central differences at the starts, in random directions"},
    FindingWords{density_flat, "density-flat", Severity::failure, Verdict::failed,
                 "the log density does not depend on a parameter, so that there is no posterior "
                 "distribution of it: nothing was fitted",
                 "give the parameter a prior, or leave it out",
                 "ravi: differences of the log density at the starts"},
    FindingWords{iterates_diverged, "iterates-diverged", Severity::failure, Verdict::failed,
                 "a chain left the range of finite numbers",
                 "lower --step-size by a factor of 10; if it happens again, look for a parameter "
                 "whose scale is far from 1",
                 "ravi: iterates that are not finite have no R-hat"},
    FindingWords{density_not_computable, "density-not-computable", Severity::failure,
                 Verdict::failed,
                 "the log density could not be computed at any draw of a whole window",
                 "evaluate the model at a few ordinary points; if it is finite there, lower "
                 "--step-size",
                 "ravi: failed draws are counted, never redrawn"},
    FindingWords{
        draws_failed, "draws-failed", Severity::warning, Verdict::accurate,
        "the log density could not be computed at a large share of the draws, which biases "
        "the ELBO towards where it could",
        "look for divisions by zero, logarithms of negative numbers or overflow in the "
        "model; lower --step-size if the start is the cause",
        "ravi: failed draws are counted, never redrawn"},
    FindingWords{few_draws_failed, "few-draws-failed", Severity::note, Verdict::accurate,
                 "the log density could not be computed at some draws, which were left out",
                 "harmless when the start is the cause; otherwise look for divisions by zero, "
                 "logarithms of negative numbers or overflow in the model",
                 "ravi: failed draws are counted, never redrawn"},
    FindingWords{quantities_not_finite, "quantities-not-finite", Severity::warning,
                 Verdict::accurate,
                 "a quantity could not be computed, or is infinite, at some draws; its summary is "
                 "over the others",
                 "look at how it is computed: the share of such draws is the first number",
                 "ravi: what could not be computed is counted"},
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
                 "nothing, unless you expected one of them; the number is the largest share that a "
                 "dropped one holds",
                 "ravi: optima are compared by their evidence, by importance sampling"},
    FindingWords{other_modes_weighted, "other-modes-weighted", Severity::note, Verdict::usable,
                 "the searches found other modes with mass, which q does not cover; draws from "
                 "them have their share by importance weights",
                 "use the weighted summaries and draws, not q; the number is q's share of the mass",
                 "ravi: the evidence of q's own draws against that of all draws"},
    FindingWords{chains_disagree, "chains-disagree", Severity::failure, Verdict::not_converged,
                 "the chains settled on different answers",
                 "the posterior may have several modes: compare the answers of the chains, which "
                 "are listed apart; constrain or reparameterize the model if some are not meant",
                 "Algorithm 1, line 9: max R-hat >= tau"},
    FindingWords{optima_connected, "optima-connected", Severity::failure, Verdict::unreliable,
                 "a Gaussian fits this posterior in several places that are not modes of their "
                 "own: the density does not fall between them, as in a funnel or a bent ridge",
                 kReparameterize, "ravi: log densities along the line between the optima"},
    FindingWords{
        not_stationary, "not-stationary", Severity::failure, Verdict::not_converged,
        "R-hat has not fallen below its limit: the chains are still moving, or move too slowly for "
        "the length of the run",
        "raise --max-iterations, or raise --step-size if R-hat falls steadily in the trace",
        "Algorithm 1, line 9: max R-hat >= tau"},
    FindingWords{window_too_short, "window-too-short", Severity::failure, Verdict::not_converged,
                 "R-hat stays high over the last window although the chains agree over the second "
                 "half of the run: the window spans too few autocorrelation times to tell",
                 "raise --window (five times is a good try), or use --stop fixed",
                 "Dhaka et al. 2020, section 3.2, on autocorrelation and W"},
    FindingWords{average_imprecise, "average-imprecise", Severity::failure, Verdict::not_converged,
                 "the Monte Carlo error of the average did not fall below its limit",
                 "raise --max-iterations", "Algorithm 1, line 15: MCSE < epsilon"},
    FindingWords{few_effective_iterates, "few-effective-iterates", Severity::failure,
                 Verdict::not_converged,
                 "the iterates are so correlated that the average rests on few effective ones",
                 "raise --max-iterations", "Algorithm 1, line 15: ESS > e"},
    FindingWords{
        iterates_heavy_tailed, "iterates-heavy-tailed", Severity::failure, Verdict::not_converged,
        "the iterates have such heavy tails that their average must not be trusted",
        "lower --step-size or raise --draws", "Algorithm 1, line 9: k-hat of iterates > 1"},
    FindingWords{approximation_poor, "approximation-poor", Severity::failure, Verdict::unreliable,
                 "q is too far from the posterior for importance weights to correct it: its draws "
                 "may miss a large share of the mass",
                 kReparameterize,
                 "ravi, after Vehtari et al. 2024: the largest weight over 1 - k-hat"},
    FindingWords{
        few_draws_count, "few-draws-count", Severity::failure, Verdict::unreliable,
        "the importance weights rest on a small share of the draws: q is too far from the "
        "posterior for them to correct it",
        kReparameterize,
        "ravi: effective sample size under the weights, as a share of all draws, or perplexity of "
        "the weights of q's own"},
    FindingWords{means_unknown, "means-unknown", Severity::failure, Verdict::unreliable,
                 "a parameter has such long tails that its variance does not seem to exist, and "
                 "its mean, if there is one, has no error that could be told",
                 "reparameterize, give the parameter a proper prior if it has none, or use MCMC; "
                 "medians and quantiles may still be meaningful",
                 "ravi, after Vehtari et al. 2024: the largest term over 1 - k-hat"},
    FindingWords{density_coarse, "density-coarse", Severity::failure, Verdict::unreliable,
                 "the log density is so large a number that rounding hides how it varies near the "
                 "posterior: importance weights and verdicts rest on lost digits",
                 "leave out constants of the log density, or compute it in double precision",
                 "ravi: the distance between neighboring numbers, over the sd of log p under q"},
    FindingWords{sds_unknown, "sds-unknown", Severity::warning, Verdict::usable,
                 "the sd of a quantity rests on few draws, or does not exist: it is not shown",
                 "use its quantiles; they stay meaningful where the variance does not exist",
                 "ravi, after Vehtari et al. 2024: the largest term over 1 - k-hat"},
    FindingWords{
        moves_uneven, "moves-uneven", Severity::failure, Verdict::unreliable,
        "Hamiltonian transitions, which were to correct the draws, move some of them far more "
        "seldom than others: the posterior has places that are too narrow for their steps, such "
        "as the neck of a funnel, and mass there is missed",
        kReparameterize,
        "ravi: variance of the number of moves of a draw, over that of equal chances"},
    FindingWords{
        moves_unsettled, "moves-unsettled", Severity::failure, Verdict::unreliable,
        "Hamiltonian transitions, which were to correct the draws, have not come to rest: draws "
        "remember where they began, stay in tails, or their moments still change",
        kReparameterize,
        "ravi: correlation with the start and within tails; means and sds of halves of what was "
        "kept"},
    FindingWords{
        draws_moved, "draws-moved", Severity::note, Verdict::usable,
        "importance weights do not correct q here, so draws were moved until they had forgotten q "
        "and their moments stayed; the number is that of Hamiltonian transitions of each",
        "use the summaries and draws.csv, which are those of the moved draws",
        "ravi, after Neal 2011: transitions that leave the posterior as it is"},
    FindingWords{
        q_unsettled, "q-unsettled", Severity::note, Verdict::usable,
        "the chains have not come to rest, so that q is not the best one; the draws that were "
        "moved have forgotten it, and do not depend on it",
        "use the summaries and draws.csv, not q",
        "ravi, after Neal 2011: transitions that leave the posterior as it is"},
    FindingWords{
        weights_needed, "weights-needed", Severity::note, Verdict::usable,
        "q is close enough to the posterior to be corrected, not to be used as it is",
        "use the weighted summaries and draws",
        "the weights' effective sample size as a share of the draws; Yao et al. 2018, section 3"},
    FindingWords{tail_without_weight, "tail-without-weight", Severity::note, Verdict::accurate,
                 "k-hat is above its usual limit, but the tail it describes carries little weight",
                 "nothing; --psis-draws 40000 gives a firmer judgment",
                 "ravi: k-hat alone cries wolf where the weights hardly vary"},
    FindingWords{single_chain, "single-chain", Severity::note, Verdict::accurate,
                 "one chain alone cannot see other modes", "use --chains 4",
                 "Dhaka et al. 2020, section 4: R-hat detects optimization failure"},
    FindingWords{stopped_by_elbo, "stopped-by-elbo", Severity::note, Verdict::accurate,
                 "the run ended when the ELBO seemed to settle, which is often too early",
                 "use --stop mcse or --stop fixed", "Dhaka et al. 2020, figure 1"},
    FindingWords{interrupted, "interrupted", Severity::failure, Verdict::not_converged,
                 "the run was stopped before it was done",
                 "run it again, with fewer iterations if time is short", "the user's request"},
};

}  // namespace

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

std::string describe(const Finding& finding) {
  std::vector<std::string> facts;
  if (!std::isnan(finding.observed)) facts.push_back(fmt::format("{:.3g}", finding.observed));
  if (!std::isnan(finding.limit)) facts.push_back(fmt::format("limit {:.3g}", finding.limit));
  if (!finding.parameter.empty()) facts.push_back(finding.parameter);
  if (finding.iteration >= 0) facts.push_back(fmt::format("iteration {}", finding.iteration));
  std::string text(words(finding.code).message);
  if (!facts.empty()) text += fmt::format(" ({})", fmt::join(facts, ", "));
  if (!finding.detail.empty()) text += fmt::format("; the model says: {}", finding.detail);
  return text;
}

Verdict judge(const std::vector<Finding>& findings) {
  Verdict verdict = Verdict::accurate;
  for (const Finding& f : findings) verdict = std::max(verdict, words(f.code).worst);
  return verdict;
}

}  // namespace ravi
