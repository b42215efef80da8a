// Whether options fit together, and fit the model, before anything is run.
#pragma once

#include <string_view>

#include "ravi/model.hpp"
#include "ravi/options.hpp"

namespace ravi {

// What can be said before a model of that name is opened, which may mean compiling it. Throws a
// UsageError that lists everything that is wrong.
void validate(const Options& options, std::string_view model);

// Throws a UsageError that lists everything that is wrong, and an EnvironmentError when the fit
// would need more memory than the machine has.
void validate(const Options& options, const Model& model);

}  // namespace ravi
