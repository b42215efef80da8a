// The ELBO estimate, its failed draws, and the mini-batches it is computed on.
#include "objective/elbo.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "core/numeric.hpp"
#include "core/registry.hpp"
#include "objective/minibatch.hpp"

namespace ravi {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::unique_ptr<Approximation> standard_normal(Index p) {
  auto q = entry_of(family_registry(), "mean-field", "family").make(p);
  q->assign(q->isotropic(Vector::Zero(p), 1));
  return q;
}

RandomStream stream(std::uint32_t iteration) { return {3, Purpose::test, 0, iteration}; }

// log p = log N(theta; 1, I), normalized: the ELBO of N(0, I) is -KL = -P/2.
std::unique_ptr<Model> shifted_normal(Index p) {
  return make_model(p, [p](const Vector& theta, Vector& gradient) {
    gradient = 1 - theta.array();
    return -0.5 * (gradient.squaredNorm() + static_cast<double>(p) * kLog2Pi);
  });
}

TEST(ElboObjective, EstimatesTheElboWithItsStandardError) {
  const auto model = shifted_normal(3);
  const auto q = standard_normal(3);
  ElboObjective objective(*model, 20000);
  Vector gradient(q->size());
  const ElboEstimate e = objective.gradient(*q, stream(0), {}, gradient);
  EXPECT_NEAR(e.value, -1.5, 5 * e.standard_error);
  // Var(log p) under N(0, 1) in each coordinate: Var((1 - z)^2 / 2) = (2 + 4) / 4 = 1.5.
  // The standard error of a variance over n draws is below 5 % of it here.
  EXPECT_NEAR(e.standard_error, std::sqrt(3 * 1.5 / 20000), 0.05 * std::sqrt(3 * 1.5 / 20000));
  EXPECT_EQ(e.usable, 20000);
  EXPECT_EQ(e.failed, 0);
}

// Draws with theta < 0 fail: log density NaN, +inf, or a gradient that is not finite.
TEST(ElboObjective, DropsAndCountsFailedDraws) {
  for (const double bad : {kNan, std::numeric_limits<double>::infinity()}) {
    for (const bool in_gradient : {false, true}) {
      const auto model = make_model(1, [=](const Vector& theta, Vector& gradient) {
        const bool fails = theta(0) < 0;
        gradient(0) = fails && in_gradient ? bad : 2.0;
        return fails && !in_gradient ? bad : 7.0;
      });
      const auto q = standard_normal(1);
      ElboObjective objective(*model, 400);
      Vector gradient(q->size());
      const ElboEstimate e = objective.gradient(*q, stream(1), {}, gradient);
      EXPECT_EQ(e.usable + e.failed, 400);
      EXPECT_NEAR(static_cast<double>(e.failed), 200, 5 * 10);  // binomial, sd 10
      EXPECT_DOUBLE_EQ(e.value, 7.0 + q->entropy());
      EXPECT_DOUBLE_EQ(gradient(0), 2.0);
    }
  }
}

TEST(ElboObjective, LeavesTheGradientAloneWhenEveryDrawFails) {
  const auto model = make_model(2, [](const Vector&, Vector&) { return kNan; });
  const auto q = standard_normal(2);
  ElboObjective objective(*model, 5);
  Vector gradient = Vector::Constant(q->size(), 42);
  const ElboEstimate e = objective.gradient(*q, stream(2), {}, gradient);
  EXPECT_EQ(e.usable, 0);
  EXPECT_TRUE(std::isnan(e.value));
  EXPECT_EQ(gradient, Vector::Constant(q->size(), 42));
}

std::vector<Index> rows_at(MiniBatches& batches, Index iteration) {
  const Rows rows = batches.at(iteration);
  return {rows.index.begin(), rows.index.end()};
}

TEST(MiniBatches, APassVisitsEveryRowOnceAndTheNextPassInAnotherOrder) {
  MiniBatches batches(20, 5, 1, 0);
  std::vector<Index> passes[2];
  for (Index t = 0; t < 8; ++t) {
    const auto rows = rows_at(batches, t);
    EXPECT_EQ(rows.size(), 5u);
    passes[t / 4].insert(passes[t / 4].end(), rows.begin(), rows.end());
  }
  EXPECT_NE(passes[0], passes[1]);
  for (auto& pass : passes) {
    std::ranges::sort(pass);
    std::vector<Index> all(20);
    std::iota(all.begin(), all.end(), Index{0});
    EXPECT_EQ(pass, all);
  }
}

TEST(MiniBatches, DependOnTheIterationNotOnTheHistory) {
  MiniBatches in_order(17, 5, 1, 2), jumping(17, 5, 1, 2), other_chain(17, 5, 1, 3);
  for (Index t = 0; t < 7; ++t) in_order.at(t);
  EXPECT_EQ(rows_at(in_order, 7), rows_at(jumping, 7));
  EXPECT_NE(rows_at(in_order, 7), rows_at(other_chain, 7));
}

TEST(MiniBatches, WithoutASizeOrWithAllRowsAreTheWholeData) {
  EXPECT_TRUE(MiniBatches(20, 0, 1, 0).at(3).all);
  EXPECT_TRUE(MiniBatches(20, 20, 1, 0).at(3).all);
}

// An order of ten billion rows would take 80 GB if it were held.
TEST(MiniBatches, CostNothingForTheRowsTheyDoNotHave) {
  constexpr Index kMany = 10'000'000'000;
  MiniBatches batches(kMany, 100, 1, 0);
  for (const Index t : {Index{0}, kMany / 100 - 1, kMany}) {
    const auto rows = rows_at(batches, t);
    ASSERT_EQ(rows.size(), 100u);
    EXPECT_TRUE(std::ranges::is_sorted(rows));
    EXPECT_EQ(std::ranges::adjacent_find(rows), rows.end());
    EXPECT_GE(rows.front(), 0);
    EXPECT_LT(rows.back(), kMany);
  }
}

// Over the passes every row is left out equally often: 17 mod 5 = 2 of 17 each time.
TEST(MiniBatches, RowsLeftOverAtTheEndOfAPassVary) {
  MiniBatches batches(17, 5, 1, 0);
  std::vector<int> visits(17, 0);
  const int passes = 3000;
  for (Index t = 0; t < 3 * passes; ++t) {
    for (const Index row : rows_at(batches, t)) ++visits[static_cast<std::size_t>(row)];
  }
  const double p = 15.0 / 17, limit = 5 * std::sqrt(passes * p * (1 - p));
  for (const int v : visits) EXPECT_NEAR(v, passes * p, limit);
}

}  // namespace
}  // namespace ravi
