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

// Columns of the answer's draws: the first ones of q, of equal weight, whose means are the
// unweighted_parameters; and those chosen by weight, 4000 at the most, none unless the weights can
// be trusted.
std::vector<Index> plain_draws(const Answer& answer);
std::vector<Index> resampled_draws(const Answer& answer);
std::string what_resampled_are(const Answer& answer);  // in a sentence

// Log weights of the first `count` draws, which are of q, among themselves: Pareto smoothed,
// exp() sums to one.
Vector log_weights_of_q(const WeightedDraws& draws, Index count);

// Which draws to use, in a line that every file carries.
std::string which_draws(const Fit& fit);

}  // namespace ravi
