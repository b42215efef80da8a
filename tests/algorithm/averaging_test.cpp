// The engine of averaging on made-up chains: iterates are known, and every rule is met by itself.
#include "algorithm/robust/averaging.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "algorithm/judge/judge_run.hpp"
#include "algorithm/methods.hpp"
#include "core/numeric.hpp"
#include "core/registry.hpp"
#include "core/rng.hpp"

namespace ravi {
namespace {

constexpr Index kWindow = 10, kChains = 4;

// Where one chain of a round is: mu of N(mu, 1).
struct At {
  Index chain;
  Index round;  // from 0
  long t;       // iterations in this round
  double step, start, noise;
};

// N(mu, 1) with a mu that the test says, and noise of variance 1 that it may use.
class MadeUp final : public Stepper {
 public:
  explicit MadeUp(std::function<double(const At&)> mu) : mu_(std::move(mu)) {}

  Pace given{.first_step = 0.5,
             .most_rounds = 4,
             .most_windows = 160,
             .forgetting = 1,
             .first_check = 4,
             .next_check = [](Index n) { return n + n / 2; },
             .parts = {},
             .biased = false,
             .lost_beyond = kInf};
  bool rests = false;
  std::function<bool(Index round, long t)> is_lost = [](Index, long) { return false; };
  long interrupted_at = std::numeric_limits<long>::max();
  std::vector<Round> begun;

  Pace pace() const override { return given; }
  bool at_rest() const override { return rests; }
  void begin(const Round& round) override {
    begun.push_back(round);
    t_ = 0;
  }
  bool advance() override {
    if (cut_short()) return false;
    for (Index j = 0; j < kChains; ++j) {
      for (Index i = 0; i < kWindow; ++i) {
        RandomStream stream(1, Purpose::test, static_cast<std::uint32_t>(j),
                            static_cast<std::uint32_t>(iteration_ + i));
        Vector noise(1);
        stream.fill_normal(noise);
        mu_of_[j] = mu_({j, now(), t_ + i, begun.back().step,
                         begun.back().start[static_cast<std::size_t>(j)](0), noise(0)});
        iterates_.window(j).col(i) = lambda(j);
      }
    }
    iterates_.close_window(kWindow);
    t_ += kWindow;
    iteration_ += kWindow;
    return true;
  }
  std::optional<Termination> cut_short() const override {
    if (iteration_ < interrupted_at) return std::nullopt;
    return Termination::interrupted;
  }
  bool lost() const override { return is_lost(now(), t_); }
  bool recover(Round& round) override {
    round.step /= 2;
    return true;
  }
  Iterates& iterates() override { return iterates_; }
  Vector lambda(Index chain) const override { return Vector{{mu_of_[chain], 0}}; }
  long iteration() const override { return iteration_; }
  double elbo() const override { return 0; }

  double mu_of_[kChains] = {};

 private:
  Index now() const { return static_cast<Index>(begun.size()) - 1; }

  std::function<double(const At&)> mu_;
  Iterates iterates_{kChains, 2, kWindow};
  long t_ = 0, iteration_ = 0;
};

std::unique_ptr<Approximation> normal() {
  return entry_of(family_registry(), "mean-field", "family").make(1);
}

Options options_with(int max_iterations = 100000) {
  Options options;
  options.chains = kChains;
  options.window = kWindow;
  options.tolerance = 0.1;
  options.max_iterations = max_iterations;
  return filled_in(options, 1);
}

ChainRun run(MadeUp& steps, const Options& options = options_with()) {
  const auto q = normal();
  const Observer observer;
  Monitor monitor(observer, *q, limits_of_worst(options, q->size()), {"x"});
  return Averaging(steps, *q, options, monitor).run();
}

// N independent iterates of variance 1 have an average with KL(average || 3) = 1 / (2 N) on
// average: below 0.005, the tolerance's, from N = 100 on. The first check is after 160.
TEST(Averaging, StopsWhenTheAverageIsPrecise) {
  MadeUp steps([](const At& at) { return 3 + at.noise; });
  const ChainRun found = run(steps);
  EXPECT_EQ(found.termination, Termination::converged);
  EXPECT_TRUE(found.stationary);
  EXPECT_FALSE(found.exact);
  EXPECT_EQ(steps.begun.size(), 1u);
  EXPECT_GE(found.averaging_started_at, kWindow);
  EXPECT_LT(found.error, 0.1);
  // Five standard deviations of an average of 100, the fewest that are kept.
  EXPECT_NEAR(found.average(0), 3, 5 / std::sqrt(100.0));
}

// The limit of 0.05^2 / 2 is the 95 % quantile of F with 1 and 15 degrees of freedom, 4.5, times
// KL-hat, which is 1 / (2 N) on average and above a quarter of it but once in a thousand: N > 450.
TEST(Averaging, TakesAsLongAsTheToleranceAsks) {
  MadeUp steps([](const At& at) { return 3 + at.noise; });
  Options options = options_with();
  options.tolerance = 0.05;
  const ChainRun found = run(steps, options);
  EXPECT_EQ(found.termination, Termination::converged);
  EXPECT_LT(found.error, 0.05);
  EXPECT_GT(kChains * (steps.iteration() - found.averaging_started_at), 450);
}

// From 100 down to 0 in 30 windows: no average that begins before has halves that agree.
TEST(Averaging, ForgetsWhatDrifts) {
  MadeUp steps(
      [](const At& at) { return std::max(0.0, 100 - static_cast<double>(at.t) / 3) + at.noise; });
  const ChainRun found = run(steps);
  EXPECT_EQ(found.termination, Termination::converged);
  EXPECT_GT(found.averaging_started_at, 250);
  EXPECT_NEAR(found.average(0), 0, 0.5);
}

TEST(Averaging, OfWhatDriftsForEverIsNotStationary) {
  MadeUp steps([](const At& at) { return static_cast<double>(at.t) + at.noise; });
  const ChainRun found = run(steps);
  EXPECT_EQ(found.termination, Termination::rounds_done);
  EXPECT_FALSE(found.stationary);
  EXPECT_EQ(steps.begun.size(), 4u);
  // Looks are after 4, 6, 9, ..., 94 and 141 windows; the next one would be after 211.
  EXPECT_EQ(steps.iteration(), 4 * (1 + 141) * kWindow);
  // Every round goes on from the averages of the one before, with half of its step.
  for (std::size_t n = 1; n < 4; ++n) {
    EXPECT_TRUE(steps.begun[n].from_averages);
    EXPECT_EQ(steps.begun[n].step, steps.begun[n - 1].step / 2);
    EXPECT_GT(steps.begun[n].start[0](0), 0);
  }
}

// Averages of steps of length s are s sds away from the answer: a bias of less than a quarter of
// what is allowed, (0.1^2 / 4)^(1/2) = 0.05 sds, from a step of 0.05 on.
TEST(Averaging, SeesABiasThatFallsWithTheStep) {
  const auto at = [](const At& a) { return a.step + 0.1 * a.noise; };
  MadeUp blind(at), seeing(at);
  EXPECT_NEAR(run(blind).average(0), 0.5, 0.05);
  seeing.given.biased = true;
  seeing.given.most_rounds = 20;
  const ChainRun found = run(seeing);
  EXPECT_EQ(found.termination, Termination::converged);
  EXPECT_LT(std::abs(found.average(0)), 0.1);
  EXPECT_LT(found.error, 0.1);
  EXPECT_GE(seeing.begun.size(), 4u);  // 0.5, 0.25, 0.125, 0.0625, ...
}

// Modes at +-5: each chain's own average is precise, and that of all is 25 / 2 nats from any.
TEST(Averaging, JudgesChainsThatAreApartOneByOne) {
  MadeUp steps([](const At& at) { return (at.chain < 2 ? -5 : 5) + 0.1 * at.noise; });
  const ChainRun found = run(steps);
  EXPECT_EQ(found.termination, Termination::converged);
  EXPECT_TRUE(found.stationary);
  EXPECT_GT(found.rhat.value, found.limits.rhat);
  EXPECT_LT(found.error, 0.1);
}

// Parts of AR(1) iterates with a memory of 100 know of each other, parts of white noise do not: of
// 60 pairs each, the correlation has an error of 1 / 60^(1/2). What is known of the average is
// less, then.
TEST(KlHat, SeesWhatPartsKnowOfEachOther) {
  for (const double memory : {0.0, 0.99}) {
    double mu[kChains] = {};
    MadeUp steps([&](const At& at) {
      mu[at.chain] = memory * mu[at.chain] + std::sqrt(1 - memory * memory) * at.noise;
      return mu[at.chain];
    });
    steps.begin({.start = std::vector<Vector>(kChains, Vector::Zero(2))});
    steps.iterates().start_keeping();
    for (int i = 0; i < 64; ++i) steps.advance();
    const auto q = normal();
    const KlHat plain = kl_hat(steps.iterates(), *q, {.per_chain = 16});
    const KlHat judged = kl_hat(steps.iterates(), *q, {.per_chain = 16, .correlated = true});
    if (memory > 0) {
      EXPECT_FALSE(judged.steady());
      EXPECT_GT(judged.value, 2 * plain.value);
    } else {
      EXPECT_LT(std::abs(judged.correlation), 4 / std::sqrt(60.0));
    }
  }
}

TEST(Averaging, GoesBackWithSmallerStepsWhereChainsAreLost) {
  MadeUp steps([](const At& at) { return at.start + (at.round < 2 ? 50.0 : 0.0) + at.noise; });
  for (double& mu : steps.mu_of_) mu = 7;
  steps.is_lost = [](Index round, long t) { return round < 2 && t >= 3 * kWindow; };
  const ChainRun found = run(steps);
  EXPECT_EQ(found.termination, Termination::converged);
  ASSERT_EQ(steps.begun.size(), 3u);
  for (std::size_t n = 0; n < 3; ++n) {
    EXPECT_FALSE(steps.begun[n].from_averages);
    EXPECT_EQ(steps.begun[n].start[0](0), 7) << n;
    EXPECT_EQ(steps.begun[n].step, 0.5 / std::pow(2, n)) << n;
  }
  EXPECT_NEAR(found.average(0), 7, 0.5);
}

// So they are whose average is more uncertain than that: 30 sds of noise, over 16 parts.
TEST(Averaging, TakesAnUncertainAverageForOneOfLostChains) {
  MadeUp steps([](const At& at) { return (at.round == 0 ? 100 : 1) * at.noise; });
  steps.given.lost_beyond = 3;
  const ChainRun found = run(steps);
  EXPECT_EQ(found.termination, Termination::converged);
  ASSERT_EQ(steps.begun.size(), 2u);
  EXPECT_FALSE(steps.begun[1].from_averages);
}

TEST(Averaging, HandsOverWhatItHasWhenInterrupted) {
  MadeUp steps([](const At& at) { return 100 * at.noise; });
  steps.interrupted_at = 20 * kWindow;
  const ChainRun found = run(steps);
  EXPECT_EQ(found.termination, Termination::interrupted);
  EXPECT_EQ(steps.iteration(), 20 * kWindow);
  EXPECT_TRUE(found.average.allFinite());
  EXPECT_GT(found.error, 0.1);
  MadeUp at_once([](const At& at) { return at.noise; });
  at_once.interrupted_at = 0;
  EXPECT_EQ(run(at_once).average.size(), 0);
}

TEST(Averaging, EndsWithItsIterations) {
  MadeUp steps([](const At& at) { return 100 * at.noise; });
  const ChainRun found = run(steps, options_with(123));
  EXPECT_EQ(found.termination, Termination::max_iterations);
  EXPECT_EQ(steps.iteration(), 120);
}

// Iterates that differ by rounding only are exact, whatever R-hat says of rounding.
TEST(Averaging, OfRoundingIsExact) {
  MadeUp steps([](const At& at) { return 3 + 1e-12 * at.noise; });
  const ChainRun found = run(steps);
  EXPECT_EQ(found.termination, Termination::converged);
  EXPECT_TRUE(found.exact);
}

// Nothing is averaged and nothing made up: a point for each chain, which are told apart as such.
TEST(Averaging, OfChainsAtRestIsWhereTheyAre) {
  for (const double other : {3.0, 20.0}) {
    MadeUp steps([](const At&) { return kInf; });
    steps.rests = true;
    for (Index j = 0; j < kChains; ++j) steps.mu_of_[j] = j == 0 ? other : 3;
    const ChainRun found = run(steps);
    EXPECT_EQ(found.termination, Termination::converged);
    EXPECT_EQ(steps.iteration(), 0);
    EXPECT_TRUE(found.exact);
    ASSERT_EQ(found.points.size(), std::size_t{kChains});
    EXPECT_EQ(found.average(0), (other + 9) / 4);
    const auto q = normal();
    const Observer observer;
    const Options options = options_with();
    const Monitor monitor(observer, *q, found.limits, {"x"});
    const JudgedRun judged = judge_run(found, steps.iterates(), *q, options, monitor);
    EXPECT_EQ(judged.apart, other != 3);
    EXPECT_EQ(judged.findings.size(), other == 3 ? 0u : 1u);
    if (!judged.apart) continue;
    EXPECT_EQ(judged.findings[0].code, FindingCode::chains_disagree);
  }
}

}  // namespace
}  // namespace ravi
