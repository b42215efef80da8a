// Whether options fit together, and fit the model, before anything is run.
#pragma once

#include "ravi/model.hpp"
#include "ravi/options.hpp"

namespace ravi {

// What can be said before there is a model. Throws a UsageError that lists everything that is
// wrong.
void validate(const Options& options);

// Throws a UsageError that lists everything that is wrong, and an EnvironmentError when the fit
// would need more memory than the machine has.
void validate(const Options& options, const Model& model);

}  // namespace ravi
