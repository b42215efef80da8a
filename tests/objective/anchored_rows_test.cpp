// Rows corrected at an anchor: what they estimate, and how little they vary.
#include "objective/anchored_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "evaluation.hpp"
#include "model/data.hpp"
#include "model/registry.hpp"

namespace ravi {
namespace {

constexpr Index kRows = 1200, kFeatures = 3;

// Logistic regression on random features: far from linear gradients, so that nothing is exact.
std::unique_ptr<Model> logistic() {
  RandomStream random(5, Purpose::test, 0, 0);
  Matrix x(kRows, kFeatures);
  random.fill_normal(x);
  Vector y(kRows);
  for (double& value : y) value = random.uniform() < 0.5 ? 0 : 1;
  Data data;
  data.add("N", kRows).add("P", kFeatures).add("X", x).add("y", y);
  return make_builtin("logistic-regression", &data);
}

// Disjoint batches of a pass, all rows together.
std::vector<std::vector<Index>> batches_of(Index size) {
  std::vector<std::vector<Index>> batches;
  for (Index first = 0; first < kRows; first += size) {
    batches.emplace_back(static_cast<std::size_t>(size));
    std::iota(batches.back().begin(), batches.back().end(), first);
  }
  return batches;
}

class Anchored : public testing::Test {
 protected:
  std::unique_ptr<Model> model_ = logistic();
  const RowModel& rows_ = dynamic_cast<const RowModel&>(*model_);
  Matrix theta_ = random_points(kFeatures, 5);
};

// Every row is in one batch of a pass, so that the mean over the pass is that of all rows but for
// rounding, whatever the anchor.
TEST_F(Anchored, MeanOverAPassIsThatOfAllRows) {
  const Values all = evaluate(*model_, theta_);
  const Anchor anchor(*model_, Vector::Constant(kFeatures, 0.7));
  Values sum{Vector::Zero(5), Matrix::Zero(kFeatures, 5)};
  const auto batches = batches_of(100);
  for (const auto& batch : batches) {
    const Values part = evaluate(AnchoredRows(rows_, &anchor, {false, batch}), theta_);
    sum.log_density += part.log_density / static_cast<double>(batches.size());
    sum.gradient += part.gradient / static_cast<double>(batches.size());
  }
  EXPECT_LT((sum.log_density - all.log_density).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((sum.gradient - all.gradient).cwiseAbs().maxCoeff(), 1e-9);
}

TEST_F(Anchored, NothingIsMissingAtTheAnchor) {
  const Anchor anchor(*model_, theta_.col(2));
  const auto batches = batches_of(10);
  const Values here = evaluate(AnchoredRows(rows_, &anchor, {false, batches[3]}), theta_.col(2));
  EXPECT_NEAR(here.log_density(0), anchor.log_density, 1e-9);
  EXPECT_LT((here.gradient.col(0) - anchor.gradient).cwiseAbs().maxCoeff(), 1e-9);
}

// By central differences with steps of 1e-5, whose error is of the order of 1e-10 times the third
// derivative, at most some hundred here.
TEST_F(Anchored, GradientIsThatOfTheLogDensity) {
  const Anchor anchor(*model_, Vector::Zero(kFeatures));
  const auto batches = batches_of(50);
  const AnchoredRows few(rows_, &anchor, {false, batches[1]});
  const Values here = evaluate(few, theta_);
  for (Index k = 0; k < kFeatures; ++k) {
    const Vector h = 1e-5 * Vector::Unit(kFeatures, k);
    const Values up = evaluate(few, theta_.colwise() + h),
                 down = evaluate(few, theta_.colwise() - h);
    const Vector slope = (up.log_density - down.log_density) / 2e-5;
    EXPECT_LT((slope.transpose() - here.gradient.row(k)).cwiseAbs().maxCoeff(), 1e-5);
  }
}

// A posterior sd from the anchor, gradients vary by (P / |S|)^(1/2) sds instead of (N / |S|)^(1/2):
// here 0.17 instead of 3.5, a factor of 20. A tenth of the spread of rows alone leaves room for the
// constants that this rule of thumb leaves out.
TEST_F(Anchored, VaryFarLessThanRowsAlone) {
  const Anchor anchor(*model_, Vector::Zero(kFeatures));
  const double sd = 2 / std::sqrt(static_cast<double>(kRows));  // information p (1 - p) N at 0
  const Matrix point = Vector::Constant(kFeatures, sd);
  const Matrix all = evaluate(*model_, point).gradient;
  double with = 0, without = 0;
  for (const auto& batch : batches_of(100)) {
    with += (evaluate(AnchoredRows(rows_, &anchor, {false, batch}), point).gradient - all)
                .squaredNorm();
    without += (evaluate(AnchoredRows(rows_, nullptr, {false, batch}), point).gradient - all)
                   .squaredNorm();
  }
  EXPECT_LT(std::sqrt(with), 0.1 * std::sqrt(without));
}

}  // namespace
}  // namespace ravi
