// --method robust, the default.
#pragma once

#include "ravi/fit.hpp"

namespace ravi {

// Second-order searches from several starts, then averaging; needs no tuning.
Options options_of_robust(const Options& given, Index dimension);
Fit fit_robustly(const Model& model, const Options& options, const Observer& observer,
                 const Reference* reference);

}  // namespace ravi
