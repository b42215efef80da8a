// Summaries of an answer: quantities of its draws, by weights, and of q itself.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "ravi/fit.hpp"
#include "scoring/proposal.hpp"

namespace ravi {

// Resamples the draws of an answer by their weights, computes what the model's parameter_names()
// name for each, and summarizes it. What was said of q itself stays.
void summarize_draws(const Model& model, const Components& q, const Options& options,
                     std::uint32_t which, Answer& answer);

// The parts of a run, each of them made when it is looked at.
using PartsOfRun = std::vector<std::function<std::unique_ptr<Transport>()>>;

// Adds the error of q itself to its summaries. The parts of the run whose mean q is are as many
// approximations; a few draws, the same for all of them, tell what each says of every quantity, and
// means and sds over the parts have a standard error (batch means). That of a quantile follows from
// both, as for a normal distribution. It is never less than least_error sds.
void add_error_of_q(const Model& model, const Transport& q, const PartsOfRun& parts,
                    double least_error, std::uint32_t seed,
                    std::vector<ParameterSummary>& parameters);

// A finding when some quantity of the answer could not be computed; the worst one is named.
std::vector<Finding> judge_quantities(const Answer& answer);

}  // namespace ravi
