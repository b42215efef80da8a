// Gradients that are not those of the density, and densities of no distribution, are told at once.
#include "algorithm/gradient_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "core/rng.hpp"

namespace ravi {
namespace {

// A standard normal, its gradient, and what is made of it.
std::unique_ptr<Model> normal_with(Index p,
                                   const std::function<void(const Vector&, Vector&)>& spoil,
                                   double constant = 0) {
  return make_model(p, [=](const Vector& theta, Vector& gradient) {
    gradient = -theta;
    spoil(theta, gradient);
    return constant - 0.5 * theta.squaredNorm();
  });
}

std::vector<FindingCode> found(const Model& model, std::uint64_t seed = 1) {
  std::vector<FindingCode> codes;
  for (const Finding& finding : check_gradient(model, seed).findings) codes.push_back(finding.code);
  return codes;
}

const std::vector<FindingCode> kNone = {}, kWrong = {FindingCode::gradient_wrong};

TEST(GradientCheck, FindsGradientsThatAreNotTheDensitys) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    EXPECT_EQ(found(*normal_with(2, [](const Vector&, Vector&) {}), seed), kNone);
    EXPECT_EQ(found(*normal_with(2, [](const Vector&, Vector& g) { g *= 2; }), seed), kWrong);
    EXPECT_EQ(found(*normal_with(2, [](const Vector&, Vector& g) { g = -g; }), seed), kWrong);
    EXPECT_EQ(found(*normal_with(2, [](const Vector&, Vector& g) { g *= 1.1; }), seed), kWrong);
    EXPECT_EQ(found(*normal_with(3, [](const Vector&, Vector& g) { g.setZero(); }), seed), kWrong);
    EXPECT_EQ(found(*normal_with(20, [](const Vector&, Vector& g) { g(7) = 0; }), seed), kWrong);
  }
}

TEST(GradientCheck, NamesTheCoordinatesAndTheirSlopes) {
  const auto model = normal_with(3, [](const Vector&, Vector& g) { g(1) *= 2; });
  const Finding finding = check_gradient(*model, 1).findings.at(0);
  EXPECT_EQ(finding.parameter, "theta[2]");
  EXPECT_NEAR(finding.observed, 2, 1e-4);
}

// float densities: the log density has seven digits, and differences of it few.
TEST(GradientCheck, PassesSinglePrecision) {
  for (const double constant : {0.0, 1e3, 1e6}) {
    const auto model = make_model(5, [=](const Vector& theta, Vector& gradient) {
      gradient = -theta.cast<float>().cast<double>();
      return static_cast<double>(static_cast<float>(constant - 0.5 * theta.squaredNorm()));
    });
    for (std::uint64_t seed = 1; seed <= 5; ++seed) EXPECT_EQ(found(*model, seed), kNone);
  }
}

// As solvers of differential equations: errors of 1e-6 that jump with theta.
TEST(GradientCheck, PassesNoise) {
  const auto model = make_model(3, [](const Vector& theta, Vector& gradient) {
    gradient = -1000 * theta;
    const double value = -500 * theta.squaredNorm();
    return value * (1 + 1e-6 * std::sin(1e9 * theta.sum()));
  });
  for (std::uint64_t seed = 1; seed <= 10; ++seed) EXPECT_EQ(found(*model, seed), kNone);
}

// Kinks, jumps and regions without a density say nothing of a gradient.
TEST(GradientCheck, PassesKinksJumpsAndHoles) {
  const auto model = make_model(2, [](const Vector& theta, Vector& gradient) {
    gradient = -theta.array().sign().matrix() * 3;
    if (theta(0) > 1.5) return std::numeric_limits<double>::quiet_NaN();
    return -3 * theta.lpNorm<1>() + (theta(1) > 0 ? 1 : 0);
  });
  for (std::uint64_t seed = 1; seed <= 20; ++seed) EXPECT_EQ(found(*model, seed), kNone);
}

// Lost digits are another finding's: a constant of 1e17 leaves no differences to compare.
TEST(GradientCheck, PassesWhatRoundingHides) {
  EXPECT_EQ(found(*normal_with(
                2, [](const Vector&, Vector&) {}, 1e17)),
            kNone);
}

TEST(GradientCheck, SaysOfWhichParametersTheDensityDoesNotDepend) {
  const auto model = make_model(3, [](const Vector& theta, Vector& gradient) {
    gradient << -theta(0), 0, -theta(2);
    return -0.5 * (theta(0) * theta(0) + theta(2) * theta(2));
  });
  const GradientCheck check = check_gradient(*model, 1);
  ASSERT_EQ(check.findings.size(), 1U);
  EXPECT_EQ(check.findings[0].code, FindingCode::density_flat);
  EXPECT_EQ(check.findings[0].parameter, "theta[2]");
}

TEST(GradientCheck, EndsAFitBeforeItBegins) {
  const auto model = normal_with(2, [](const Vector&, Vector& g) { g *= 2; });
  for (const char* method : {"robust", "paper"}) {
    const Fit fit = ravi::fit(*model, {.method = method});
    EXPECT_EQ(fit.verdict, Verdict::failed);
    EXPECT_EQ(fit.termination, Termination::not_started);
    EXPECT_FALSE(fit.average);
    ASSERT_EQ(fit.findings.size(), 1U);
    EXPECT_EQ(fit.findings[0].code, FindingCode::gradient_wrong);
    EXPECT_LT(fit.gradient_evaluations, 200);
  }
}

TEST(GradientCheck, LooksAtSomeRowsOfMany) {
  class Many final : public RowModel {
   public:
    Index dimension() const override { return 1; }
    Index rows() const override { return 1'000'000; }
    void add_log_prior(const ConstMatrixRef&, VectorRef, MatrixRef) const override {}
    void add_log_likelihood(const ConstMatrixRef& theta, Rows rows, VectorRef log_density,
                            MatrixRef gradient) const override {
      EXPECT_LE(rows.count(1'000'000), 1000);
      log_density += -0.5 * theta.colwise().squaredNorm().transpose();
      gradient -= theta;
    }
  };
  EXPECT_EQ(found(Many()), kNone);
}

}  // namespace
}  // namespace ravi
