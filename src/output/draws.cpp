// Which draws of a fit the files hold, how they are weighted, and the words on which of them to
// use.
#include "output/draws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

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

bool corrected(const Answer& answer) { return answer.weighted && !answer.draws.resampled.empty(); }

DrawSet draws_of_q(const Answer& answer) {
  std::vector<Index> columns(static_cast<std::size_t>(answer.draws.plain));
  std::iota(columns.begin(), columns.end(), Index{0});
  return {std::move(columns), &answer.unweighted_parameters,
          "Draws of q itself: all count the same."};
}

DrawSet draws_to_use(const Answer& answer) {
  if (!corrected(answer)) return draws_of_q(answer);
  const std::vector<Index>& all = answer.draws.resampled;
  const auto count = static_cast<std::ptrdiff_t>(std::min(all.size(), kMostResampled));
  return {{all.begin(), all.begin() + count},
          &answer.parameters,
          answer.moved()
              ? "Draws that Hamiltonian transitions have moved until they stand for the "
                "posterior: all count the same."
              : "Draws chosen by importance weight, with replacement: all count the same."};
}

Index mode_of(const WeightedDraws& draws, Index draw) {
  Index mode = 0;
  draws.share_of_mode.row(draw).maxCoeff(&mode);
  return mode + 1;
}

Vector log_weights_of_q(const WeightedDraws& draws, Index count) {
  const Vector log_ratios = draws.log_density.head(count) - draws.log_q.head(count);
  return normalize_log_weights(psis(log_ratios).log_weights);
}

std::string which_draws(const Fit& fit) {
  if (!fit.average) {
    return "Do not pool the draws of the chains, which disagree: each has a draws_chain_#.csv of "
           "its own (a chain of posterior in fit.nc).";
  }
  const Answer& answer = *fit.average;
  const std::string file = "draws.csv (posterior in fit.nc)";
  if (!trustworthy(fit.verdict)) {
    return fmt::format("Do not take {} for draws of the posterior: the verdict is {}.", file,
                       name(fit.verdict));
  }
  if (!corrected(answer)) return fmt::format("Use {}: draws of q, which is close enough.", file);
  return fmt::format("Use {}, {}; draws_variational.csv (variational) is q without its {}.", file,
                     answer.moved() ? "draws that were moved" : "draws chosen by weight",
                     answer.moved() ? "correction" : "weights");
}

}  // namespace ravi
