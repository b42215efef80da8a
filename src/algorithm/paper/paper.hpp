// --method paper and --method authors: Algorithm 1 of Dhaka et al. (2020), and the rules it is
// compared with, as printed and as the authors' code has them.
#pragma once

#include "ravi/fit.hpp"

namespace ravi {

Options options_of_paper(const Options& given, Index dimension);
Options options_of_authors(const Options& given, Index dimension);

// Chains of a first-order optimizer, run and stopped by the rules that the options name.
Fit fit_as_in_paper(const Model& model, const Options& options, const Observer& observer,
                    const Reference* reference);

}  // namespace ravi
