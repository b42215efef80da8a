// Permutations by a Feistel network: every element once, and no place preferred.
#include "core/permutation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ravi {
namespace {

RandomStream pass_stream(std::uint32_t pass) { return {1, Purpose::test, 0, pass}; }

// Sizes around squares and around the smallest domain, where the network is walked more than once.
TEST(Permutation, HasEveryElementOnce) {
  for (const Index n : {1, 2, 3, 17, 255, 256, 257, 1000, 1024, 4097, 100003}) {
    const Permutation order(pass_stream(static_cast<std::uint32_t>(n)), n);
    std::vector<int> seen(static_cast<std::size_t>(n), 0);
    for (Index i = 0; i < n; ++i) {
      const Index to = order(i);
      ASSERT_TRUE(to >= 0 && to < n) << n;
      ++seen[static_cast<std::size_t>(to)];
    }
    for (const int count : seen) ASSERT_EQ(count, 1) << n;
  }
}

// Each of 24 orders of four elements has probability 1/24; counts are binomial.
TEST(Permutation, GivesEveryOrderOfAFewTheSameChance) {
  const int n = 24000;
  std::vector<int> counts(256, 0);
  for (int pass = 0; pass < n; ++pass) {
    const Permutation order(pass_stream(static_cast<std::uint32_t>(pass)), 4);
    std::size_t code = 0;
    for (Index i = 0; i < 4; ++i) code = 4 * code + static_cast<std::size_t>(order(i));
    ++counts[code];
  }
  const double limit = 5 * std::sqrt(n * (1.0 / 24) * (23.0 / 24));
  int orders = 0;
  for (const int count : counts) {
    if (count == 0) continue;
    ++orders;
    EXPECT_NEAR(count, n / 24.0, limit);
  }
  EXPECT_EQ(orders, 24);
}

// sum (observed - expected)^2 / expected over the cells, in sds above its mean: chi-square with f
// degrees of freedom has mean f and variance 2 f, and is near normal for hundreds of cells.
double excess(const std::vector<int>& counts, double expected, double freedom) {
  double sum = 0;
  for (const int count : counts) sum += (count - expected) * (count - expected) / expected;
  return (sum - freedom) / std::sqrt(2 * freedom);
}

// Where place i goes, over passes: uniform over a grid of 32 places by 32 bins of what they become.
// Of the 31^2 independent cells, each pass adds one count to every row and 32 are without
// replacement, which only makes the sum smaller.
TEST(Permutation, SendsEveryPlaceEverywhere) {
  constexpr Index kSize = 1 << 20, kBins = 32;
  const int passes = 20000;
  std::vector<int> counts(static_cast<std::size_t>(kBins * kBins), 0);
  for (int pass = 0; pass < passes; ++pass) {
    const Permutation order(pass_stream(static_cast<std::uint32_t>(pass)), kSize);
    for (Index i = 0; i < kBins; ++i) {
      ++counts[static_cast<std::size_t>(i * kBins + order(i * kSize / kBins) * kBins / kSize)];
    }
  }
  EXPECT_LT(excess(counts, passes / static_cast<double>(kBins), (kBins - 1) * kBins), 5);
}

// Where the neighbors of one pass go: pairs (order(i), order(i + 1)) in a grid of 32 x 32 bins. A
// pattern in the network would show as a full diagonal or lattice.
TEST(Permutation, NeighborsKnowNothingOfEachOther) {
  constexpr Index kSize = 1000003, kBins = 32;
  const Permutation order(pass_stream(0), kSize);
  std::vector<int> counts(static_cast<std::size_t>(kBins * kBins), 0);
  for (Index i = 0; i + 1 < kSize; i += 2) {
    const Index a = order(i) * kBins / kSize, b = order(i + 1) * kBins / kSize;
    ++counts[static_cast<std::size_t>(a * kBins + b)];
  }
  const double expected = static_cast<double>(kSize / 2) / (kBins * kBins);
  EXPECT_LT(excess(counts, expected, kBins * kBins - 1), 5);
}

TEST(Permutation, DiffersFromPassToPass) {
  const Permutation one(pass_stream(1), 1000), again(pass_stream(1), 1000),
      other(pass_stream(2), 1000);
  int same = 0, kept = 0;
  for (Index i = 0; i < 1000; ++i) {
    kept += one(i) == again(i);
    same += one(i) == other(i);
  }
  EXPECT_EQ(kept, 1000);
  EXPECT_LT(same, 10);  // Poisson with mean 1: above 9 once in ten million
}

}  // namespace
}  // namespace ravi
