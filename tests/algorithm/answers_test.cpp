// What a fit prints of a posterior: numbers that q knows are exact, and none claims more than it
// may.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/registry.hpp"
#include "ravi/ravi.hpp"

namespace ravi {
namespace {

std::unique_ptr<Model> builtin(std::string_view name) { return make_builtin(name, nullptr); }

bool has(const Fit& fit, FindingCode code) {
  return std::ranges::any_of(fit.findings, [&](const Finding& f) { return f.code == code; });
}

std::unique_ptr<Model> standard_normal(Index p, double constant = 0) {
  return make_model(p, [=](const Vector& theta, Vector& gradient) {
    gradient = -theta;
    return constant - 0.5 * theta.squaredNorm();
  });
}

// Where q is the posterior its moments and quantiles are known. A search ends within a divergence
// of 1e-7, which is 4.5e-4 sds of a mean; 1.645 times as much of a quantile.
TEST(Answers, OfAGaussianAreExact) {
  for (const Index p : {2, 30}) {
    const Fit fit = ravi::fit(*standard_normal(p));
    ASSERT_EQ(fit.verdict, Verdict::accurate);
    for (const auto* parameters : {&fit.average->parameters, &fit.average->unweighted_parameters}) {
      for (const ParameterSummary& x : *parameters) {
        EXPECT_NEAR(x.mean, 0, 1e-3);
        EXPECT_NEAR(x.sd, 1, 1e-3);
        EXPECT_NEAR(x.q5, -1.6449, 2e-3);
        EXPECT_NEAR(x.q50, 0, 1e-3);
        EXPECT_NEAR(x.q95, 1.6449, 2e-3);
      }
    }
  }
}

// Pairs of draws z and -z have exactly q's mean, but q has an error of its own.
TEST(Answers, OfQHaveTheErrorOfQ) {
  for (const char* name : {"gaussian", "eight-schools-noncentered", "eight-schools-centered"}) {
    const Fit fit = ravi::fit(*builtin(name));
    ASSERT_TRUE(fit.average);
    for (const auto* parameters : {&fit.average->parameters, &fit.average->unweighted_parameters}) {
      for (const ParameterSummary& x : *parameters) {
        EXPECT_GT(x.mcse, 1e-7 * x.sd) << name << " " << x.name;
        EXPECT_GT(x.mcse_sd, 1e-7 * x.sd) << name << " " << x.name;
        EXPECT_LE(x.digits(), 8) << name << " " << x.name;
      }
    }
  }
}

// The errors of q's means are those of the average: over seeds means vary by as much. With 24 seeds
// the ratio of the two is known to a factor of 1.5 (chi-square, 1 %); the errors themselves rest on
// 16 parts, and averages of parts that know of each other vary more.
TEST(Answers, ErrorsOfQAreThoseOverSeeds) {
  constexpr int kSeeds = 24;
  const auto model = builtin("eight-schools-noncentered");
  Vector means(kSeeds), errors(kSeeds);
  for (int i = 0; i < kSeeds; ++i) {
    const Fit fit = ravi::fit(*model, {.seed = static_cast<std::uint64_t>(i + 1)});
    ASSERT_TRUE(fit.average);
    const ParameterSummary& x = fit.average->unweighted_parameters.front();
    means(i) = x.mean;
    errors(i) = x.mcse;
  }
  const double over_seeds = std::sqrt((means.array() - means.mean()).square().sum() / (kSeeds - 1));
  const double said = std::sqrt(errors.squaredNorm() / kSeeds);
  EXPECT_LT(over_seeds, 2.5 * said);
  EXPECT_GT(over_seeds, 0.4 * said);
}

TEST(Answers, TellThatRoundingHidesTheDensity) {
  const Fit fit = ravi::fit(*standard_normal(3, 1e17));
  EXPECT_FALSE(trustworthy(fit.verdict));
  EXPECT_TRUE(has(fit, FindingCode::density_coarse));
  EXPECT_EQ(ravi::fit(*standard_normal(3, 1e10)).verdict, Verdict::accurate);
}

// sigma = exp(theta) with a half-Cauchy prior and no data has no variance, though theta has one.
TEST(Answers, DoNotShowAnSdThatDoesNotExist) {
  class HalfCauchy final : public Model {
   public:
    Index dimension() const override { return 1; }
    void evaluate(const ConstMatrixRef& theta, VectorRef log_density,
                  MatrixRef gradient) const override {
      for (Index i = 0; i < theta.cols(); ++i) {
        const double x = theta(0, i), square = std::exp(2 * x);
        log_density(i) = x - std::log1p(square);
        gradient(0, i) = 1 - 2 * square / (1 + square);
      }
    }
    std::vector<std::string> parameter_names() const override { return {"sigma"}; }
    void constrain(const ConstMatrixRef& theta, MatrixRef quantities,
                   std::uint32_t) const override {
      quantities = theta.array().exp();
    }
  };
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Fit fit = ravi::fit(HalfCauchy(), {.seed = seed});
    ASSERT_TRUE(fit.average);
    EXPECT_TRUE(!trustworthy(fit.verdict) || !fit.average->parameters[0].sd_trusted) << seed;
    if (!trustworthy(fit.verdict)) continue;
    EXPECT_TRUE(has(fit, FindingCode::sds_unknown));
    // The quartiles are tan(pi p / 2).
    EXPECT_NEAR(fit.average->parameters[0].q50, 1, 0.1);
  }
}

}  // namespace
}  // namespace ravi
