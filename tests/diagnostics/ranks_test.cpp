// Ranks, quantiles and the normal and beta quantile functions against closed forms.
#include "diagnostics/ranks.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "diagnostics/beta.hpp"
#include "special_numbers.hpp"

namespace ravi {
namespace {

TEST(Ranks, TiesShareTheAverage) {
  Matrix x(3, 2), expected(3, 2);
  x << 5, 1, 2, 5, 5, -7;
  expected << 5, 2, 3, 5, 5, 1;
  EXPECT_EQ(average_ranks(x), expected);
  EXPECT_EQ(average_ranks(Matrix(0, 2)).size(), 0);
}

TEST(Ranks, NormalScoresAreSymmetric) {
  const Vector scores = normal_scores(Vector::LinSpaced(5, 0, 100));
  EXPECT_EQ(scores(2), 0);
  EXPECT_NEAR(scores(0), -scores(4), 1e-15);
  EXPECT_NEAR(scores(4), normal_quantile(4.625 / 5.25), 1e-15);
}

// Check values published with the algorithm (Wichura 1988), and standard tables to all digits.
TEST(NormalQuantile, MatchesPublishedValues) {
  EXPECT_DOUBLE_EQ(normal_quantile(0.25), -0.6744897501960817);
  EXPECT_DOUBLE_EQ(normal_quantile(0.001), -3.090232306167814);
  EXPECT_DOUBLE_EQ(normal_quantile(1e-20), -9.262340089798408);
  EXPECT_DOUBLE_EQ(normal_quantile(0.975), 1.959963984540054);
  EXPECT_EQ(normal_quantile(0.5), 0);
}

// d log Phi(x) = (phi / Phi) dx, and phi / Phi is below |x| + 1 for x < 0; a relative error of a
// few roundings in x and as many in erfc give (x^2 + |x| + 1) roundings in p.
TEST(NormalQuantile, InvertsTheDistributionFunction) {
  for (double log_p = -700; log_p < -0.7; log_p += 0.37) {
    const double p = std::exp(log_p), x = normal_quantile(p);
    const double back = std::erfc(-x / std::sqrt(2.0)) / 2;
    EXPECT_NEAR(back / p, 1, 8 * kEpsilon * (x * x - x + 1)) << p;
    if (p > 1e-3) {
      // 1 - p is rounded, which moves the quantile by eps / density.
      EXPECT_NEAR(normal_quantile(1 - p), -x, 4 * kEpsilon * (1 / p + 1));
    }
  }
}

// Of R's qchisq(0.95, n), qf(0.95, n, 15 n) and qf(0.95, n, 4 n).
TEST(FQuantile, AndThatOfChiSquareAreWithinThreePercent) {
  struct Row {
    double n, chi_square, f15, f4;
  };
  for (const auto& [n, chi_square, f15, f4] : {Row{1, 3.841459, 4.543077, 7.708647},
                                               {2, 5.991465, 3.31583, 4.45897},
                                               {5, 11.0705, 2.336576, 2.71089},
                                               {20, 31.41043, 1.605679, 1.70316},
                                               {200, 233.9943, 1.176909, 1.19525}}) {
    EXPECT_NEAR(chi_square_quantile(0.95, n) / chi_square, 1, 0.03) << n;
    EXPECT_NEAR(f_quantile(0.95, n, 15 * n) / f15, 1, 0.03) << n;
    EXPECT_NEAR(f_quantile(0.95, n, 4 * n) / f4, 1, 0.03) << n;
  }
}

TEST(NormalQuantile, EndsAreInfinite) {
  EXPECT_EQ(normal_quantile(0), -kInfinity);
  EXPECT_EQ(normal_quantile(1), kInfinity);
  for (const double p : {-0.1, 1.1, kNan}) EXPECT_TRUE(std::isnan(normal_quantile(p)));
}

TEST(Quantile, IsLinearBetweenOrderStatistics) {
  const Vector x{{40, 10, 30, 20}};
  EXPECT_EQ(quantile(x, 0), 10);
  EXPECT_EQ(quantile(x, 1), 40);
  EXPECT_EQ(quantile(x, 0.5), 25);
  EXPECT_NEAR(quantile(x, 0.1), 13, 1e-13);
  EXPECT_EQ(quantile(Vector{{7.0}}, 0.3), 7);
  EXPECT_EQ(quantile(Vector::Constant(9, 0.1), 0.3), 0.1);
  EXPECT_TRUE(std::isnan(quantile(Vector(0), 0.5)));
  EXPECT_TRUE(std::isnan(quantile(Vector{{1, kNan}}, 0.5)));
  EXPECT_TRUE(std::isnan(quantile(x, 1.5)));
}

// I_x(1, b) = 1 - (1 - x)^b and I_x(a, 1) = x^a.
TEST(IncompleteBeta, MatchesClosedForms) {
  for (const double x : {1e-6, 0.1, 0.5, 0.9, 0.999}) {
    for (const double s : {0.3, 1.0, 7.5, 300.0, 20000.0}) {
      const double near_one = -std::expm1(s * std::log1p(-x));
      EXPECT_NEAR(incomplete_beta(x, 1, s), near_one, 1e-12 * near_one);
      const double power = std::pow(x, s);
      EXPECT_NEAR(incomplete_beta(x, s, 1), power, 1e-12 * power);
    }
  }
}

// P(at least k of n successes) = I_x(k, n - k + 1).
TEST(IncompleteBeta, IsABinomialTail) {
  constexpr int kTrials = 12;
  for (const double x : {0.05, 0.4, 0.8}) {
    double tail = 0, coefficient = 1;
    for (int k = kTrials; k >= 1; --k) {
      tail += coefficient * std::pow(x, k) * std::pow(1 - x, kTrials - k);
      coefficient *= static_cast<double>(k) / (kTrials - k + 1);
      EXPECT_NEAR(incomplete_beta(x, k, kTrials - k + 1), tail, 1e-14);
    }
  }
}

TEST(IncompleteBeta, IsUndefinedOutsideItsDomain) {
  EXPECT_EQ(incomplete_beta(0, 2, 3), 0);
  EXPECT_EQ(incomplete_beta(1, 2, 3), 1);
  EXPECT_TRUE(std::isnan(incomplete_beta(-0.1, 2, 3)));
  EXPECT_TRUE(std::isnan(incomplete_beta(0.5, 0, 3)));
  EXPECT_TRUE(std::isnan(beta_quantile(0.5, 2, kNan)));
  EXPECT_TRUE(std::isnan(beta_quantile(kNan, 2, 2)));
}

TEST(BetaQuantile, InvertsTheDistributionFunction) {
  for (const double a : {0.5, 1.0, 3.0, 50.0, 4000.0, 1e6}) {
    for (const double b : {0.7, 2.0, 90.0, 1e5}) {
      for (const double p : {1e-6, 0.1586553, 0.5, 0.8413447, 0.999}) {
        const double x = beta_quantile(p, a, b);
        // Roundings of x and 1 - x, and those of the logarithms in the density: they are
        // exponentiated.
        const double log_power = a * std::log(x) + b * std::log1p(-x);
        const double log_beta = std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b);
        const double density = std::exp(log_power - log_beta) / (x * (1 - x));
        const double tolerance = 2 * kEpsilon * (density + std::abs(log_power) + 1);
        EXPECT_NEAR(incomplete_beta(x, a, b), p, tolerance) << a << ' ' << b << ' ' << p;
      }
    }
  }
}

TEST(BetaQuantile, MedianOfASymmetricBetaIsOneHalf) {
  for (const double a : {0.5, 1.0, 20.0, 3e4}) EXPECT_NEAR(beta_quantile(0.5, a, a), 0.5, 1e-14);
  EXPECT_EQ(beta_quantile(0, 2, 3), 0);
  EXPECT_EQ(beta_quantile(1, 2, 3), 1);
  EXPECT_NEAR(beta_quantile(0.3, 1, 4), -std::expm1(std::log(0.7) / 4), 1e-15);
}

}  // namespace
}  // namespace ravi
