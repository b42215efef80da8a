// Pareto fits, tail indices and PSIS beyond the reference values: invariances, unusable input.
#include "diagnostics/psis.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/rng.hpp"
#include "diagnostics/pareto.hpp"
#include "diagnostics/tail_index.hpp"
#include "special_numbers.hpp"

namespace ravi {
namespace {

Vector noise(Index n) {
  Vector x(n);
  RandomStream(1, Purpose::test, 0, 0).fill_normal(x);
  return x;
}

TEST(GpdQuantile, InvertsTheDistributionFunction) {
  for (const double k : {-0.4, 0.0, 1e-12, 0.7, 3.0}) {
    const double x = gpd_quantile(0.9, {k, 2});
    const double survival = k == 0 ? std::exp(-x / 2) : std::exp(-std::log1p(k * x / 2) / k);
    EXPECT_NEAR(survival, 0.1, 1e-14);
  }
  EXPECT_TRUE(std::isnan(gpd_quantile(0.9, {1, kNan})));
  EXPECT_TRUE(std::isnan(gpd_quantile(0.9, {1, 0})));
}

TEST(GpdFit, ShapeDoesNotDependOnUnits) {
  Vector x(100);
  for (Index i = 0; i < 100; ++i) {
    x(i) = gpd_quantile((static_cast<double>(i) + 0.5) / 100, {0.4, 1});
  }
  const GpdFit fit = fit_gpd(x);
  for (const double unit : {1e-150, 1e-8, 1e100}) {
    EXPECT_NEAR(fit_gpd(unit * x).k, fit.k, 1e-12);
    EXPECT_NEAR(fit_gpd(unit * x).sigma / unit, fit.sigma, 1e-12);
  }
}

TEST(GpdFit, WhatCannotBeFittedIsInfinitelyHeavy) {
  for (const Vector& x : {Vector(0), Vector{{1.0}}, Vector{{0, 0, 0, 1, 2}}, Vector{{1, 2, kNan}},
                          Vector{{1, 2, kInfinity}}, Vector{{-1, 1, 2, 3}}}) {
    EXPECT_EQ(fit_gpd(x).k, kInfinity) << x.transpose();
    EXPECT_TRUE(std::isnan(fit_gpd(x).sigma));
  }
}

TEST(TailIndex, ReflectionSwapsTheTails) {
  const Vector x = noise(500).array().exp();
  const TailIndex index = tail_index(x), reflected = tail_index(-x);
  EXPECT_EQ(index.lower, reflected.upper);
  EXPECT_EQ(index.upper, reflected.lower);
  EXPECT_GT(index.upper, index.lower);
}

TEST(TailIndex, WithoutATailItIsMinusInfinity) {
  Vector stuck = Vector::Constant(200, 3.0);
  stuck.head(4).setLinSpaced(4, 7);
  Vector jitter = Vector::Constant(200, 0.1);
  for (Index i = 0; i < 200; i += 2) jitter(i) = std::nextafter(0.1, 1.0);
  for (const Vector& x : {Vector(0), Vector(noise(1)), Vector(noise(2)), Vector(noise(3)),
                          Vector(noise(20)), Vector(Vector::Constant(200, 0.1)), stuck, jitter}) {
    EXPECT_EQ(tail_index(x).lower, -kInfinity) << x.size();
    EXPECT_EQ(tail_index(x).upper, -kInfinity) << x.size();
  }
  EXPECT_TRUE(std::isfinite(tail_index(noise(21)).upper));
}

TEST(TailIndex, TiesWithTheCutoffAreNoExcesses) {
  Vector x = noise(400);
  x = x.cwiseMax(0);  // half the draws sit at the lower end
  EXPECT_EQ(tail_index(x).lower, -kInfinity);
  EXPECT_TRUE(std::isfinite(tail_index(x).upper));
  const Vector counts = (noise(400) * 3).array().round();
  EXPECT_TRUE(std::isfinite(tail_index(counts).upper));
}

// Equal draws are sorted in another way than those that all differ, and must end up where draws do
// that differ from them by next to nothing. A tail of 1024 has 96 draws, so that no pair lies
// across the cutoff.
TEST(TailIndex, IsThatOfNearlyEqualDrawsWhereSomeAreEqual) {
  Vector pairs = noise(1024), nearly = pairs;
  for (Index i = 0; i < pairs.size(); i += 2) {
    pairs(i + 1) = pairs(i);
    nearly(i + 1) = nearly(i) * (1 + 1e-13);
  }
  EXPECT_NEAR(tail_index(pairs).lower, tail_index(nearly).lower, 1e-9);
  EXPECT_NEAR(tail_index(pairs).upper, tail_index(nearly).upper, 1e-9);
}

TEST(TailIndex, DrawsThatAreNotFiniteAreTheHeaviest) {
  for (const double bad : {kNan, kInfinity, -kInfinity}) {
    Vector x = noise(100);
    x(50) = bad;
    EXPECT_EQ(tail_index(x).lower, kInfinity);
    EXPECT_EQ(tail_index(x).upper, kInfinity);
  }
}

// Ratios are known up to a constant only. Adding it rounds each of them, by eps * 1000 / 2.
TEST(Psis, OffsetOfTheRatiosDoesNotMatter) {
  const Vector ratios = noise(1000);
  const Psis plain = psis(ratios), shifted = psis(ratios.array() - 1000);
  EXPECT_NEAR(shifted.khat, plain.khat, 1e-10);
  EXPECT_NEAR(shifted.ess, plain.ess, 1e-9);
  EXPECT_LE((shifted.log_weights.array() + 1000 - plain.log_weights.array()).abs().maxCoeff(),
            1e-10);
}

TEST(Psis, SmoothingNeverExceedsTheLargestRatioAndKeepsTheBody) {
  const Vector ratios = 3 * noise(1000);
  const Psis result = psis(ratios);
  EXPECT_LE(result.log_weights.maxCoeff(), ratios.maxCoeff());
  const Index changed = (result.log_weights.array() != ratios.array()).count();
  EXPECT_LE(changed, result.tail_length);
  EXPECT_GE(changed, result.tail_length - 1);  // the largest may be back where it was
}

// One more draw leaves the length of the tail at 95, so a weight of zero changes nothing else.
TEST(Psis, WeightsOfZeroStayZeroAndOutOfTheWay) {
  Vector ratios(1001);
  ratios << noise(1000), -kInfinity;
  const Psis without = psis(ratios.head(1000)), with = psis(ratios);
  ASSERT_EQ(with.tail_length, without.tail_length);
  EXPECT_EQ(with.khat, without.khat);
  EXPECT_NEAR(with.ess, without.ess, 1e-9);
  EXPECT_EQ(with.log_weights.head(1000), without.log_weights);
  EXPECT_EQ(with.log_weights(1000), -kInfinity);
}

TEST(Psis, MostWeightsMayBeZero) {
  Vector ratios = Vector::Constant(1000, -kInfinity);
  ratios.head(40) = noise(40);
  const Psis result = psis(ratios);
  EXPECT_EQ(result.tail_length, 39);
  EXPECT_TRUE(std::isfinite(result.khat));
  EXPECT_TRUE(result.log_weights.head(40).allFinite());
  EXPECT_TRUE((result.log_weights.tail(960).array() == -kInfinity).all());
  EXPECT_GT(result.ess, 1);
  EXPECT_LE(result.ess, 40 * (1 + 1e-12));

  ratios.tail(995).setConstant(-kInfinity);
  const Psis few = psis(ratios);
  EXPECT_EQ(few.khat, kInfinity);
  EXPECT_EQ(few.log_weights, ratios);
}

TEST(Psis, WithoutAPositiveWeightNothingIsKnown) {
  for (const Index n : {0, 1, 30}) {
    const Vector ratios = Vector::Constant(n, -kInfinity);
    const Psis result = psis(ratios);
    EXPECT_EQ(result.khat, kInfinity);
    EXPECT_EQ(result.ess, 0);
    EXPECT_EQ(result.log_weights, ratios);
    EXPECT_TRUE(normalize_log_weights(ratios).array().isNaN().all());
  }
}

TEST(Psis, OneUnusableRatioSpoilsAll) {
  for (const double bad : {kNan, kInfinity}) {
    Vector ratios = noise(100);
    ratios(3) = bad;
    const Psis result = psis(ratios);
    EXPECT_EQ(result.khat, kInfinity);
    EXPECT_EQ(result.ess, 0);
    EXPECT_TRUE(result.log_weights.array().isNaN().all());
  }
}

TEST(Psis, FewDrawsAreLeftAsTheyAre) {
  for (const Index n : {1, 2, 3, 20}) {
    const Vector ratios = noise(n);
    const Psis result = psis(ratios);
    EXPECT_EQ(result.khat, kInfinity);
    EXPECT_EQ(result.log_weights, ratios);
    EXPECT_GE(result.ess, 1 - 1e-12);
  }
}

// The smallest spread there is, and one beyond what exp() can represent.
TEST(Psis, ExtremeSpreadsNeitherFailNorGiveNan) {
  Vector tiny = Vector::Zero(500);
  for (Index i = 0; i < 500; i += 3) tiny(i) = 1e-16;
  for (const Vector& ratios : {tiny, Vector(1e4 * noise(500)), Vector(1e-14 * noise(500))}) {
    const Psis result = psis(ratios);
    EXPECT_FALSE(std::isnan(result.khat));
    EXPECT_TRUE(result.log_weights.allFinite());
    EXPECT_GE(result.ess, 1 - 1e-12);
  }
}

}  // namespace
}  // namespace ravi
