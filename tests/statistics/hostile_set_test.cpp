// The hostile posteriors of bench/hostile: their answers are exact, their judge is fair, and those
// that 0.1.0 could fit or refuse still are. The whole set with its outcomes is
// bench/hostile/RESULTS.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "hostile/check.hpp"
#include "hostile/judge.hpp"
#include "hostile/posterior.hpp"
#include "ravi/ravi.hpp"

namespace hostile {
namespace {

const std::vector<Posterior>& everything() {
  static const std::vector<Posterior> all = all_posteriors();
  return all;
}

const Posterior& named(const std::string& name) {
  return *std::ranges::find(everything(), name, &Posterior::name);
}

TEST(HostileSet, HasUniqueNamesClassesAndDescriptions) {
  const std::vector<Posterior>& all = everything();
  EXPECT_GE(all.size(), 60u);
  std::vector<std::string> names;
  for (const Posterior& p : all) {
    names.push_back(p.name);
    EXPECT_FALSE(p.description.empty()) << p.name;
    if (p.kind == Kind::answer) {
      EXPECT_TRUE(p.truth && p.draw) << p.name;
    }
  }
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

// The statistics of `hostile --check` with fewer draws; five standard errors each.
TEST(HostileSet, AgreesWithItself) {
  for (const Posterior& p : everything()) {
    for (const std::string& fault : check(p, 2000)) ADD_FAILURE() << p.name << ": " << fault;
  }
}

// A check that finds nothing says something only if it finds what is there. The sizes are several
// times what this many draws resolve.
TEST(HostileSet, ChecksFindWhatIsWrong) {
  for (const char* name : {"mix_p3_three", "banana_p10", "t3_p5", "step_five_p5", "funnel_data_p5",
                           "hyperbola_wide", "sine_p3", "condition_1e4_p5"}) {
    const Posterior& right = named(name);
    const std::vector<Marginal> truth = right.truth();
    ASSERT_TRUE(check(right, 20000).empty()) << name;

    Posterior long_gradient = right;
    long_gradient.density = [&right](const Vector& theta, Vector& gradient) {
      const double value = right.density(theta, gradient);
      gradient *= 1.02;
      return value;
    };
    EXPECT_FALSE(check(long_gradient, 2000).empty()) << name;

    Posterior sharp = right;
    sharp.density = [&right](const Vector& theta, Vector& gradient) {
      const double value = 1.2 * right.density(theta, gradient);
      gradient *= 1.2;
      return value;
    };
    EXPECT_FALSE(check(sharp, 40000).empty()) << name;

    std::vector<Marginal> moved = truth;
    moved[0].mean += 0.1 * moved[0].sd;
    Posterior wrong_mean = right;
    wrong_mean.truth = [moved] { return moved; };
    EXPECT_FALSE(check(wrong_mean, 20000).empty()) << name;
  }
}

// An answer of one parameter, with a verdict.
ravi::Fit fit_with(double mean, double sd, ravi::Verdict verdict) {
  ravi::Fit fit;
  fit.verdict = verdict;
  fit.average.emplace();
  ravi::ParameterSummary s{"theta[1]", mean, sd};
  s.q5 = mean - 1.645 * sd;
  s.q50 = mean;
  s.q95 = mean + 1.645 * sd;
  fit.average->parameters = {s};
  return fit;
}

TEST(HostileJudge, KnowsTheFourOutcomes) {
  using ravi::Verdict;
  const Posterior& p = named("mean_1e6_p1");  // N(1e6, 1)
  const std::vector<Marginal> truth = p.truth();
  const auto outcome = [&](double mean, double sd, Verdict verdict) {
    return judge(p, truth, fit_with(mean, sd, verdict)).outcome;
  };
  EXPECT_EQ(outcome(1e6 + 0.29, 1.39, Verdict::usable), "right");
  EXPECT_EQ(outcome(1e6 - 0.29, 1 / 1.39, Verdict::accurate), "right");
  EXPECT_EQ(outcome(1e6 + 0.31, 1, Verdict::accurate), "silent");
  EXPECT_EQ(outcome(1e6, 1.41, Verdict::accurate), "silent");
  EXPECT_EQ(outcome(1e6, kNaN, Verdict::accurate), "silent");
  EXPECT_EQ(outcome(1e6, 1.41, Verdict::unreliable), "told");
  EXPECT_EQ(outcome(1e6, 1, Verdict::not_converged), "false alarm");
  ravi::Fit none = fit_with(0, 0, Verdict::not_converged);
  none.average.reset();
  EXPECT_EQ(judge(p, truth, none).outcome, "told");
}

// Where there is no variance every sd is wrong, and no alarm is false; what must be told may be
// right.
TEST(HostileJudge, KnowsWhatHasNoAnswer) {
  using ravi::Verdict;
  const Posterior& tail = named("t1.5_p1");
  const std::vector<Marginal> truth = tail.truth();
  const double sd = (truth[0].q95 - truth[0].q5) / 3.29;
  EXPECT_EQ(judge(tail, truth, fit_with(0, sd, Verdict::usable)).outcome, "silent");
  EXPECT_EQ(judge(tail, truth, fit_with(0, sd, Verdict::unreliable)).outcome, "told");
  const Posterior& broken = named("gradient_doubled_p2");
  EXPECT_EQ(judge(broken, {}, fit_with(0, 1, Verdict::accurate)).outcome, "silent");
  EXPECT_EQ(judge(broken, {}, fit_with(0, 1, Verdict::failed)).outcome, "told");
}

void expect_outcome(const std::string& name, const std::string& want) {
  for (const Posterior& p : everything()) {
    if (p.family != name) continue;
    const std::vector<Marginal> truth =
        p.truth && want == "right" ? p.truth() : std::vector<Marginal>{};
    const ravi::Fit fit = ravi::fit(*make(p), {.seed = 1});
    const Judgment j = judge(p, truth, fit);
    EXPECT_EQ(j.outcome, want) << p.name << " is " << ravi::name(fit.verdict) << ", mean off by "
                               << j.error << " sds, sd by a factor " << j.ratio;
  }
}

TEST(HostileSet, EasyOnesAreRightAndSaidSo) { expect_outcome("easy", "right"); }
TEST(HostileSet, GaussiansOfAnyConditionScaleAndPlaceAreRight) {
  expect_outcome("gaussians", "right");
}
TEST(HostileSet, ImproperOnesAreTold) { expect_outcome("improper", "told"); }

}  // namespace
}  // namespace hostile
