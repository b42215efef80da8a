// Autocovariances by FFT against their definition.
#include "diagnostics/autocovariance.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "diagnostics/noise.hpp"
#include "special_numbers.hpp"

namespace ravi {
namespace {

Vector direct_sums(const Vector& x) {
  const Vector centered = x.array() - x.mean();
  Vector result(x.size());
  for (Index lag = 0; lag < x.size(); ++lag) {
    const Index terms = x.size() - lag;
    result(lag) = centered.head(terms).dot(centered.tail(terms)) / static_cast<double>(x.size());
  }
  return result;
}

class EveryLength : public testing::TestWithParam<Index> {};

// Rounding errors of a transform of length L grow like eps log2(L) relative to the largest value,
// which is lag zero; L is at most 8/3 n and there is one transform each way.
TEST_P(EveryLength, TransformEqualsDirectSum) {
  const Index n = GetParam();
  const Matrix x = noise(n, 3);
  const Matrix all = autocovariances(x);
  Vector mean = Vector::Zero(n);
  for (Index j = 0; j < 3; ++j) {
    const Vector expected = direct_sums(x.col(j));
    const double tolerance =
        8 * kEpsilon * std::log2(4.0 * static_cast<double>(n)) * (expected(0) + kEpsilon);
    EXPECT_LE((autocovariance(x.col(j)) - expected).cwiseAbs().maxCoeff(), tolerance);
    EXPECT_LE((all.col(j) - expected).cwiseAbs().maxCoeff(), tolerance);
    mean += expected / 3;
  }
  const double tolerance =
      8 * kEpsilon * std::log2(4.0 * static_cast<double>(n)) * (mean(0) + kEpsilon);
  EXPECT_LE((mean_autocovariance(x) - mean).cwiseAbs().maxCoeff(), tolerance);
}

INSTANTIATE_TEST_SUITE_P(Lengths, EveryLength,
                         testing::Values(1, 2, 3, 4, 5, 8, 9, 10, 11, 16, 17, 100, 129, 1000));

TEST(Autocovariance, SeriesOfEqualValuesHasNone) {
  EXPECT_EQ(autocovariance(Vector::Constant(7, 0.1)), Vector::Zero(7));
  EXPECT_EQ(autocovariances(Matrix::Constant(7, 2, 0.1)), Matrix::Zero(7, 2));
}

TEST(Autocovariance, NoValuesGiveNoLags) {
  EXPECT_EQ(autocovariance(Vector(0)).size(), 0);
  EXPECT_EQ(autocovariances(Matrix(0, 3)).rows(), 0);
}

// Series share a transform: neither a large, a constant nor a broken partner may show.
TEST(Autocovariance, SeriesDoNotDisturbEachOther) {
  Matrix x = noise(50, 6);
  const Matrix alone = autocovariances(x);
  x.col(1) *= 1e150;
  x.col(3).setConstant(2);
  x(17, 5) = std::numeric_limits<double>::infinity();
  const Matrix together = autocovariances(x);
  for (const Index j : {0, 2, 4}) {
    EXPECT_LE((together.col(j) - alone.col(j)).cwiseAbs().maxCoeff(), 1e-14 * alone(0, j));
  }
  EXPECT_EQ(together.col(3), Vector::Zero(50));
  EXPECT_TRUE(together.col(5).array().isNaN().all());
  EXPECT_TRUE(mean_autocovariance(x).array().isNaN().all());
}

// The mean is subtracted before anything is squared, so an offset costs only its own roundings:
// each deviation is off by at most eps * offset / 2.
TEST(Autocovariance, OffsetCostsOnlyItsRoundings) {
  const Vector x = noise(200, 1);
  const Vector shifted = x.array() + 1e6;
  EXPECT_LE((autocovariance(shifted) - autocovariance(x)).cwiseAbs().maxCoeff(),
            4 * kEpsilon * 1e6);
}

}  // namespace
}  // namespace ravi
