// R-hat: the form from moments against the plain one, and what it says in degenerate cases.
#include "diagnostics/rhat.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/rng.hpp"
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

}  // namespace
}  // namespace ravi
