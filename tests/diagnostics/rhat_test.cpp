// R-hat: the form from moments against the plain one, and what it says in degenerate cases.
#include "diagnostics/rhat.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/rng.hpp"
#include "diagnostics/ranks.hpp"
#include "special_numbers.hpp"

namespace ravi {
namespace {

std::vector<Matrix> noise(Index rows, Index length, int count) {
  std::vector<Matrix> chains;
  for (int c = 0; c < count; ++c) {
    chains.emplace_back(rows, length);
    RandomStream(1, Purpose::test, static_cast<std::uint32_t>(c), 0).fill_normal(chains.back());
  }
  return chains;
}

Matrix row_of_all(const std::vector<Matrix>& chains, Index row) {
  Matrix draws(chains.front().cols(), static_cast<Index>(chains.size()));
  for (std::size_t c = 0; c < chains.size(); ++c) {
    draws.col(static_cast<Index>(c)) = chains[c].row(row).transpose();
  }
  return draws;
}

// NaN equals NaN; 1e-13 leaves room for the order of summation over some hundred terms.
void expect_same(double actual, double expected) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(actual)) << actual;
  } else if (std::isinf(expected)) {
    EXPECT_EQ(actual, expected);
  } else {
    EXPECT_NEAR(actual, expected, 1e-13 * expected);
  }
}

TEST(Rhat, ConstantChainsAtOneValueHaveNone) {
  const Matrix draws = Matrix::Constant(20, 3, 0.1);
  for (const auto f : {rhat, rhat_bulk, rhat_tail}) EXPECT_TRUE(std::isnan(f(draws)));
  EXPECT_TRUE(std::isnan(rhat_basic(draws)));
}

TEST(Rhat, ConstantChainsAtDifferentValuesAreInfinitelyFarApart) {
  std::vector<Matrix> chains(3, Matrix::Constant(1, 20, 0.1));
  chains[1].array() += 1;
  EXPECT_EQ(rhat_basic(row_of_all(chains, 0)), kInfinity);
  EXPECT_EQ(rhat_basic(row_of_all(chains, 0), false), kInfinity);
  EXPECT_EQ(rhat(row_of_all(chains, 0)), kInfinity);
}

TEST(Rhat, DrawsThatAreNotFiniteNeverLookConverged) {
  for (const double bad : {kNan, kInfinity, -kInfinity}) {
    Matrix draws = noise(30, 4, 1).front();
    draws(11, 2) = bad;
    for (const auto f : {rhat, rhat_bulk, rhat_tail}) EXPECT_TRUE(std::isnan(f(draws)));
    EXPECT_TRUE(std::isnan(rhat_basic(draws)));
    EXPECT_TRUE(std::isnan(rhat_basic(draws, false)));
  }
  const Matrix huge = noise(30, 4, 1).front() * 1e200;
  EXPECT_TRUE(std::isnan(rhat_basic(huge)));
}

TEST(Rhat, HalvesShorterThanTwoHaveNone) {
  for (const Index n : {0, 1, 2, 3}) {
    const Matrix draws = noise(n, 4, 1).front();
    for (const auto f : {rhat, rhat_bulk, rhat_tail}) EXPECT_TRUE(std::isnan(f(draws)));
    EXPECT_TRUE(std::isnan(rhat_basic(draws)));
  }
  EXPECT_TRUE(std::isnan(rhat_basic(Matrix(0, 0))));
  EXPECT_TRUE(std::isfinite(rhat_basic(noise(4, 1, 1).front())));
}

// Ranks do not change under an increasing map, nor do distances from the median under a linear one.
TEST(Rhat, RankVersionsSeeOnlyTheOrder) {
  const Matrix draws = noise(101, 4, 1).front();
  EXPECT_EQ(rhat_bulk(draws.array().exp().matrix()), rhat_bulk(draws));
  EXPECT_NEAR(rhat_tail(-8 * draws), rhat_tail(draws), 1e-12);
}

TEST(Rhat, MomentsOfTheChainsAreEnough) {
  const std::vector<Matrix> chains = noise(5, 20, 3);
  std::vector<Vector> means, squares;
  for (const Matrix& chain : chains) {
    means.emplace_back(chain.rowwise().mean());
    squares.emplace_back((chain.colwise() - means.back()).rowwise().squaredNorm());
  }
  std::vector<ChainMoments> moments;
  for (std::size_t c = 0; c < 3; ++c) moments.push_back({means[c], squares[c]});
  const Vector rhat = rhat_of_moments(moments, 20);
  for (Index row = 0; row < 5; ++row) {
    expect_same(rhat(row), rhat_basic(row_of_all(chains, row), false));
  }
  EXPECT_TRUE(rhat_of_moments(std::span(moments).first(1), 20).array().isNaN().all());
}

// By hand: superchains {0, 2} and {4, 6} have means 1 and 5, so that B = 8, and W = 2.
TEST(NestedRhat, OfOneDrawEachIsThatOfTheFormula) {
  Matrix draws(1, 4);
  draws << 0, 2, 4, 6;
  EXPECT_NEAR(rhat_nested_basic(draws, 2), std::sqrt(1 + 8 / 2.0), 1e-15);
}

// Chains (0, 2) and (2, 4) have means 1 and 3 and variances 2: W = 2 + 2. The others are 8 further
// on: B = 32.
TEST(NestedRhat, OfSeveralDrawsCountsWhatIsWithinAChain) {
  Matrix draws(2, 4);
  draws << 0, 2, 8, 10,  //
      2, 4, 10, 12;
  EXPECT_NEAR(rhat_nested_basic(draws, 2), std::sqrt(1 + 32 / 4.0), 1e-15);
}

// Seven chains in three superchains: {0, 2}, {4, 6} and {1, 2, 3}, of means 1, 5 and 2.
TEST(NestedRhat, TakesSuperchainsThatDifferByOne) {
  Matrix draws(1, 7);
  draws << 0, 2, 4, 6, 1, 2, 3;
  const double within = (2 + 2 + 1) / 3.0, between = 13 / 3.0;
  EXPECT_NEAR(rhat_nested_basic(draws, 3), std::sqrt(1 + between / within), 1e-14);
}

TEST(NestedRhat, IsUnknownOfDrawsThatSayNothing) {
  EXPECT_TRUE(std::isnan(rhat_nested(Matrix::Constant(2, 40, 0.1), 4)));
  const Matrix draws = noise(2, 40, 1).front();
  EXPECT_TRUE(std::isnan(rhat_nested(draws, 1)));
  EXPECT_TRUE(std::isnan(rhat_nested(draws, 41)));
  for (const double bad : {kNan, kInfinity}) {
    Matrix spoiled = draws;
    spoiled(1, 7) = bad;
    EXPECT_TRUE(std::isnan(rhat_nested(spoiled, 4)));
    EXPECT_TRUE(std::isnan(rhat_nested_basic(spoiled, 4)));
  }
}

TEST(NestedRhat, IsInfiniteWhereSuperchainsArePoints) {
  Matrix draws(1, 6);
  draws << 1, 1, 2, 2, 3, 3;
  EXPECT_EQ(rhat_nested_basic(draws, 3), kInfinity);
}

// Superchains that differ in scale and not in location: only what is folded sees it.
TEST(NestedRhat, SeesScalesAsWell) {
  Matrix draws = noise(1, 1000, 1).front();
  draws.rightCols(500) *= 3;
  EXPECT_LT(rhat_nested_basic(draws, 2), 1.01);
  EXPECT_GT(rhat_nested(draws, 2), 1.2);
  EXPECT_NEAR(rhat_nested(-8 * draws, 2), rhat_nested(draws, 2), 1e-12);
}

// Of draws that know nothing of their superchains one in twenty may exceed its limit. Of 2000 that
// is 100 with a standard deviation of 10; 3 % of the quantile, which is how near it is, are a tenth
// of the spread of B, and a rate between 0.04 and 0.063.
TEST(NestedRhat, ExceedsItsLimitByChanceAsOftenAsItMay) {
  constexpr int kTimes = 2000;
  const double limit = rhat_nested_limit(1, 0.05, 1, 20, 1000);
  int above = 0;
  for (int i = 0; i < kTimes; ++i) {
    Matrix draws(1, 1000);
    RandomStream(2, Purpose::test, static_cast<std::uint32_t>(i), 0).fill_normal(draws);
    above += rhat_nested_basic(draws, 20) > limit ? 1 : 0;
  }
  EXPECT_GT(above, 0.04 * kTimes - 50);
  EXPECT_LT(above, 0.063 * kTimes + 50);
}

// y = r x + (1 - r^2)^(1/2) e with superchains of neighbors in x: B is about r^2, W is 1 - r^2, and
// noise adds 1 / M. With r = 0.5, and M = 50, B/W has an error of 2 (r^2 / (1 - r^2) / M /
// 19)^(1/2).
TEST(NestedRhat, MeasuresWhatIsLeftOfTheBeginning) {
  const Matrix e = noise(1, 1000, 1).front();
  const double r = 0.5;
  Matrix y(1, 1000);
  for (Index i = 0; i < 1000; ++i) {
    const double x = normal_quantile((static_cast<double>(i) + 0.5) / 1000);
    y(0, i) = r * x + std::sqrt(1 - r * r) * e(0, i);
  }
  const double expected = 1.0 / 3, error = 2 * std::sqrt(expected / 50 / 19);
  const double found = std::pow(rhat_nested_basic(y, 20), 2) - 1;
  EXPECT_NEAR(found, expected + 1.0 / 50, 5 * error);
  EXPECT_GT(rhat_nested(y, 20), rhat_nested_limit(1.01, 0.05, 100, 20, 1000));
}

}  // namespace
}  // namespace ravi
