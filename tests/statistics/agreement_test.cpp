// The facts that the start of the chains and the rule for their agreement rest on.
#include "algorithm/judge/agreement.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "algorithm/chains/chains.hpp"
#include "algorithm/methods.hpp"
#include "core/registry.hpp"
#include "model/registry.hpp"

namespace ravi {
namespace {

// between / drift after so many iterations of the four default chains.
double ratio(const char* name, long iterations) {
  const auto model = make_builtin(name, nullptr);
  const auto q = entry_of(family_registry(), "full-rank", "family").make(model->dimension());
  Chains chains(*model, filled_in({.method = "paper"}, *model), *q, nullptr);
  while (chains.iteration() < iterations) chains.advance(100);
  const Agreement a = compare_chains(chains.iterates(), *q);
  std::printf("%s, %ld iterations: between %.3g, drift %.3g, ratio %.3g\n", name, iterations,
              a.between, a.drift, a.between / a.drift);
  return a.between / a.drift;
}

TEST(Agreement, NoiseAndModesAreFarApartOnTheScaleOfTheDrift) {
  EXPECT_LT(ratio("gaussian", 15000), 1);
  EXPECT_LT(ratio("eight-schools-noncentered", 15000), 1);
  EXPECT_GT(ratio("bimodal", 3000), 100);
}

// One chain by hand on two modes at +-5, from N((x, 0), scale^2 I); the sd of theta[1] it ends
// with.
double final_sd(double x, double scale) {
  const auto model = make_builtin("bimodal", nullptr);
  const auto q = entry_of(family_registry(), "full-rank", "family").make(2);
  const auto rule = entry_of(optimizer_registry(), "rmsprop", "optimizer").make(0.01, q->size());
  ElboObjective objective(*model, 10);
  Vector lambda = q->isotropic(Vector{{x, 0}}, scale), gradient(q->size());
  for (std::uint32_t t = 0; t < 3000; ++t) {
    q->assign(lambda);
    objective.gradient(*q, RandomStream(1, Purpose::test, 0, t), {}, gradient);
    rule->step(gradient, lambda);
  }
  q->assign(lambda);
  return q->sd()(0);
}

// Both modes together have an sd of sqrt(26), one alone has 1.
TEST(Start, AWideOneSettlesAcrossTwoModesAndANarrowOneInOne) {
  EXPECT_GT(final_sd(0.2, 1.0), 4);
  EXPECT_LT(final_sd(0.2, 0.1), 1.5);
}

}  // namespace
}  // namespace ravi
