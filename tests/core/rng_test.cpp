// The random numbers: published vectors, addresses, and the distributions they claim.
#include "core/rng.hpp"

#include <Random123/philox.h>
#include <gtest/gtest.h>

#include <Random123/boxmuller.hpp>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace ravi {
namespace {

RandomStream stream(std::uint32_t iteration, std::uint32_t chain = 0, std::uint64_t seed = 1) {
  return {seed, Purpose::test, chain, iteration};
}

// Known answer published with Random123 (kat_vectors, philox4x32 10 rounds): counter 0 and key 0
// give 6627e8d5 e169c58d bc57ac4c 9b00dbd8.
TEST(RandomStream, MatchesThePublishedPhiloxVector) {
  RandomStream zero(0, static_cast<Purpose>(0), 0, 0);
  const double first = std::ldexp(static_cast<double>(0xe169c58d6627e8d5ULL), -64);
  const double second = std::ldexp(static_cast<double>(0x9b00dbd8bc57ac4cULL), -64);
  EXPECT_NEAR(zero.uniform(), first, 1e-15);
  EXPECT_NEAR(zero.uniform(), second, 1e-15);
}

TEST(RandomStream, DependsOnEveryPartOfItsAddress) {
  const double base = stream(3, 2, 1).normal();
  EXPECT_EQ(base, stream(3, 2, 1).normal());
  EXPECT_NE(base, stream(4, 2, 1).normal());
  EXPECT_NE(base, stream(3, 1, 1).normal());
  EXPECT_NE(base, stream(3, 2, 2).normal());
  EXPECT_NE(base, stream(3, 2, std::uint64_t{1} << 40).normal());
  EXPECT_NE(base, RandomStream(1, Purpose::gradient, 2, 3).normal());
}

// The reference is Random123's own: scalar, by the C library's sine, cosine and logarithm, from all
// 64 bits. 52 bits move the uniform v by up to 2^-52, and so the radius r = (-2 log v)^(1/2) by
// 2^-52 / (v r): 1e-11 at the smallest of 160000, which is about 6e-6.
TEST(RandomStream, NormalsAreThoseOfBoxAndMuller) {
  const std::uint64_t seed = 0x123456789abcdef;
  for (std::uint32_t iteration = 0; iteration < 20; ++iteration) {
    RandomStream normals(seed, Purpose::test, 3, iteration);
    for (std::uint32_t block = 0; block < 8000; ++block) {
      const auto words = r123::Philox4x32{}({{block, iteration, 3, 7}}, {{0x89abcdef, 0x1234567}});
      const auto join = [&](std::size_t i) {
        return (static_cast<std::uint64_t>(words[i + 1]) << 32) | words[i];
      };
      const r123::double2 expected = r123::boxmuller(join(0), join(2));
      ASSERT_NEAR(normals.normal(), expected.x, 1e-10);
      ASSERT_NEAR(normals.normal(), expected.y, 1e-10);
    }
  }
}

TEST(RandomStream, FillingAMatrixGivesTheNumbersThatOneByOneGives) {
  for (const Index rows : {1, 3, 16, 33}) {
    RandomStream filled = stream(5), one_by_one = stream(5);
    Matrix whole(rows, 7), larger(rows + 2, 7);
    filled.fill_normal(whole);
    filled.fill_normal(larger.middleRows(1, rows));
    for (Index i = 0; i < whole.size(); ++i) EXPECT_EQ(whole(i), one_by_one.normal());
    for (Index s = 0; s < 7; ++s) {
      for (Index i = 0; i < rows; ++i) EXPECT_EQ(larger(i + 1, s), one_by_one.normal());
    }
  }
}

// Standard errors of the first four moments of n standard normals: 1, sqrt(2), sqrt(15 - 9 + ...)
// over sqrt(n); Var(x^3) = 15 and Var(x^4) = 105 - 9 = 96. Five of them is a chance of 6e-7.
TEST(RandomStream, NormalsHaveTheMomentsOfNormals) {
  const Index n = 400000;
  Matrix z(n, 1);
  stream(0).fill_normal(z);
  const double limit = 5 / std::sqrt(static_cast<double>(n));
  EXPECT_NEAR(z.mean(), 0, limit);
  EXPECT_NEAR(z.array().square().mean(), 1, std::sqrt(2.0) * limit);
  EXPECT_NEAR(z.array().cube().mean(), 0, std::sqrt(15.0) * limit);
  EXPECT_NEAR(z.array().pow(4).mean(), 3, std::sqrt(96.0) * limit);
}

// Correlation of two independent rows of n numbers has a standard error of 1/sqrt(n).
TEST(RandomStream, NeighboringAddressesAreUncorrelated) {
  const Index n = 100000;
  Matrix a(n, 1), b(n, 1), c(n, 1);
  stream(0, 0).fill_normal(a);
  stream(1, 0).fill_normal(b);
  stream(0, 1).fill_normal(c);
  const double limit = 5 / std::sqrt(static_cast<double>(n));
  EXPECT_NEAR(a.cwiseProduct(b).mean(), 0, limit);
  EXPECT_NEAR(a.cwiseProduct(c).mean(), 0, limit);
}

// Each of 24 orders of four items has probability 1/24; counts are binomial.
TEST(Shuffle, GivesEveryOrderTheSameChance) {
  const int n = 24000;
  std::vector<int> counts(24, 0);
  RandomStream s = stream(0);
  for (int i = 0; i < n; ++i) {
    std::vector<Index> items(4);
    std::iota(items.begin(), items.end(), Index{0});
    shuffle(s, items);
    int rank = 0;
    for (std::size_t a = 0; a < 4; ++a) {
      int smaller = 0;
      for (std::size_t b = a + 1; b < 4; ++b) smaller += items[b] < items[a];
      rank = rank * static_cast<int>(4 - a) + smaller;
    }
    ++counts[static_cast<std::size_t>(rank)];
  }
  const double limit = 5 * std::sqrt(n * (1.0 / 24) * (23.0 / 24));
  for (const int count : counts) EXPECT_NEAR(count, n / 24.0, limit);
}

}  // namespace
}  // namespace ravi
