// Answers in different places: how much of the mass each holds, and whether they are one region.
#pragma once

#include <map>
#include <vector>

#include "ravi/fit.hpp"

namespace ravi {

// Sets each answer's mode, and its mode's share of the mass: the evidence of a mode, the mean over
// its chains, against that of all modes.
void weigh_modes(const std::vector<int>& mode_of_chain, std::vector<Answer>& chains);

// The region that each point is in, from 0: the density does not fall on the way from one to
// another of the same region, where a Gaussian may fit in several places without there being modes.
std::vector<std::size_t> regions_of(const Model& model, const std::vector<Vector>& points);
// Those of modes, by number, each with how many starts came to it.
std::map<std::size_t, int> regions(const Model& model, const std::vector<ModeSummary>& modes);

// Who came to each mode of a mixture, from what is known of its components, and which of them are
// others with their indices permuted. The heaviest comes first.
void describe_modes(const std::vector<ModeSummary>& known, Answer& answer);

// Whether all modes that hold mass were found more than once, or another in their region was, and
// how much each holds is known.
std::vector<Finding> judge_modes(const Model& model, const Answer& answer);

// Why modes are not one answer, after the worst of what was found of their mixture.
Finding why_apart(const std::vector<Finding>& findings);

}  // namespace ravi
