// The way uphill from a start: where it ends, and that it says when it does not.
#include "algorithm/robust/climb.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>
#include <limits>

#include "core/rng.hpp"

namespace ravi {
namespace {

Matrix identity(Index p) { return Matrix::Identity(p, p); }

Climb climb(const Model& model, const Vector& start, const Matrix& l) {
  return ravi::climb(model, start, l, RandomStream(1, Purpose::climb, 0, 0));
}

// Sds of 1e-3 to 1e3, and a mean 1e4 of the smallest away.
std::unique_ptr<Model> gaussian(const Vector& mean, const Vector& sd) {
  return make_model(mean.size(), [=](const Vector& theta, Vector& gradient) {
    const Vector z = (theta - mean).cwiseQuotient(sd);
    gradient = -z.cwiseQuotient(sd);
    return -0.5 * z.squaredNorm();
  });
}

TEST(Climb, ArrivesAtTheModeOfABadlyScaledGaussian) {
  const Vector sd{{1e-3, 1, 1e3, 10, 0.1}}, mean{{10, -5, 3000, 0, 1}};
  const auto model = gaussian(mean, sd);
  const Climb end = climb(*model, Vector::Zero(5), identity(5));
  EXPECT_TRUE(end.arrived);
  // Ten more steps would gain a hundredth of a nat.
  const Vector z = (end.theta - mean).cwiseQuotient(sd);
  EXPECT_LT(0.5 * z.squaredNorm(), 0.01);
}

// With the right scale it is a sphere, to the top of which the first steps lead.
TEST(Climb, NeedsFewGradientsWhereTheScaleIsKnown) {
  const Vector sd{{1e-3, 1, 1e3, 10, 0.1}}, mean{{0.01, -5, 3000, 20, 1}};
  const auto model = gaussian(mean, sd);
  const Climb end = climb(*model, Vector::Zero(5), sd.asDiagonal());
  EXPECT_TRUE(end.arrived);
  EXPECT_LT(end.evaluations, 20);
  EXPECT_LT((end.theta - mean).cwiseQuotient(sd).norm(), 1e-4);
}

// A regression whose columns have scales of 1, 1e3 and 1e6, noise unknown, flat priors. Far from
// the data the density is flat in the coefficients: -N log |y - X beta|. The mode is that of least
// squares, with sigma^2 = RSS / (N - 1) since log sigma has a flat density.
TEST(Climb, CrossesTheFlatLandAroundARegression) {
  constexpr Index n = 40, p = 3;
  Matrix x(n, p);
  Vector noise(n);
  RandomStream(1, Purpose::test, 0, 0).fill_normal(x);
  RandomStream(1, Purpose::test, 0, 1).fill_normal(noise);
  x.col(0).setOnes();
  x.col(1) *= 1e3;
  x.col(2) *= 1e6;
  const Vector y = x * Vector{{50, 0.3, -2e-4}} + 7 * noise;
  const auto model = make_model(p + 1, [&](const Vector& theta, Vector& gradient) {
    const Vector residual = y - x * theta.head(p);
    const double precision = std::exp(-2 * theta(p)), rss = residual.squaredNorm();
    gradient.head(p) = precision * x.transpose() * residual;
    gradient(p) = precision * rss - (n - 1);
    return -0.5 * precision * rss - (n - 1) * theta(p);
  });
  const Vector beta = x.colPivHouseholderQr().solve(y);
  const double sigma = std::sqrt((y - x * beta).squaredNorm() / (n - 1));
  const Climb end = climb(*model, Vector{{1, -1, 0.5, 0}}, 0.01 * identity(p + 1));
  EXPECT_TRUE(end.arrived);
  const Vector shift = x * (end.theta.head(p) - beta) / sigma;
  EXPECT_LT(0.5 * shift.squaredNorm(), 0.01);
  EXPECT_NEAR(end.theta(p), std::log(sigma), 0.1 / std::sqrt(static_cast<double>(n)));
}

// Effects around zero with their scale, centered and without data: the density grows without end
// where the scale goes to zero.
TEST(Climb, NeverArrivesWhereThereIsNoMode) {
  const auto model = make_model(5, [](const Vector& theta, Vector& gradient) {
    const double precision = std::exp(-2 * theta(4)), squares = theta.head(4).squaredNorm();
    gradient.head(4) = -precision * theta.head(4);
    gradient(4) = precision * squares - 4;
    return -0.5 * precision * squares - 4 * theta(4);
  });
  EXPECT_FALSE(climb(*model, Vector::Ones(5), 0.01 * identity(5)).arrived);
}

// Ten means around zero with their scale tau, centered, and one observation of each with unit
// noise; theta has log tau, and the prior of tau is flat. There would be a mode where
// (1 + tau^2)^2 / tau^2 is near the mean of y^2, which is 2.8 here, less than that can be: the
// density grows without end as tau goes to zero. The data say that 1 + tau^2 is about 2.8.
TEST(Climb, FindsTheMassOnAWayThatLeadsPastIt) {
  const Vector y = 0.3 * Vector{{-6, 5, 1, 8, -3, -9, 4, 2, 7, -5}};
  const Index n = y.size();
  const auto model = make_model(n + 1, [&](const Vector& theta, Vector& gradient) {
    const auto means = theta.head(n);
    const double precision = std::exp(-2 * theta(n)), squares = means.squaredNorm();
    gradient.head(n) = y - means - precision * means;
    gradient(n) = precision * squares - static_cast<double>(n - 1);
    return -0.5 * ((y - means).squaredNorm() + precision * squares) -
           static_cast<double>(n - 1) * theta(n);
  });
  Matrix start(n + 1, 1);
  RandomStream(1, Purpose::test, 0, 0).fill_normal(start);
  const Climb end = climb(*model, start, 0.01 * identity(n + 1));
  ASSERT_FALSE(end.arrived);
  EXPECT_LT(end.theta(n), -10) << "the way goes on towards a scale of zero";
  ASSERT_TRUE(end.near);
  EXPECT_NEAR(end.near->mean(n), 0.5 * std::log(1.8), 2);
  // Given tau, the means have sds between tau and 1.
  const Vector sds = end.near->l.rowwise().norm().head(n);
  EXPECT_GT(sds.minCoeff(), 0.5 * std::exp(end.near->mean(n)));
  EXPECT_LT(sds.maxCoeff(), 5);
}

// x and exp(x): densities that grow until nothing can be added to them, or overflow.
TEST(Climb, EndsWhereTheDensityIsTooLargeToCompare) {
  const auto rising = make_model(1, [](const Vector& theta, Vector& gradient) {
    gradient(0) = 1;
    return theta(0);
  });
  const auto overflowing = make_model(1, [](const Vector& theta, Vector& gradient) {
    gradient(0) = std::exp(theta(0));
    return gradient(0);
  });
  for (const Model* model : {rising.get(), overflowing.get()}) {
    const Climb end = climb(*model, Vector::Constant(1, 600.0), identity(1));
    EXPECT_FALSE(end.arrived);
    EXPECT_TRUE(!end.near || (end.near->mean.allFinite() && end.near->l.allFinite()));
  }
}

TEST(Climb, StaysWhereTheDensityCannotBeComputed) {
  const auto model = make_model(2, [](const Vector&, Vector& gradient) {
    gradient.setZero();
    return std::numeric_limits<double>::quiet_NaN();
  });
  const Climb end = climb(*model, Vector::Ones(2), identity(2));
  EXPECT_FALSE(end.arrived);
  EXPECT_FALSE(end.begun);
  EXPECT_EQ(end.theta, Vector::Ones(2));
  EXPECT_EQ(end.evaluations, 1);
}

// N(1, 0.1^2) on the left of 1.2 alone: steps that would cross are shortened.
TEST(Climb, KeepsToWhereTheDensityCanBeComputed) {
  const auto model = make_model(1, [](const Vector& theta, Vector& gradient) {
    if (theta(0) > 1.2) return std::numeric_limits<double>::quiet_NaN();
    gradient(0) = -(theta(0) - 1) / 0.01;
    return -0.5 * (theta(0) - 1) * (theta(0) - 1) / 0.01;
  });
  const Climb end = climb(*model, Vector::Constant(1, -20), identity(1));
  EXPECT_TRUE(end.arrived);
  EXPECT_NEAR(end.theta(0), 1, 0.1 * std::sqrt(2 * 0.01));
}

TEST(Climb, EndsWithinItsBudgetOnADensityWithoutCurvature) {
  const auto model = make_model(3, [](const Vector& theta, Vector& gradient) {
    gradient.setOnes();
    return theta.sum();
  });
  const Climb end = climb(*model, Vector::Zero(3), identity(3));
  EXPECT_FALSE(end.arrived);
  EXPECT_LE(end.evaluations, 220);  // 200, and what is left of a step
}

}  // namespace
}  // namespace ravi
