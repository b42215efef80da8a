// --method paper: Algorithm 1 of Dhaka et al. (2020), and the rules it is compared with.
#pragma once

#include "ravi/fit.hpp"

namespace ravi {

// Chains of a first-order optimizer, run and stopped as the paper says.
Options options_of_paper(const Options& given, Index dimension);
Fit fit_as_in_paper(const Model& model, const Options& options, const Observer& observer,
                    const Reference* reference);

}  // namespace ravi
