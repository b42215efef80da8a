// A library that ravi did not compile, or that was changed since, is tried in another process
// first.
#pragma once

#include <cstdint>

#include "model/stan/stan_instance.hpp"

namespace ravi {

// Throws UsageError when the library ends a process that loads it and computes one log density, its
// gradient and its quantities, or when it cannot be loaded within ten seconds. What it reports as
// an error is left to whoever loads it next.
void try_library(const LibraryImage& library, const StanData& data, std::uint32_t seed);

}  // namespace ravi
