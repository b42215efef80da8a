// From what chains did to a fit: each way that it can go, with iterates that are made up.
#include "algorithm/judge/conclude.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "algorithm/methods.hpp"
#include "core/registry.hpp"
#include "core/rng.hpp"
#include "model/registry.hpp"
#include "statistics/hostile_targets.hpp"

namespace ravi {
namespace {

constexpr Index kP = 2, kChains = 4;

std::unique_ptr<Model> standard_normal(double sd = 1) {
  return hostile::independent(kP, [=](double x) { return hostile::normal(x, 0, sd); });
}

bool has(const Fit& fit, FindingCode code) {
  return std::ranges::find(fit.findings, code, &Finding::code) != fit.findings.end();
}

// Chains whose lambda is that of N(mean_j, sd^2) but for noise that is much smaller.
struct Scene {
  Options options = filled_in({.chains = kChains}, kP);
  std::unique_ptr<Approximation> prototype =
      entry_of(family_registry(), options.family, "family").make(kP)->averageable();
  Limits limits = limits_of_worst(options, prototype->size());
  Iterates iterates{kChains, prototype->size(), options.window};
  Observer observer = {};

  void run_chains(const std::vector<double>& means, double sd) {
    constexpr Index kWindows = 32;
    iterates.start_keeping();
    for (Index w = 0; w < kWindows; ++w) {
      for (Index j = 0; j < kChains; ++j) {
        RandomStream noise(1, Purpose::test, static_cast<std::uint32_t>(j),
                           static_cast<std::uint32_t>(w));
        const Vector mean = Vector::Constant(kP, means[static_cast<std::size_t>(j)]);
        noise.fill_normal(iterates.window(j));
        iterates.window(j) *= 0.01 * sd;
        iterates.window(j).colwise() += prototype->isotropic(mean, sd);
      }
      iterates.close_window(options.window);
    }
  }

  Outcome outcome() const {
    Outcome result{.report = {.evaluations = 1234, .iteration = 160},
                   .run = ChainRun(limits),
                   .iterates = iterates,
                   .last_lambda = iterates.average(0),
                   .last_iterate = Outcome::LastIterate::shown,
                   .poor_weights = Outcome::PoorWeights::made_up_for};
    result.run.termination = Termination::converged;
    result.run.averaging_started_at = 0;
    result.run.error = 0.01;
    average_what_was_kept(result.run, iterates, options);
    return result;
  }

  Fit conclude(const Outcome& from, const Model& model) const {
    Monitor monitor(observer, *prototype, limits, model.unconstrained_names());
    return ravi::conclude(from, model, *prototype, options, monitor, nullptr);
  }
};

TEST(Conclude, WhatIsRightIsAccurate) {
  Scene scene;
  scene.run_chains({0, 0, 0, 0}, 1);
  const Fit fit = scene.conclude(scene.outcome(), *standard_normal());
  EXPECT_EQ(fit.verdict, Verdict::accurate);
  EXPECT_EQ(fit.gradient_evaluations, 1234);
  EXPECT_EQ(fit.iterations, 160);
  ASSERT_TRUE(fit.average);
  EXPECT_TRUE(fit.chains.empty());
  EXPECT_LT(fit.average->q.mean.norm(), 0.01);
  EXPECT_EQ(fit.rhat_limit, scene.limits.rhat);
}

TEST(Conclude, WhatWasStoppedIsJudgedAndSaysSo) {
  Scene scene;
  scene.run_chains({0, 0, 0, 0}, 1);
  Outcome outcome = scene.outcome();
  outcome.report.interrupted = true;
  outcome.run.termination = Termination::interrupted;
  const Fit fit = scene.conclude(outcome, *standard_normal());
  EXPECT_EQ(fit.verdict, Verdict::not_converged);
  EXPECT_TRUE(has(fit, FindingCode::interrupted));
  EXPECT_TRUE(fit.average) << "what there is is shown";
}

TEST(Conclude, WhatBrokeDownHasNoAverage) {
  Scene scene;
  scene.run_chains({0, 0, 0, 0}, 1);
  Outcome outcome = scene.outcome();
  outcome.report.breakdown = Breakdown{FindingCode::iterates_diverged, 2, 77};
  outcome.run.termination = Termination::diverged;
  const Fit fit = scene.conclude(outcome, *standard_normal());
  EXPECT_EQ(fit.verdict, Verdict::failed);
  EXPECT_FALSE(fit.average);
  EXPECT_TRUE(std::isinf(fit.rhat_max));
  ASSERT_TRUE(has(fit, FindingCode::iterates_diverged));
  EXPECT_EQ(fit.findings.front().parameter, "chain 3");
  EXPECT_EQ(fit.findings.front().iteration, 77);
}

// Draws that are moved until they forget where they began do not depend on how well q is known.
TEST(Conclude, WhatIsNotPreciseIsNotConvergedUnlessDrawsAreMoved) {
  Scene scene;
  scene.run_chains({0, 0, 0, 0}, 1);
  Outcome outcome = scene.outcome();
  outcome.run.error = 2 * scene.options.tolerance;
  const Fit moved = scene.conclude(outcome, *standard_normal());
  EXPECT_EQ(moved.verdict, Verdict::usable);
  EXPECT_TRUE(has(moved, FindingCode::q_unsettled));
  outcome.poor_weights = Outcome::PoorWeights::told;
  const Fit told = scene.conclude(outcome, *standard_normal());
  EXPECT_EQ(told.verdict, Verdict::not_converged);
  EXPECT_TRUE(has(told, FindingCode::average_imprecise));
}

// Two modes of equal mass, with a gap between: each chain is scored by itself.
TEST(Conclude, ChainsInTwoModesAreShownApart) {
  Scene scene;
  scene.run_chains({-5, 5, 5, -5}, 1);
  const auto two = make_model(kP, [](const Vector& theta, Vector& gradient) {
    const double a = -0.5 * (theta.array() - 5).square().sum(),
                 b = -0.5 * (theta.array() + 5).square().sum();
    const double share = 1 / (1 + std::exp(b - a));
    gradient = (-share * (theta.array() - 5) - (1 - share) * (theta.array() + 5)).matrix();
    return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
  });
  const Fit fit = scene.conclude(scene.outcome(), *two);
  EXPECT_EQ(fit.verdict, Verdict::not_converged);
  EXPECT_TRUE(has(fit, FindingCode::chains_disagree));
  EXPECT_FALSE(fit.average);
  ASSERT_EQ(fit.chains.size(), 4u);
  EXPECT_EQ(fit.chains[0].mode, fit.chains[3].mode);
  EXPECT_EQ(fit.chains[1].mode, fit.chains[2].mode);
  EXPECT_NE(fit.chains[0].mode, fit.chains[1].mode);
  // An evidence by 4000 draws has a relative error of 0.02 at most.
  for (const Answer& chain : fit.chains) EXPECT_NEAR(chain.mode_weight, 0.5, 0.05);
}

// A q of a third of the posterior's sds: few of its draws count. A method that is interested in q
// says so; one that is interested in the posterior has the draws moved, and counts what that costs.
TEST(Conclude, PoorWeightsAreToldOrMadeUpFor) {
  Scene scene;
  scene.run_chains({0, 0, 0, 0}, 0.3);
  const auto model = standard_normal();
  Outcome outcome = scene.outcome();
  outcome.poor_weights = Outcome::PoorWeights::told;
  const Fit told = scene.conclude(outcome, *model);
  EXPECT_EQ(told.verdict, Verdict::unreliable);
  ASSERT_TRUE(told.average);
  EXPECT_FALSE(told.average->moves);
  const Fit moved = scene.conclude(scene.outcome(), *model);
  EXPECT_EQ(moved.verdict, Verdict::usable);
  ASSERT_TRUE(moved.average);
  ASSERT_TRUE(moved.average->moved());
  EXPECT_TRUE(has(moved, FindingCode::draws_moved));
  EXPECT_GT(moved.cost.bending, 0) << "that comes first, and finds that nothing bends";
  EXPECT_EQ(moved.cost.moving, moved.average->moves->gradient_evaluations);
  EXPECT_EQ(moved.gradient_evaluations, 1234 + moved.cost.bending + moved.cost.moving);
  for (const ParameterSummary& p : moved.average->parameters) {
    EXPECT_NEAR(p.mean, 0, 5 * p.mcse);
    EXPECT_NEAR(p.sd, 1, 5 * p.mcse_sd);
  }
}

// Weights that hardly vary, with a high k-hat, are what the flank of another mode looks like: the
// method is asked to search where p exceeds q most, once, and what that costs is counted.
TEST(Conclude, WhereATailMayHideMoreOneSearchIsAskedFor) {
  Scene scene;
  scene.run_chains({0, 0, 0, 0}, 1);
  // One standard normal, and a four-hundredth of another four sds away.
  const auto model = make_model(kP, [](const Vector& theta, Vector& gradient) {
    const double a = -0.5 * theta.squaredNorm(), b = -0.5 * (theta.array() - 3).square().sum() - 6;
    const double share = 1 / (1 + std::exp(b - a));
    gradient = -share * theta - (1 - share) * (theta.array() - 3).matrix();
    return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
  });
  Outcome outcome = scene.outcome();
  std::vector<Vector> asked;
  outcome.search_further = [&](const Vector& start) {
    asked.push_back(start);
    return Further{nullptr, 100};
  };
  const Fit fit = scene.conclude(outcome, *model);
  ASSERT_TRUE(fit.average);
  ASSERT_EQ(asked.size(), 1u) << fit.average->khat << " " << fit.average->efficiency;
  EXPECT_GT(asked[0].sum(), 0) << "towards the other mode";
  EXPECT_EQ(fit.gradient_evaluations, 1334);
}

}  // namespace
}  // namespace ravi
