// What compile_stan() has built, as it was read or made.
#pragma once

#include <string>

#include "model/stan/private_library.hpp"
#include "ravi/stan.hpp"

namespace ravi {

// Throws what compile_stan() throws.
LibraryImage compiled_library(const std::string& program, const StanOptions& options);

}  // namespace ravi
