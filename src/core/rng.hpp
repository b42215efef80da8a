// Random numbers by address, not by order: Philox keyed by (seed, purpose, chain, iteration).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/normals.hpp"
#include "ravi/types.hpp"

namespace ravi {

// What the numbers are for. Streams of different purposes never overlap. The values are part of
// "same seed, same answer": append, never renumber.
enum class Purpose : std::uint32_t {
  start = 1,
  gradient = 2,
  shuffle = 3,
  importance = 4,
  resample = 5,
  simulate = 6,
  test = 7,
  quantities = 8,
  search = 9,
  wide = 10,
  transitions = 11,
  climb = 12,
  gradient_check = 13,
  bending = 14,
};

// The second part of an address, where that is not the number of a chain, a search or a batch:
// whose numbers they are. As for purposes, append and never renumber.
namespace stream_of {
// Scores, resampling and moving of answers; chain j has first_chain + j.
inline constexpr std::uint32_t average = 0, last_iterate = 1, first_chain = 2;
// The evidence of optima and of summits.
inline constexpr std::uint32_t first_optimum = 1U << 16U, further_optimum = (1U << 17U) - 1,
                               first_summit = 1U << 17U;
// Of a q that bends: its scores.
inline constexpr std::uint32_t bent = 1U << 18U;
// Where searches look elsewhere, which rows they see, and the error of q: none of these is a chain.
inline constexpr std::uint32_t scouts = ~0U, rows_of_searches = ~0U, error_of_q = ~0U;
// Of purpose bending: what tells the moments of a q, which no bend does.
inline constexpr std::uint32_t moments = ~0U;
}  // namespace stream_of

// An endless row of numbers that belongs to one address. The same address gives the same numbers
// on any thread, in any order of calls, and after a resume.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, Purpose purpose, std::uint32_t chain, std::uint32_t iteration)
      : seed_(seed), purpose_(purpose), chain_(chain), iteration_(iteration) {}

  std::uint64_t bits();                      // 64 of them
  double uniform();                          // in (0, 1]: 1 only by rounding
  std::uint64_t below(std::uint64_t bound);  // uniform on 0 .. bound-1
  double normal();
  void fill_normal(MatrixRef z);  // column by column

 private:
  struct Pair {
    std::uint64_t first, second;
  };
  Pair next_block();
  void next_normals(double* normals);  // 2 * kBlocksTogether of them

  std::uint64_t seed_;
  Purpose purpose_;
  std::uint32_t chain_, iteration_;
  std::uint32_t block_ = 0;
  std::uint64_t spare_bits_ = 0;
  bool has_spare_bits_ = false;
  std::array<double, 2 * kBlocksTogether> normals_;  // the last spare_normals_ are not used yet
  int spare_normals_ = 0;
};

// The numbers 0 .. n-1 in random order (Fisher and Yates).
void shuffle(RandomStream& stream, std::span<Index> items);

}  // namespace ravi
