// The rung between weights and moves: where a bent q is the answer, and where it is not tried.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/registry.hpp"
#include "model/registry.hpp"
#include "ravi/fit.hpp"

namespace ravi {
namespace {

Fit fit_of_builtin(const char* name, const Options& options) {
  return fit(*make_builtin(name, nullptr), options);
}

std::int64_t sum_of_gradients(const Cost& cost) {
  return cost.search + cost.averaging + cost.bending + cost.moving;
}

// Two bends of eight batches of 300 and one more of the worse take less than 9000 gradients.
TEST(BentAnswer, OfCenteredSchoolsIsUsableAndNamesWhatDrives) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Fit found = fit_of_builtin("eight-schools-centered", {.seed = seed});
    EXPECT_EQ(found.verdict, Verdict::usable) << seed;
    ASSERT_TRUE(found.average && found.average->bending) << seed;
    const Answer& answer = *found.average;
    EXPECT_EQ(answer.q.family, "bent");
    EXPECT_TRUE(answer.bending->kept);
    EXPECT_FALSE(answer.moves);
    EXPECT_TRUE(std::ranges::any_of(
        found.findings, [](const Finding& f) { return f.code == FindingCode::q_bent; }));
    ASSERT_EQ(answer.bending->drivers.size(), 1u);
    EXPECT_EQ(answer.bending->drivers[0].name, "tau");
    EXPECT_EQ(answer.bending->drivers[0].driven.size(), 8u) << "every theta";
    for (const Driven& d : answer.bending->drivers[0].driven) EXPECT_GT(d.sd_factor, 1.5) << d.name;
    EXPECT_EQ(answer.bending->gradient_evaluations, found.cost.bending);
    EXPECT_LT(found.cost.bending, 9000);
    EXPECT_EQ(sum_of_gradients(found.cost), found.gradient_evaluations);
  }
}

TEST(BentAnswer, IsNotTriedWhereWeightsWillDo) {
  const Fit found = fit_of_builtin("eight-schools-noncentered", {.seed = 1});
  ASSERT_TRUE(found.average);
  EXPECT_FALSE(found.average->bending);
  EXPECT_EQ(found.cost.bending, 0);
  EXPECT_EQ(sum_of_gradients(found.cost), found.gradient_evaluations);
}

// A family of independent coordinates was asked for: its draws are moved.
TEST(BentAnswer, IsNotGivenForAFamilyThatCannotTurn) {
  const Fit found = fit_of_builtin("gaussian", {.family = "mean-field", .seed = 1});
  ASSERT_TRUE(found.average);
  EXPECT_EQ(found.cost.bending, 0);
  EXPECT_EQ(found.average->q.family, "mean-field");
}

TEST(BentAnswer, IsTheSameForAnyNumberOfThreads) {
  const auto of = [](int threads) {
    return fit_of_builtin("eight-schools-centered", {.seed = 2, .threads = threads});
  };
  const Fit one = of(1), three = of(3);
  EXPECT_EQ(one.average->draws.theta, three.average->draws.theta);
  EXPECT_EQ(one.average->draws.log_weights, three.average->draws.log_weights);
}

}  // namespace
}  // namespace ravi
