// Eight Philox blocks at once turned into sixteen standard normals, laid out for vector
// instructions.
#pragma once

#include <cstdint>

namespace ravi {

inline constexpr int kBlocksTogether = 8;

// Philox4x32-10 of the counters (first_block + b, iteration, chain, purpose), b = 0 .. 7, and for
// each the two normals of Box and Muller: normals[2b] and normals[2b + 1].
void eight_blocks_of_normals(std::uint64_t seed, std::uint32_t first_block, std::uint32_t iteration,
                             std::uint32_t chain, std::uint32_t purpose, double* normals);

}  // namespace ravi
