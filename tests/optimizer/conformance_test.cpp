// Every optimizer climbs; each takes the steps that its formula says.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/registry.hpp"
#include "optimizer/optimizer.hpp"
#include "registry_names.hpp"

namespace ravi {
namespace {

class EveryOptimizer : public testing::TestWithParam<OptimizerEntry> {};

// Maximizes -sum c_i (x_i - t_i)^2 / 2 with exact gradients. Every rule travels at least
// eta * sum t^-0.6 > 7 along each coordinate, or contracts by exp(-7), and ends in a zone of the
// size of its last steps, below 2 eta.
TEST_P(EveryOptimizer, ClimbsToTheTopOfAQuadratic) {
  const Vector top{{1, -2, 0.5}}, curvature{{0.5, 1, 2}};
  const double eta = 0.1;
  const auto optimizer = GetParam().make(eta, 3);
  Vector x = Vector::Zero(3);
  for (int t = 0; t < 20000; ++t) {
    optimizer->step(curvature.cwiseProduct(top - x), x);
    ASSERT_TRUE(x.allFinite());
  }
  EXPECT_LT((x - top).cwiseAbs().maxCoeff(), 2 * eta);
}

TEST_P(EveryOptimizer, StaysWhereTheGradientIsZero) {
  const auto optimizer = GetParam().make(0.1, 2);
  Vector x{{3, -4}};
  for (int t = 0; t < 20; ++t) optimizer->step(Vector::Zero(2), x);
  EXPECT_EQ(x, (Vector{{3, -4}}));
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryOptimizer,
                         testing::ValuesIn(optimizer_registry().begin(),
                                           optimizer_registry().end()),
                         EntryName());

// Lengths of the first steps under a row of scalar gradients.
std::vector<double> steps(std::string_view name, double eta, const std::vector<double>& gradients,
                          const StepRuleSettings& settings = {}) {
  const auto optimizer = entry_of(optimizer_registry(), name, "optimizer").make(eta, 1, settings);
  std::vector<double> lengths;
  Vector x = Vector::Zero(1);
  for (const double g : gradients) {
    const double before = x(0);
    optimizer->step(Vector::Constant(1, g), x);
    lengths.push_back(x(0) - before);
  }
  return lengths;
}

// Expected values are the formulas in the headers, worked out by hand; delta is 1e-8.
constexpr double kTolerance = 1e-7;

TEST(Sgd, StepIsEtaTimesTheGradient) {
  const auto s = steps("sgd", 0.1, {2, -3});
  EXPECT_NEAR(s[0], 0.2, kTolerance);
  EXPECT_NEAR(s[1], -0.3, kTolerance);
}

TEST(RobbinsMonro, StepFallsAsTToTheMinusPointSix) {
  const auto s = steps("sgd-robbins-monro", 0.1, {1, 1, 1, 1});
  for (int t = 1; t <= 4; ++t) {
    EXPECT_NEAR(s[static_cast<std::size_t>(t - 1)], 0.1 * std::pow(t, -0.6), kTolerance);
  }
}

TEST(RmsProp, FirstStepIsEtaAndLaterOnesFollowTheRunningSquare) {
  const auto s = steps("rmsprop", 0.1, {5, 1});
  EXPECT_NEAR(s[0], 0.1, kTolerance);
  EXPECT_NEAR(s[1], 0.1 / std::sqrt(0.9 * 25 + 0.1 * 1), kTolerance);
}

TEST(RmsProp, TakesADecayAndAnOffsetInsideTheRoot) {
  const auto s =
      steps("rmsprop", 0.1, {5, 1}, {.decay = 0.99, .offset = 0.5, .offset_place = kInside});
  EXPECT_NEAR(s[0], 0.1 * 5 / std::sqrt(25.5), kTolerance);
  EXPECT_NEAR(s[1], 0.1 / std::sqrt(0.99 * 25 + 0.01 * 1 + 0.5), kTolerance);
}

TEST(Adagrad, TakesAnOffsetInEitherPlace) {
  const auto inside = steps("adagrad", 0.1, {3}, {.offset = 7, .offset_place = kInside});
  EXPECT_NEAR(inside[0], 0.1 * 3 / 4, kTolerance);
  const auto outside =
      steps("adagrad-windowed", 0.1, {3, 4}, {.offset = 1, .offset_place = kOutside, .squares = 1});
  EXPECT_NEAR(outside[0], 0.1 * 3 / 4, kTolerance);
  EXPECT_NEAR(outside[1], 0.1 * 4 / 5, kTolerance);
}

TEST(Adagrad, StepsUnderAConstantGradientFallAsTheRootOfT) {
  const auto s = steps("adagrad", 0.1, {3, 3, 3, 3});
  for (int t = 1; t <= 4; ++t) {
    EXPECT_NEAR(s[static_cast<std::size_t>(t - 1)], 0.1 / std::sqrt(t), kTolerance);
  }
}

TEST(WindowedAdagrad, ForgetsGradientsOlderThanTen) {
  std::vector<double> gradients(25, 2.0);
  gradients[0] = 1000;
  const auto s = steps("adagrad-windowed", 0.1, gradients);
  EXPECT_NEAR(s[9], 0.2 / std::sqrt(0.1 + 1e6 + 9 * 4), kTolerance);
  EXPECT_NEAR(s[10], 0.2 / std::sqrt(0.1 + 10 * 4), kTolerance);
  EXPECT_NEAR(s[24], 0.2 / std::sqrt(0.1 + 10 * 4), kTolerance);
}

TEST(Adam, IsCorrectedForItsStartAtZero) {
  const auto s = steps("adam", 0.1, {4, 2});
  EXPECT_NEAR(s[0], 0.1, kTolerance);
  const double m = (0.9 * 0.1 * 4 + 0.1 * 2) / (1 - 0.81);
  const double v = (0.999 * 0.001 * 16 + 0.001 * 4) / (1 - 0.999 * 0.999);
  EXPECT_NEAR(s[1], 0.1 * m / std::sqrt(v), kTolerance);
}

}  // namespace
}  // namespace ravi
