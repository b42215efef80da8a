// ESS and MCSE beyond the reference values: antithetic draws, invariances, degenerate input.
#include "diagnostics/ess.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "diagnostics/mcse.hpp"
#include "diagnostics/noise.hpp"
#include "special_numbers.hpp"

namespace ravi {
namespace {

using Diagnostic = double (*)(const ConstMatrixRef&);
constexpr Diagnostic kAll[] = {ess_mean, ess_bulk,  ess_tail, ess_median,
                               ess_sd,   mcse_mean, mcse_sd,  mcse_median};

// x, -x, y, -y, ...: the mean is known exactly. rho_1 is near -1/2, all later ones near 0 with
// standard error 1/sqrt(n) = 0.016, so tau is near 0 and its lower bound 1/log10(n) = 0.28 holds.
TEST(Ess, AntitheticDrawsAreWorthMoreUpToTheCap) {
  Matrix draws = noise(4000, 1);
  for (Index i = 0; i < 4000; i += 2) draws(i + 1) = -draws(i);
  EXPECT_NEAR(ess_mean(draws), 4000 * std::log10(4000.0), 1e-8);
}

// AR(1) with coefficient phi has tau = (1 + phi) / (1 - phi). Truncated after about c tau lags the
// relative variance of the estimate is 2 (2 c tau + 1) / n or so (Sokal 1997); with c = 6
// that is a standard deviation of 7 % here, and 5 of them are allowed.
TEST(Ess, AutoregressionHasItsKnownTime) {
  constexpr double kPhi = 0.8;
  constexpr double kTau = (1 + kPhi) / (1 - kPhi);
  Matrix draws = noise(10000, 4);
  for (Index c = 0; c < 4; ++c) {
    for (Index i = 1; i < 10000; ++i) draws(i, c) += kPhi * draws(i - 1, c);
  }
  const double sd = std::sqrt(2 * (2 * 6 * kTau + 1) / 40000);
  EXPECT_NEAR(40000 / ess_mean(draws) / kTau, 1, 5 * sd);
}

// Of five lags or fewer no pair is accepted, and tau is 2 by convention; so it is for draws that
// alternate exactly, whose lag-one correlation is -1.
TEST(Ess, WithoutAPairOfLagsTheTimeIsTwo) {
  EXPECT_EQ(ess_basic(noise(5, 2), false), 5);
  EXPECT_EQ(ess_basic(noise(10, 2)), 10);
  Matrix alternating(100, 1);
  for (Index i = 0; i < 100; ++i) alternating(i) = i % 2 == 0 ? 1 : -1;
  EXPECT_EQ(ess_basic(alternating, false), 50);
}

TEST(Ess, DependsNeitherOnUnitsNorOnTheOrderOfChains) {
  const Matrix draws = noise(200, 3);
  for (const Diagnostic f : {ess_mean, ess_bulk, ess_median, ess_tail, ess_sd}) {
    EXPECT_NEAR(f(draws * 1e150), f(draws), 1e-10 * f(draws));
    EXPECT_NEAR(f(draws * 1e-150), f(draws), 1e-10 * f(draws));
    EXPECT_NEAR(f(draws.rowwise().reverse()), f(draws), 1e-10 * f(draws));
  }
}

TEST(Mcse, HasTheUnitsOfTheDraws) {
  const Matrix draws = noise(200, 3);
  for (const Diagnostic f : {mcse_mean, mcse_sd, mcse_median}) {
    EXPECT_NEAR(f(1e3 * draws), 1e3 * f(draws), 1e-8 * f(draws));
  }
}

// Order statistics around the median of n equally spaced draws lie about one standard error
// sqrt(p (1 - p) / ess) of its level away; rounding outwards adds at most one place on either side.
TEST(Mcse, QuantileErrorIsThatOfItsLevel) {
  Matrix draws = noise(2000, 1);
  Matrix uniform(2000, 1);
  for (Index i = 0; i < 2000; ++i) uniform(i) = std::erfc(-draws(i) / std::sqrt(2.0)) / 2;
  for (const double p : {0.1, 0.5, 0.9}) {
    const double error = std::sqrt(p * (1 - p) / ess_quantile(uniform, p));
    // The spacing of 2 * 2000 * error uniform draws varies by its square root.
    const double places = 2 * 2000 * error;
    EXPECT_NEAR(mcse_quantile(uniform, p) / error, 1, 4 / std::sqrt(places) + 2 / places);
  }
}

TEST(Ess, UselessDrawsHaveNone) {
  for (const double bad : {kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
    Matrix draws = noise(40, 2);
    draws(20, 1) = bad;
    for (const Diagnostic f : kAll) EXPECT_TRUE(std::isnan(f(draws)));
  }
  for (const Diagnostic f : kAll) EXPECT_TRUE(std::isnan(f(Matrix::Constant(40, 2, 0.1))));
  for (const Index n : {0, 1, 2, 3, 4, 5}) {
    for (const Diagnostic f : kAll) EXPECT_TRUE(std::isnan(f(noise(n, 2)))) << n;
  }
  EXPECT_TRUE(std::isnan(ess_basic(noise(2, 2), false)));
  EXPECT_FALSE(std::isnan(ess_basic(noise(3, 2), false)));
  EXPECT_FALSE(std::isnan(ess_mean(noise(6, 2))));
  EXPECT_TRUE(std::isnan(ess_mean(noise(40, 2) * 1e200)));  // squares overflow
  for (const double p : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_TRUE(std::isnan(ess_quantile(noise(40, 2), p)));
    EXPECT_TRUE(std::isnan(mcse_quantile(noise(40, 2), p)));
  }
}

}  // namespace
}  // namespace ravi
