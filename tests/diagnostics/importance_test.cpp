// Weighted estimates and resampling against known distributions.
#include "diagnostics/importance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "diagnostics/psis.hpp"
#include "diagnostics/ranks.hpp"
#include "ravi/error.hpp"
#include "special_numbers.hpp"

namespace ravi {
namespace {

double phi(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }
double density(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * M_PI); }

// Draws from N(0, 1) weighted to N(1/2, 1): w = exp(x/2 - 1/8). With E over N(0, 1),
// E[w^2 f(x)] = e^(1/4) E f(x + 1) and E[w^4 f(x)] = e^(3/2) E f(x + 2), so the Monte Carlo error
// of every estimate below is known; 5 standard errors are allowed.
class GaussianShift : public testing::Test {
 protected:
  GaussianShift() : x_(kDraws) {
    RandomStream(1, Purpose::test, 0, 0).fill_normal(x_);
    weights_ = normalize_log_weights(x_ / 2).array().exp();
  }

  static constexpr Index kDraws = 20000;
  const double root_n_ = std::sqrt(static_cast<double>(kDraws));
  Vector x_, weights_;
};

TEST_F(GaussianShift, MeanIsRecovered) {
  // E[w^2 (x - 1/2)^2] = e^(1/4) E (z + 1/2)^2 = e^(1/4) 5/4.
  const double error = std::sqrt(std::exp(0.25) * 1.25) / root_n_;
  EXPECT_NEAR(weighted_mean(x_, weights_), 0.5, 5 * error);
}

TEST_F(GaussianShift, SdIsRecovered) {
  // E[w^2 ((x - 1/2)^2 - 1)^2] = e^(1/4) (E (z + 1/2)^4 - 2 E (z + 1/2)^2 + 1).
  const double fourth = std::pow(0.5, 4) + 6 * 0.25 + 3;
  const double error_of_variance = std::sqrt(std::exp(0.25) * (fourth - 2.5 + 1)) / root_n_;
  EXPECT_NEAR(weighted_sd(x_, weights_), 1, 5 * error_of_variance / 2);
}

TEST_F(GaussianShift, QuantilesAreRecovered) {
  const std::vector<double> levels = {0.95, 0.05, 0.5};
  const Vector estimates = weighted_quantiles(x_, weights_, levels);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double p = levels[i], z = normal_quantile(p);
    // E[w^2 (1{x <= q} - p)^2] with q = z + 1/2.
    const double below = phi(z - 0.5);
    const double spread = std::exp(0.25) * (below * (1 - p) * (1 - p) + (1 - below) * p * p);
    const double error = std::sqrt(spread) / root_n_ / density(z);
    EXPECT_NEAR(estimates(static_cast<Index>(i)), 0.5 + z, 5 * error);
  }
}

// By the definition: all draws in order, the middles of their steps, a line between two of them.
double quantile_by_sorting(const Vector& x, const Vector& weights, double p) {
  std::vector<std::pair<double, double>> draws;
  for (Index i = 0; i < x.size(); ++i) draws.emplace_back(x(i), weights(i));
  std::ranges::sort(draws);
  double cumulative = 0, value = draws.front().first, middle = 0;
  for (const auto& [next, weight] : draws) {
    const double next_middle = cumulative + weight / 2;
    if (next_middle >= p) {
      if (cumulative == 0 || next == value) return next;
      return value + (p - middle) / (next_middle - middle) * (next - value);
    }
    cumulative += weight;
    value = next;
    middle = next_middle;
  }
  return value;
}

class Quantiles : public testing::TestWithParam<Index> {};

TEST_P(Quantiles, AreThoseOfAllDrawsInOrder) {
  Vector x(GetParam()), log_weights(GetParam());
  RandomStream stream(2, Purpose::test, 0, 0);
  stream.fill_normal(x);
  stream.fill_normal(log_weights);
  const Vector weights = normalize_log_weights(3 * log_weights).array().exp();
  Vector in_order = x, skewed = (4 * x.array()).exp();
  std::ranges::sort(in_order);
  for (const Vector& values : {x, in_order, skewed, Vector(0 * x)}) {
    for (const double p : {0.0, 1e-5, 0.01, 0.05, 0.3, 0.5, 0.77, 0.95, 0.999, 1.0}) {
      const double expected = quantile_by_sorting(values, weights, p);
      EXPECT_NEAR(weighted_quantiles(values, weights, {p})(0), expected,
                  1e-9 * (1 + std::abs(expected)))
          << p;
    }
  }
  // Equal values: which of them comes first matters unless their weights are equal, too.
  const Vector rounded = x.array().round(),
               equal = Vector::Constant(x.size(), 1 / static_cast<double>(x.size()));
  for (const double p : {0.0, 0.05, 0.31, 0.5, 0.95, 1.0}) {
    EXPECT_NEAR(weighted_quantiles(rounded, equal, {p})(0), quantile_by_sorting(rounded, equal, p),
                1e-9);
  }
}
INSTANTIATE_TEST_SUITE_P(Sizes, Quantiles, testing::Values(1, 2, 100, 1023, 1024, 5000, 48000));

TEST(Weighted, SmallCaseByHand) {
  const Vector x{{3, 1, kNan, 2}}, w{{0.25, 0.25, 0, 0.5}};
  EXPECT_DOUBLE_EQ(weighted_mean(x, w), 2);
  EXPECT_DOUBLE_EQ(weighted_sd(x, w), std::sqrt(0.5));
  // Steps end at 0.25, 0.75, 1; their middles are 0.125, 0.5, 0.875.
  const Vector q = weighted_quantiles(x, w, {0, 0.125, 0.3125, 0.5, 0.6875, 1, -1});
  EXPECT_THAT(std::vector<double>(q.begin(), q.begin() + 6),
              testing::ElementsAre(1, 1, 1.5, 2, 2.5, 3));
  EXPECT_TRUE(std::isnan(q(6)));
}

TEST(Weighted, NothingInGivesNan) {
  const Vector none(0), x{{1, 2}}, bad{{0.5, kNan}}, zero{{0, 0}};
  for (const auto f : {weighted_mean, weighted_sd}) {
    EXPECT_TRUE(std::isnan(f(none, none)));
    EXPECT_TRUE(std::isnan(f(x, bad)));
  }
  EXPECT_TRUE(std::isnan(weighted_quantiles(none, none, {0.5})(0)));
  EXPECT_TRUE(std::isnan(weighted_quantiles(x, bad, {0.5})(0)));
  EXPECT_TRUE(std::isnan(weighted_quantiles(x, zero, {0.5})(0)));
}

const Vector kWeights{{0.1, 0.4, 0, 0.2, 0.3}};
const Vector kLogWeights = kWeights.array().log() + 5000;  // any offset will do

// A draw's share of the cumulative weight covers whole slices and at most two in part: its count is
// less than 2 away from count * w, and the parts are Bernoulli with variance at most 1/4 each.
TEST(ResampleWithReplacement, CountsFollowTheWeights) {
  constexpr Index kCount = 7;
  constexpr int kRepeats = 2000;
  Vector total = Vector::Zero(5);
  for (std::uint32_t repeat = 0; repeat < kRepeats; ++repeat) {
    RandomStream stream(1, Purpose::test, 0, repeat);
    const std::vector<Index> chosen = resample_with_replacement(kLogWeights, kCount, stream);
    ASSERT_EQ(chosen.size(), 7u);
    Vector counts = Vector::Zero(5);
    for (const Index i : chosen) ++counts(i);
    EXPECT_LT((counts - kCount * kWeights).cwiseAbs().maxCoeff(), 2);
    EXPECT_EQ(counts(2), 0);
    total += counts;
  }
  const double error = std::sqrt(0.5 / kRepeats);
  EXPECT_LE((total / kRepeats - kCount * kWeights).cwiseAbs().maxCoeff(), 5 * error);
}

// Slices are shuffled, so the first place gets each draw with its weight: binomial.
TEST(ResampleWithReplacement, EveryPlaceIsDistributedByWeight) {
  constexpr int kRepeats = 5000;
  Vector first = Vector::Zero(5);
  for (std::uint32_t repeat = 0; repeat < kRepeats; ++repeat) {
    RandomStream stream(2, Purpose::test, 0, repeat);
    ++first(resample_with_replacement(kLogWeights, 7, stream).front());
  }
  for (Index i = 0; i < 5; ++i) {
    const double error = std::sqrt(kWeights(i) * (1 - kWeights(i)) / kRepeats);
    EXPECT_NEAR(first(i) / kRepeats, kWeights(i), 5 * error);
  }
}

TEST(Resample, ImpossibleRequestsAreRefused) {
  RandomStream stream(1, Purpose::test, 0, 0);
  const Vector none = Vector::Constant(3, -kInfinity);
  EXPECT_THROW(resample_with_replacement(none, 1, stream), UsageError);
  EXPECT_THROW(resample_with_replacement(Vector(0), 1, stream), UsageError);
  for (const double bad : {kNan, kInfinity}) {
    const Vector log_weights{{0, bad}};
    EXPECT_THROW(resample_with_replacement(log_weights, 1, stream), UsageError);
  }
  EXPECT_TRUE(resample_with_replacement(none, 0, stream).empty());
}

TEST(Resample, SameStreamSameChoice) {
  RandomStream a(3, Purpose::resample, 0, 0), b(3, Purpose::resample, 0, 0);
  EXPECT_EQ(resample_with_replacement(kLogWeights, 3, a),
            resample_with_replacement(kLogWeights, 3, b));
}

}  // namespace
}  // namespace ravi
