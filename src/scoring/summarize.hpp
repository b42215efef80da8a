// Summaries of an answer: quantities of its draws, by weights, and of q itself.
#pragma once

#include <cstdint>
#include <vector>

#include "family/approximation.hpp"
#include "ravi/fit.hpp"

namespace ravi {

// Resamples the draws of an answer by their weights, computes what the model's parameter_names()
// name for each, and summarizes it. What was said of q itself stays.
void summarize_draws(const Model& model, const Approximation& q, const Options& options,
                     std::uint32_t which, Answer& answer);

// Adds the error of q itself to its summaries. The parts of the run whose mean q is are as many
// approximations; a few draws, the same for all of them, tell what each says of every quantity, and
// means and sds over the parts have a standard error (batch means). That of a quantile follows from
// both, as for a normal distribution. It is never less than least_error sds.
void add_error_of_q(const Model& model, const Approximation& q, const std::vector<Vector>& parts,
                    double least_error, std::uint32_t seed,
                    std::vector<ParameterSummary>& parameters);

// A finding when some quantity of the answer could not be computed; the worst one is named.
std::vector<Finding> judge_quantities(const Answer& answer);

}  // namespace ravi
