// The default method on mini-batches: as precise as it says, and the same answer as from all rows.
#include <gtest/gtest.h>

#include <cmath>

#include "core/rng.hpp"
#include "family/approximation.hpp"
#include "model/data.hpp"
#include "model/registry.hpp"
#include "model/simulate.hpp"
#include "ravi/ravi.hpp"

namespace ravi {
namespace {

Matrix cov_of(const Gaussian& q) {
  return q.cov.size() > 0 ? q.cov : Matrix(q.scale.cwiseAbs2().asDiagonal());
}

struct Regression {
  std::unique_ptr<Model> model;
  Vector mean;  // of its posterior
  Matrix cov;
};

Regression linear(Index rows, Index p) {
  const SimulatedRegression truth = simulate_linear_regression(rows, p, 0.9, 1);
  Data data;
  data.add("N", static_cast<double>(rows)).add("P", static_cast<double>(p));
  data.add("X", truth.X).add("y", truth.y);
  return {make_builtin("linear-regression", &data), truth.mean, truth.cov};
}

// 2 KL of an average that varies without bias is about error^2 chi-square_K / K, with K = 495
// components here, and the reported error rests on as many: three standard deviations are 30 %. The
// bias that 16 rows for each coefficient leave may add as much again.
TEST(FitToMiniBatches, AreAsPreciseAsTheySay) {
  const Regression r = linear(2000, 30);
  const Fit found = fit(*r.model, {.minibatch = 480});
  EXPECT_EQ(found.verdict, Verdict::accurate);
  ASSERT_TRUE(found.average);
  EXPECT_LT(found.error, 0.1);
  const double kl = gaussian_kl(found.average->q.mean, found.average->q.cov, r.mean, r.cov);
  EXPECT_LT(std::sqrt(2 * kl), 1.6 * found.error);
}

// A batch of 5 rows for 30 coefficients says nothing of most directions: the method takes more.
TEST(FitToMiniBatches, HaveEnoughRowsForEveryCoefficient) {
  const Regression r = linear(2000, 30);
  const Fit found = fit(*r.model, {.minibatch = 5});
  EXPECT_EQ(found.verdict, Verdict::accurate);
  EXPECT_EQ(found.options.minibatch, 480);
  // Where that is all there are, every step sees all of them.
  const Regression small = linear(100, 30);
  EXPECT_EQ(fit(*small.model, {.minibatch = 5}).options.minibatch, 0);
}

// Far from the rows' own optimum, and with every family, the answers differ by no more than their
// errors, which are root mean squares over few parts each: twice that.
TEST(FitToMiniBatches, AnswerAsAllRowsDo) {
  constexpr Index kRows = 4000, kFeatures = 6;
  RandomStream random(7, Purpose::test, 0, 0);
  Matrix x(kRows, kFeatures);
  random.fill_normal(x);
  x.col(1) += 2 * x.col(0);
  Vector y(kRows);
  for (Index i = 0; i < kRows; ++i) {
    y(i) = random.uniform() * (1 + std::exp(-3 * x(i, 2) + x(i, 1))) < 1 ? 1 : 0;
  }
  Data data;
  data.add("N", kRows).add("P", kFeatures).add("X", x).add("y", y);
  const auto model = make_builtin("logistic-regression", &data);
  for (const char* family : {"full-rank", "mean-field"}) {
    const Fit all = fit(*model, {.family = family});
    const Fit batches = fit(*model, {.family = family, .minibatch = 200});
    ASSERT_TRUE(all.average && batches.average) << family;
    EXPECT_EQ(batches.termination, Termination::converged) << family;
    EXPECT_EQ(batches.verdict, all.verdict) << family;
    const Gaussian &a = batches.average->q, &b = all.average->q;
    EXPECT_LT(std::sqrt(2 * gaussian_kl(a.mean, cov_of(a), b.mean, cov_of(b))),
              2 * std::hypot(all.error, batches.error))
        << family;
  }
}

TEST(FitToMiniBatches, ThreadsDoNotChangeTheAnswer) {
  const Regression r = linear(500, 5);
  const Fit one = fit(*r.model, {.minibatch = 80, .threads = 1});
  const Fit two = fit(*r.model, {.minibatch = 80, .threads = 2});
  ASSERT_TRUE(one.average && two.average);
  EXPECT_EQ(one.average->q.mean, two.average->q.mean);
  EXPECT_EQ(one.average->q.cov, two.average->q.cov);
  EXPECT_EQ(one.gradient_evaluations, two.gradient_evaluations);
}

}  // namespace
}  // namespace ravi
