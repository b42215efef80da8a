// Where searches, chains and checks begin.
#pragma once

#include <cstdint>

#include "core/rng.hpp"

namespace ravi {

// N(0, I), in mirrored pairs, +x and -x: two modes on either side of the origin are then found by
// every pair, where independent starts miss one of them with probability 2^(1-J).
inline bool is_mirror(Index number) { return number % 2 != 0; }  // of the one before it
inline Vector mirrored_start(Index dimension, std::uint64_t seed, Index number) {
  Vector start(dimension);
  RandomStream(seed, Purpose::start, static_cast<std::uint32_t>(number / 2), 0).fill_normal(start);
  return is_mirror(number) ? Vector(-start) : start;
}

}  // namespace ravi
