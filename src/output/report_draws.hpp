// What the report's figures show of draws: tails of weights, marginal densities, pairs.
#pragma once

#include "output/json_values.hpp"
#include "ravi/fit.hpp"

namespace ravi {

// An object with "psis", "densities" and "pairs", each empty where there is nothing to show; null
// when the fit has no draws.
OrderedJson figures_of_draws(const Fit& fit, const Reference* reference);

}  // namespace ravi
