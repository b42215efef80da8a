// Simulated regressions, and the exact posterior they come with.
#include "model/simulate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>

#include "core/json_file.hpp"
#include "model/data.hpp"
#include "model/linear_posterior.hpp"
#include "model/reference.hpp"
#include "model/registry.hpp"
#include "model/temporary_file.hpp"

namespace ravi {
namespace {

// The precision matrix has a condition number below 1e4, so mean and cov keep some 1e-12 of their
// relative accuracy; the reference was computed from the same rounded data.
TEST(LinearPosterior, MatchesTheReferences) {
  for (const std::string name : {"boston", "concrete"}) {
    const Data data = read_data(RAVI_TEST_DATA "/models/linear_" + name + ".stan.json");
    const Index n = data.integer("N", 1), p = data.integer("P", 1);
    const LinearPosterior posterior = linear_regression_posterior(
        data.matrix("X", n, p), data.vector("y", n), data.number("sigma"));
    const std::string path = RAVI_TEST_DATA "/reference/linear_" + name + ".json";
    const Reference reference = read_reference(path);
    const double evidence = read_json(path).at("log_evidence").get<double>();
    EXPECT_LT((posterior.mean - reference.mean).norm(), 1e-9 * reference.mean.norm());
    EXPECT_LT((posterior.cov - reference.cov).norm(), 1e-9 * reference.cov.norm());
    EXPECT_NEAR(posterior.log_evidence, evidence, 1e-9 * std::abs(evidence));
  }
}

TEST(Simulate, SameSeedSameDataOtherSeedOtherData) {
  const auto a = simulate_linear_regression(20, 3, 0.5, 7),
             b = simulate_linear_regression(20, 3, 0.5, 7);
  const auto c = simulate_linear_regression(20, 3, 0.5, 8);
  EXPECT_EQ(a.X, b.X);
  EXPECT_EQ(a.y, b.y);
  EXPECT_EQ(a.mean, b.mean);
  EXPECT_NE(a.y, c.y);
}

// The model and the posterior are computed apart: log p(y, beta) - log p(beta | y) = log p(y).
TEST(Simulate, EvidenceIsThatOfTheModel) {
  for (const auto& [n, p] : {std::pair<Index, Index>{300, 20}, {5, 12}, {1, 1}}) {
    const SimulatedRegression s = simulate_linear_regression(n, p, 0.9, 3);
    Data data("simulated");
    data.add("N", static_cast<double>(n)).add("P", static_cast<double>(p));
    data.add("X", s.X).add("y", s.y).add("sigma", s.sigma);
    const auto model = make_builtin("linear-regression", &data);
    Vector log_density(1);
    Matrix gradient(p, 1);
    model->evaluate(s.mean, log_density, gradient);
    const Eigen::LLT<Matrix> factor(s.cov);
    const double log_posterior = -0.5 * static_cast<double>(p) * std::log(2 * std::numbers::pi) -
                                 factor.matrixLLT().diagonal().array().log().sum();
    EXPECT_NEAR(log_density(0) - log_posterior, s.log_evidence,
                1e-9 * (1 + std::abs(s.log_evidence)));
    // The mean is the mode: the gradient vanishes up to the condition number times rounding.
    EXPECT_LT(gradient.norm(), 1e-9 * (1 + (s.X.transpose() * s.X).norm()));
  }
}

// With n = 4000 rows the standard error of each correlation and of each variance is below
// sqrt(2/n) = 0.022; among 55 of them one beyond five standard errors is a one in 30000 event.
TEST(Simulate, FeaturesHaveTheirCovariance) {
  const Index n = 4000, p = 10;
  for (const double gamma : {0.9, 0.5, -0.6, 0.0}) {
    const Matrix x = simulate_linear_regression(n, p, gamma, 5).X;
    const Matrix cov = x.transpose() * x / static_cast<double>(n);
    for (Index i = 0; i < p; ++i) {
      for (Index j = 0; j < p; ++j) {
        EXPECT_NEAR(cov(i, j), std::pow(gamma, std::abs(i - j)), 5 * std::sqrt(2.0 / n));
      }
    }
  }
}

// (y - X beta) / sigma are n = 4000 standard normals: their mean square is 1 with standard error
// sqrt(2/n), their mean 0 with 1/sqrt(n).
TEST(Simulate, NoiseIsThatOfTheModel) {
  const SimulatedRegression s = simulate_linear_regression(4000, 4, 0.5, 9);
  EXPECT_EQ(s.sigma, std::sqrt(0.4));
  const Vector z = (s.y - s.X * s.beta) / s.sigma;
  EXPECT_NEAR(z.squaredNorm() / 4000, 1, 5 * std::sqrt(2.0 / 4000));
  EXPECT_NEAR(z.mean(), 0, 5 / std::sqrt(4000.0));
}

TEST(Simulate, RefusesWhatItCannotDo) {
  const auto error = [](Index n, Index p, double gamma) {
    return usage_error("", [&] { simulate_linear_regression(n, p, gamma, 1); });
  };
  EXPECT_EQ(error(0, 1, 0.5), "n = 0, but it must be at least 1");
  EXPECT_EQ(error(1, 0, 0.5), "p = 0, but it must be at least 1");
  EXPECT_EQ(error(1, 1, 1.0), "gamma = 1, but it must lie in (-1, 1)");
  EXPECT_EQ(error(1, 1, std::numeric_limits<double>::quiet_NaN()),
            "gamma = nan, but it must lie in (-1, 1)");
  EXPECT_EQ(error(1, 1, -std::numeric_limits<double>::infinity()),
            "gamma = -inf, but it must lie in (-1, 1)");
}

}  // namespace
}  // namespace ravi
