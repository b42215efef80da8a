// Which draws of a fit the files hold, how they are weighted, and the words on which of them to
// use.
#include "output/draws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "diagnostics/psis.hpp"

namespace ravi {
namespace {

// As many as Stan's samplers give by default; more would repeat the same draws.
constexpr std::size_t kMostResampled = 4000;

bool has_draws(const Answer& answer) {
  const WeightedDraws& d = answer.draws;
  return d.plain > 0 && d.quantities.cols() >= d.plain &&
         d.quantities.rows() == static_cast<Index>(answer.parameters.size());
}

}  // namespace

std::vector<const Answer*> drawn_answers(const Fit& fit) {
  if (fit.average) {
    return has_draws(*fit.average) ? std::vector{&*fit.average} : std::vector<const Answer*>{};
  }
  std::vector<const Answer*> answers;
  for (const Answer& chain : fit.chains) {
    if (!has_draws(chain)) return {};
    answers.push_back(&chain);
  }
  return answers;
}

std::vector<std::string> quantity_names(const Answer& answer) {
  std::vector<std::string> names;
  for (const ParameterSummary& p : answer.parameters) names.push_back(p.name);
  return names;
}

std::vector<Index> plain_draws(const Answer& answer) {
  std::vector<Index> columns(static_cast<std::size_t>(answer.draws.plain));
  std::iota(columns.begin(), columns.end(), Index{0});
  return columns;
}

std::vector<Index> resampled_draws(const Answer& answer) {
  if (!answer.weighted) return {};
  const std::vector<Index>& all = answer.draws.resampled;
  return {all.begin(),
          all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), kMostResampled))};
}

std::string what_resampled_are(const Answer& answer) {
  return answer.moved()
             ? "Draws that Hamiltonian transitions have moved until they stand for the "
               "posterior: all count the same."
             : "Draws chosen by importance weight, with replacement: all count the same.";
}

Vector log_weights_of_q(const WeightedDraws& draws, Index count) {
  const Vector log_ratios = draws.log_density.head(count) - draws.log_q.head(count);
  return normalize_log_weights(psis(log_ratios).log_weights);
}

std::string which_draws(const Fit& fit) {
  if (!fit.average) {
    return "Do not pool the draws of the chains, which disagree: each has a draws_chain_#.csv of "
           "its "
           "own (a chain of posterior in fit.nc).";
  }
  const bool resampled = !resampled_draws(*fit.average).empty();
  if (fit.verdict == Verdict::accurate) {
    return std::string("Use draws.csv (posterior in fit.nc): draws of q, which is close enough.") +
           (resampled ? " draws_resampled.csv, chosen by weight, will do as well." : "");
  }
  if (fit.verdict == Verdict::usable && resampled) {
    return fmt::format(
        "Use draws_resampled.csv (posterior_resampled in fit.nc), {}, and not draws.csv "
        "(posterior), "
        "which is q without its {}.",
        fit.average->moved() ? "which were moved" : "chosen by weight",
        fit.average->moved() ? "correction" : "weights");
  }
  return std::string(
             "Do not take draws.csv (posterior in fit.nc), draws of q, for draws of the "
             "posterior") +
         (resampled ? ", nor draws_resampled.csv, which is chosen by weight." : ".");
}

}  // namespace ravi
