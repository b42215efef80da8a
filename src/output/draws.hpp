// Which draws of a fit the files hold, how they are weighted, and the words on which of them to
// use.
#pragma once

#include <string>
#include <vector>

#include "ravi/fit.hpp"

namespace ravi {

// The answers that there are draws of: the average, or each chain's own when the chains disagree.
// Empty when there is nothing to draw from.
std::vector<const Answer*> drawn_answers(const Fit& fit);

std::vector<std::string> quantity_names(const Answer& answer);

// Draws of equal weight, as a file or a group holds them.
struct DrawSet {
  std::vector<Index> columns;                      // of the answer's draws
  const std::vector<ParameterSummary>* summaries;  // what fit.json says of them
  std::string what;                                // they are, in a sentence
};

// Whether weights or moves have corrected q.
bool corrected(const Answer& answer);
// The draws that the summaries rest on, and so the ones to use if any are: chosen by weight or
// moved where that corrected q, 4000 at the most, otherwise those of q.
DrawSet draws_to_use(const Answer& answer);
// The first draws of q.
DrawSet draws_of_q(const Answer& answer);

// The mode of a mixture, from 1, that a draw is in: the one that accounts for most of q there.
Index mode_of(const WeightedDraws& draws, Index draw);

// Log weights of the first `count` draws, which are of q, among themselves: Pareto smoothed,
// exp() sums to one.
Vector log_weights_of_q(const WeightedDraws& draws, Index count);

// Which draws to use, in a line that every file carries.
std::string which_draws(const Fit& fit);

}  // namespace ravi
