// A random permutation of 0 .. n-1 of which any element can be asked for, in no memory.
#pragma once

#include <array>
#include <cstdint>

#include "core/rng.hpp"

namespace ravi {

// A Feistel network on Z_a x Z_b with a b >= n, walked until it lands below n (Black and Rogaway
// 2002, "Ciphers with arbitrary finite domains"): (l, r) <- (l + F(r) mod a, r), then the same with
// the roles exchanged, where the F are hash functions with keys from the stream. An element costs
// the same few nanoseconds whatever n is.
class Permutation {
 public:
  Permutation(RandomStream stream, Index size);

  Index operator()(Index i) const;

 private:
  // With six rounds, chi-square tests of all permutations of 2 to 6 elements, and of pairs of
  // places among 10 to 100, see nothing once the domain has 256 elements; on smaller ones they do.
  static constexpr std::size_t kRounds = 6;
  static constexpr std::uint64_t kSmallestDomain = 256;

  std::uint64_t size_, a_, b_;
  std::array<std::uint64_t, kRounds> key_;
};

}  // namespace ravi
