// Whether options fit together, and fit the model, before anything is run.
#pragma once

#include "ravi/model.hpp"
#include "ravi/options.hpp"

namespace ravi {

// Throws a UsageError that lists everything that is wrong.
void validate(const Options& options, const Model& model);

}  // namespace ravi
