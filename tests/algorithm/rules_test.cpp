// The rules of the paper's methods, each alone, and the set of them that its authors ran.
#include "algorithm/paper/rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithm/choices.hpp"
#include "algorithm/methods.hpp"
#include "core/registry.hpp"
#include "model/reference.hpp"
#include "model/registry.hpp"

namespace ravi {
namespace {

// A window of W estimates that ends with two given ones.
Vector ending_with(double before, double last) {
  Vector window = Vector::Constant(100, 5);
  window.tail<2>() << before, last;
  return window;
}

constexpr long kTMax = 11000;

TEST(ElboRule, RecentTakesTheLastElevenChangesOfSingleEstimatesFrom600On) {
  const auto watch = entry_of(elbo_rule_registry(), "recent", "rule").make(0.01, kTMax);
  EXPECT_FALSE(watch->settled(ending_with(-100, -100), 500));  // too early to count
  // Six large changes keep the median of up to eleven above, five do not; the mean is larger.
  for (long t = 600; t <= 1100; t += 100) {
    EXPECT_FALSE(watch->settled(ending_with(-100, -150), t)) << t;
  }
  for (long t = 1200; t <= 1600; t += 100) {
    EXPECT_FALSE(watch->settled(ending_with(-100, -100.5), t)) << t;
  }
  EXPECT_TRUE(watch->settled(ending_with(-100, -100.5), 1700));
}

// With T_max = 2000 only the last two changes count; the estimate before is that of two windows
// ago.
TEST(ElboRule, RecentApartComparesEstimatesTwoWindowsApart) {
  const auto watch = entry_of(elbo_rule_registry(), "recent-apart", "rule").make(0.01, 2000);
  // The one before the last would be a change each time, and is not looked at.
  const auto at = [&](long t, double last) { return watch->settled(ending_with(-1e9, last), t); };
  EXPECT_FALSE(at(400, -100));  // not counted, but remembered
  EXPECT_FALSE(at(500, -200));
  EXPECT_FALSE(at(600, -150));  // from -100
  EXPECT_FALSE(at(700, -201));  // from -200: 0.005, after 0.5
  EXPECT_TRUE(at(800, -150));   // from -150: 0, after 0.005
}

TEST(ElboRule, AllForgetsNoChange) {
  const auto watch = entry_of(elbo_rule_registry(), "all", "rule").make(0.01, kTMax);
  for (long t = 1100; t < 3100; t += 100) EXPECT_FALSE(watch->settled(ending_with(-1, -2), t)) << t;
  for (long t = 3100; t < 5100; t += 100) {
    EXPECT_FALSE(watch->settled(ending_with(-1, -1.001), t)) << t;
  }
  EXPECT_TRUE(watch->settled(ending_with(-1, -1.001), 5100));
}

TEST(ElboRule, WindowsCompareMeansAndMedians) {
  const auto watch = entry_of(elbo_rule_registry(), "windows", "rule").make(0.01, kTMax);
  EXPECT_FALSE(watch->settled(Vector::Constant(100, -10), 100));  // nothing to compare with
  EXPECT_FALSE(watch->settled(Vector::Constant(100, -11), 200));
  Vector skewed = Vector::Constant(100, -11);
  skewed(0) = -1e6;
  EXPECT_TRUE(watch->settled(skewed, 300));  // by its median
}

// Every option that is a name has names to choose from, and a method's own is one of them.
TEST(NamedOptions, AreAllThereAre) {
  const std::vector<NamedOption> named = named_options();
  for (const MethodEntry& method : method_registry()) {
    const Options own = method.own({}, 10);
    visit_fields(own, [&](const Field& field, const auto& value) {
      if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>) {
        const auto found = std::ranges::find(named, field.name, &NamedOption::option);
        ASSERT_NE(found, named.end()) << field.name;
        if (!left_open(value)) {
          EXPECT_THAT(found->names(), testing::Contains(value));
        }
      }
    });
  }
}

TEST(Options, OfAnOptimizerAreRefusedWhereItHasNoUseForThem) {
  const auto model = make_builtin("gaussian", nullptr);
  try {
    fit(*model, {.method = "paper", .optimizer = "sgd", .decay = 0.5});
    FAIL() << "a decay was accepted for sgd";
  } catch (const UsageError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("optimizer sgd has no use for it"));
  }
  EXPECT_THROW(fit(*model, {.method = "paper", .rhat_window = "quarter"}), UsageError);
  EXPECT_THROW(fit(*model, {.start = "wide"}), UsageError);  // the default method has its own
}

// With Adagrad the authors do not look at the ESS, which can be asked for all the same.
TEST(Options, OfTheEssAreForTheAuthorsAdagradToo) {
  const auto model = make_builtin("gaussian", nullptr);
  const Options open{.method = "authors", .optimizer = "adagrad-windowed", .psis_draws = 100};
  Options asked = open;
  asked.ess_threshold = asked.scale_ess_threshold = 1e6;
  EXPECT_EQ(fit(*model, open).termination, Termination::converged);
  EXPECT_EQ(fit(*model, asked).termination, Termination::max_iterations);
}

// One rule of the authors' in the printed algorithm: R-hat over half of the run does fall.
TEST(Algorithm1, AveragesOnceItsWindowIsHalfOfTheRun) {
  const auto model = make_builtin("gaussian", nullptr);
  const Options printed{.method = "paper", .psis_draws = 100};
  Options half = printed;
  half.rhat_window = "half";
  EXPECT_LT(fit(*model, printed).averaging_started_at, 0);
  EXPECT_GT(fit(*model, half).averaging_started_at, 0);
}

// The paper: T = 2400, D_mu 0.13, D_Sigma 0.98, k-hat 0.63.
TEST(Authors, StopByThemselvesOnNoncenteredSchools) {
  const auto model = make_builtin("eight-schools-noncentered", nullptr);
  const Reference reference = read_reference(RAVI_TEST_DATA "/reference/eight_schools_ncp.json");
  const Fit f = fit(*model, {.method = "authors", .psis_draws = 10000}, {}, &reference);
  EXPECT_EQ(f.termination, Termination::converged);
  EXPECT_GE(f.iterations, 2000);
  EXPECT_LE(f.iterations, 3500);
  ASSERT_TRUE(f.average);
  EXPECT_LE(f.average->reference->d_mu, 0.2);
  EXPECT_GE(f.average->khat, 0.5);
  EXPECT_LE(f.average->khat, 0.75);
}

}  // namespace
}  // namespace ravi
