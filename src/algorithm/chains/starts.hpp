// --start: the q that chains start from.
#pragma once

#include <span>
#include <string_view>

#include "family/approximation.hpp"
#include "ravi/options.hpp"

namespace ravi {

struct StartEntry {
  std::string_view name, description;
  Vector (*lambda)(const Approximation& prototype, const Vector& mean);
};

std::span<const StartEntry> start_registry();

// The lambda of a narrow q around a mirrored start.
Vector narrow_start(const Approximation& prototype, std::uint64_t seed, Index number);

// A single chain starts in the middle, several at mirrored starts; a narrow q where none is named.
Vector start_of(const Approximation& prototype, const Options& options, Index chain);

}  // namespace ravi
