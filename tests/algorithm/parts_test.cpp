// The parts of the algorithm one by one: tails, agreement, precision, scores.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithm/judge/agreement.hpp"
#include "algorithm/judge/elbo_recorder.hpp"
#include "algorithm/judge/precision.hpp"
#include "algorithm/methods.hpp"
#include "core/registry.hpp"
#include "core/rng.hpp"
#include "diagnostics/ess.hpp"
#include "diagnostics/ranks.hpp"
#include "model/registry.hpp"
#include "scoring/looks.hpp"
#include "scoring/score.hpp"

namespace ravi {
namespace {

std::unique_ptr<Approximation> family(std::string_view name, Index p) {
  return entry_of(family_registry(), name, "family").make(p);
}

// Iterates of a one-dimensional mean-field q: component 0 is mu, component 1 log sigma = 0.
template <typename F>
Iterates iterates_of(Index chains, Index windows, F mu) {
  Iterates iterates(chains, 2, 100);
  iterates.start_keeping();
  for (Index w = 0; w < windows; ++w) {
    for (Index j = 0; j < chains; ++j) {
      iterates.window(j).setZero();
      for (Index i = 0; i < 100; ++i) iterates.window(j)(0, i) = mu(j, 100 * w + i);
    }
    iterates.close_window(100);
  }
  return iterates;
}

double noise(Index chain, Index t) {
  return RandomStream(4, Purpose::test, static_cast<std::uint32_t>(chain),
                      static_cast<std::uint32_t>(t))
      .normal();
}

TEST(Largest, PassesOverWhatNeverMovedButNotOverInfinity) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(largest(Vector{{nan, 1, 3, 2}}).component, 2);
  EXPECT_EQ(largest(Vector{{1, inf, nan}}).value, inf);
  EXPECT_TRUE(std::isnan(largest(Vector{{nan, nan}}).value));
  EXPECT_EQ(largest(Vector{{nan}}).component, -1);
}

// (Cauchy)^2 with a sign has tail index 2; a normal has at most 0.
TEST(TailIndex, OfHeavyTailedIteratesIsAboveOne) {
  const auto heavy = iterates_of(2, 20, [](Index j, Index t) {
    RandomStream s(4, Purpose::test, static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(t));
    const double cauchy = std::tan(3.14159265358979 * (s.uniform() - 0.5));
    return cauchy * std::abs(cauchy);
  });
  const Largest heaviest = largest(kept_tail_indices(heavy, 1));
  EXPECT_GT(heaviest.value, 1);
  EXPECT_EQ(heaviest.component, 0);
  const auto light = iterates_of(2, 20, noise);
  EXPECT_LT(largest(kept_tail_indices(light, 1)).value, 0.5);
}

// Autocorrelation 0.9 in one component of three: it has the fewest effective iterates, and lag 1
// shows it to within 5 standard errors, (1 - 0.9^2)^(1/2) / n^(1/2) each.
TEST(DoubtfulComponents, ComeWithTheirAutocorrelation) {
  Iterates iterates(2, 3, 100);
  Vector slow = Vector::Zero(2);
  iterates.start_keeping();
  for (Index w = 0; w < 20; ++w) {
    for (Index j = 0; j < 2; ++j) {
      for (Index i = 0; i < 100; ++i) {
        const Index t = 100 * w + i;
        slow(j) = 0.9 * slow(j) + noise(j, t);
        iterates.window(j).col(i) = Vector{{noise(j, 10000 + t), slow(j), 1.0}};
      }
    }
    iterates.close_window(100);
  }
  const auto found = doubtful_components(iterates, iterate_precision(iterates, 1),
                                         kept_tail_indices(iterates, 1), 1);
  ASSERT_FALSE(found.empty());
  const auto slowest =
      std::ranges::min_element(found, {}, [](const DoubtfulComponent& c) { return c.record.ess; });
  EXPECT_EQ(slowest->component, 1);
  ASSERT_GT(slowest->record.autocorrelation.size(), 2U);
  EXPECT_DOUBLE_EQ(slowest->record.autocorrelation[0], 1);
  EXPECT_NEAR(slowest->record.autocorrelation[1], 0.9, 5 * std::sqrt(0.19 / 4000));
  EXPECT_NEAR(slowest->record.mcse, std::sqrt(1 / 0.19 / slowest->record.ess),
              0.2 * slowest->record.mcse);
}

// An AR(1) process with coefficient r has Var(mean) = Var (1 + r) / (1 - r) / n. Both estimates of
// its root are within a quarter of that: 64 blocks in each of 4 chains know a variance to
// (2 / 256)^(1/2) = 9 %, a standard error to half of that, and Geyer's truncation costs as much.
TEST(Precision, FromBlocksIsThatFromRawIteratesAndThatOfTheMean) {
  for (const double r : {0.0, 0.5, 0.9, 0.98}) {
    Vector state = Vector::Zero(4);
    const Iterates iterates = iterates_of(4, 256, [&](Index j, Index t) {
      state(j) = r * state(j) + noise(j, t) * std::sqrt(1 - r * r);
      return state(j);
    });
    const double exact = std::sqrt((1 + r) / (1 - r) / (4 * 25600));
    const ComponentPrecision raw = precision_from_raw(iterates.series(0));
    const ComponentPrecision blocks = precision_from_blocks(iterates, 0, iterates.variances()(0));
    EXPECT_NEAR(raw.mcse, exact, exact / 4) << r;
    EXPECT_NEAR(blocks.mcse, exact, exact / 4) << r;
    EXPECT_NEAR(blocks.ess, raw.ess, raw.ess / 2) << r;
  }
}

TEST(ElboRecorder, KeepsMeansOverMoreAndMoreIterationsAndPassesOverWhatIsNotFinite) {
  ElboRecorder recorder;
  for (int t = 0; t < 1000; ++t) recorder.add(t == 2 ? std::nan("") : t);
  const ElboTrace trace = recorder.trace();
  EXPECT_EQ(trace.every, 2);
  ASSERT_EQ(trace.elbo.size(), 500U);
  EXPECT_EQ(trace.elbo[0], 0.5);
  EXPECT_EQ(trace.elbo[1], 3);
  EXPECT_EQ(trace.elbo[499], 998.5);
}

// Independent normals: MCSE = 1/sqrt(n) and ESS = n, each known to about 10 % at n = 4000.
TEST(Precision, OfIndependentIteratesIsThatOfTheirMean) {
  const IteratePrecision p = iterate_precision(iterates_of(4, 10, noise), 2);
  EXPECT_NEAR(p.mcse_max, 1 / std::sqrt(4000.0), 0.2 / std::sqrt(4000.0));
  EXPECT_NEAR(p.ess_min, 4000, 800);
  EXPECT_EQ(p.ess_component, 0);
  // log sigma never moved: its error is 0, and the median of (0, x) is x / 2.
  EXPECT_DOUBLE_EQ(p.mcse_median, p.mcse_max / 2);
}

TEST(Limits, OfOneComponentAreTheOptionsAndOfManyAreWider) {
  const Options options = filled_in({}, 10);
  const Limits one = limits_of_worst(options, 1), many = limits_of_worst(options, 4094);
  EXPECT_NEAR(one.rhat, options.rhat_threshold, 1e-12);
  EXPECT_NEAR(one.ess, options.ess_threshold, 1e-12);
  EXPECT_GT(many.rhat, one.rhat);
  EXPECT_LT(many.rhat, 1.3);
  EXPECT_LT(many.ess, one.ess);
  EXPECT_GT(many.ess, options.chains);  // as many as chains that never mix have
}

// AR(1) chains that are worth 53 independent iterates: the estimate for one of them is below 20 one
// time in twenty or so, the smallest of 200 estimates nearly always.
TEST(Limits, OfTheSmallestEffectiveSampleSizeArePassedByChanceAsSeldomAsThatOfOne) {
  constexpr Index kChains = 4, kLength = 200, kComponents = 200, kTimes = 40;
  constexpr double kRho = 0.875;
  Options options = filled_in({}, 10);
  options.chains = kChains;
  const Limits limits = limits_of_worst(options, kComponents);
  int below_own = 0, below_that_of_one = 0, single_below = 0;
  for (std::uint32_t t = 0; t < kTimes; ++t) {
    double smallest = std::numeric_limits<double>::infinity();
    for (std::uint32_t k = 0; k < kComponents; ++k) {
      Matrix draws(kLength, kChains);
      RandomStream(t, Purpose::test, k, 0).fill_normal(draws);
      draws.row(0) /= std::sqrt(1 - kRho * kRho);
      for (Index i = 1; i < kLength; ++i) draws.row(i) += kRho * draws.row(i - 1);
      const double ess = ess_mean(draws);
      single_below += ess < options.ess_threshold;
      smallest = std::min(smallest, ess);
    }
    below_own += smallest < limits.ess;
    below_that_of_one += smallest < options.ess_threshold;
  }
  EXPECT_LT(single_below, 0.06 * kTimes * kComponents);
  EXPECT_LE(below_own, 0.15 * kTimes);  // at a rate of 0.05, more than six of 40 are 3 in 1000
  EXPECT_GE(below_that_of_one, 0.9 * kTimes);
}

TEST(PrecisionCheck, DecidesAsAFullEvaluationWould) {
  Options options;
  options.method = "paper";
  options.ess_threshold = 1500;
  options.mcse_threshold = 1;
  options = filled_in(options, 1);
  PrecisionCheck check(options, 1);
  Iterates iterates(4, 2, 100);
  iterates.start_keeping();
  for (Index w = 0; w < 10; ++w) {
    for (Index j = 0; j < 4; ++j) {
      for (Index i = 0; i < 100; ++i) {
        iterates.window(j)(0, i) = noise(j, 100 * w + i);
        iterates.window(j)(1, i) = noise(j + 4, 100 * w + i);
      }
    }
    iterates.close_window(100);
    const IteratePrecision full = iterate_precision(iterates, 1);
    const bool passes = check.passes(iterates);
    EXPECT_EQ(passes, full.ess_min > 1500);
    if (passes) {
      EXPECT_EQ(check.last().mcse_median, full.mcse_median);
    }
  }
}

TEST(Agreement, OfChainsAroundTheSameValue) {
  const Agreement a = compare_chains(iterates_of(4, 20, noise), *family("mean-field", 1));
  EXPECT_FALSE(a.apart(1.1));
  EXPECT_LT(a.rhat.value, 1.05);
}

TEST(Agreement, ChainsAtDifferentValuesDisagree) {
  const auto iterates =
      iterates_of(4, 20, [](Index j, Index t) { return (j < 3 ? 2.0 : -2.0) + noise(j, t); });
  const Agreement a = compare_chains(iterates, *family("mean-field", 1));
  EXPECT_TRUE(a.settled_apart(1.1));
  ASSERT_EQ(a.chain_average.size(), 4u);
  // 1000 iterates each: standard error 0.03.
  EXPECT_NEAR(a.chain_average[2](0), 2, 0.16);
  EXPECT_NEAR(a.chain_average[3](0), -2, 0.16);
}

TEST(Agreement, ChainsOnTheSameWayHaveNotDisagreedYet) {
  const auto drifting = iterates_of(4, 20, [](Index j, Index t) {
    return static_cast<double>(t) / 100 + 0.1 * static_cast<double>(j) + 0.1 * noise(j, t);
  });
  const Agreement a = compare_chains(drifting, *family("mean-field", 1));
  EXPECT_FALSE(a.apart(1.1));
  EXPECT_GE(a.rhat.value, 1.1);
}

TEST(KhatThreshold, FollowsTheNumberOfDrawsUpToSeventyPercent) {
  EXPECT_DOUBLE_EQ(khat_threshold(100), 0.5);
  EXPECT_NEAR(khat_threshold(1000), 2.0 / 3, 1e-12);
  EXPECT_DOUBLE_EQ(khat_threshold(100000), 0.7);
}

// q = p to the last bit: the weights are rounding noise, and k-hat of noise means nothing.
TEST(Score, OfTheTargetItselfIsPerfect) {
  const auto model = make_builtin("gaussian", nullptr);
  const auto q = family("full-rank", model->dimension());
  Matrix cov(10, 10);
  for (Index i = 0; i < 10; ++i) {
    for (Index j = 0; j < 10; ++j) cov(i, j) = std::pow(0.9, std::abs(i - j));
  }
  const Matrix l = cov.llt().matrixL();
  Vector lambda = Vector::Zero(q->size());
  for (Index j = 0, packed = 10; j < 10; packed += 10 - j, ++j) {
    lambda.segment(packed, 10 - j) = l.col(j).tail(10 - j);
    lambda(packed) = std::log(l(j, j));
  }
  q->assign(lambda);
  const Answer a = score(*model, *q, Options{}, 0, Detail::summaries);
  EXPECT_EQ(a.khat, 0);
  EXPECT_NEAR(a.elbo, 0, 1e-12);
  // Half a batch: k-hat of more would decide nothing.
  EXPECT_NEAR(a.importance_ess, 2000, 1e-2);
  // Equal weights: what q knows is exact, to the millionth by which weights may differ and count as
  // equal.
  for (const ParameterSummary& p : a.parameters) {
    EXPECT_NEAR(p.mean, 0, 1e-12);
    EXPECT_NEAR(p.sd, 1, 1e-12);
    EXPECT_NEAR(p.q95, 1.6448536269514722, 1e-12);
    EXPECT_NEAR(p.mcse, 1e-6, 1e-12);
    EXPECT_NEAR(p.mcse_sd, 1e-6, 1e-12);
    EXPECT_NEAR(p.mcse_q95, 1e-6, 1e-12);
  }

  const Reference exact{model->unconstrained_names(), Vector::Zero(10), cov};
  const ReferenceScore r = compare_with(exact, *q);
  EXPECT_NEAR(r.d_mu, 0, 1e-12);
  EXPECT_NEAR(r.d_sigma, 0, 1e-7);  // a square root: the norm itself is 0 to 1e-14
  EXPECT_NEAR(r.kl, 0, 1e-12);
}

// N(0,1) as approximation of N(0.5, 1) in one dimension: importance weights give the mean back.
TEST(Score, WeightsMoveTheMeanToThePosterior) {
  const auto model = make_model(1, [](const Vector& theta, Vector& gradient) {
    gradient(0) = 0.5 - theta(0);
    return -0.5 * gradient(0) * gradient(0);
  });
  const auto q = family("mean-field", 1);
  q->assign(Vector::Zero(2));
  const Answer a = score(*model, *q, Options{}, 0, Detail::summaries);
  EXPECT_TRUE(a.weighted);
  EXPECT_NEAR(a.parameters[0].mean, 0.5, 5 * a.parameters[0].mcse);
  EXPECT_NEAR(a.unweighted_parameters[0].mean, 0, 1e-12);
  // The tables are those of the draws that are kept.
  const WeightedDraws& d = a.draws;
  EXPECT_EQ(d.plain, d.from_q);
  EXPECT_GT(d.quantities.cols(), d.from_q);
  const Vector weights = d.log_weights.array().exp();
  EXPECT_NEAR(d.quantities.row(0).dot(weights), a.parameters[0].mean, 1e-12);
  EXPECT_NEAR(d.quantities.row(0).head(d.plain).mean(), a.unweighted_parameters[0].mean, 1e-12);
}

// N(0.5, 1) with its square as a quantity beyond the parameter.
class WithSquare final : public Model {
 public:
  Index dimension() const override { return 1; }
  void evaluate(const ConstMatrixRef& theta, VectorRef log_density,
                MatrixRef gradient) const override {
    gradient = 0.5 - theta.array();
    log_density = -0.5 * gradient.row(0).array().square();
  }
  std::vector<std::string> parameter_names() const override { return {"theta", "square"}; }
  Index judged_quantities() const override { return 1; }
  void constrain(const ConstMatrixRef& theta, MatrixRef quantities,
                 std::uint32_t /*seed*/) const override {
    quantities << theta, theta.cwiseAbs2();
  }
};

// Of every batch as many as count for one batch of independent draws: what is left still comes from
// the mixture that its weights are for.
TEST(Score, KeepsFewerDrawsWhereThereAreFurtherQuantities) {
  const WithSquare model;
  const auto q = family("mean-field", 1);
  // So far from the target that more than one batch of q is looked at.
  q->assign(Vector{{-0.6, 0}});
  const Answer a = score(model, *q, Options{}, 0, Detail::summaries);
  const WeightedDraws& d = a.draws;
  EXPECT_TRUE(a.weighted);
  EXPECT_LT(a.draws_kept, a.importance_draws / 2);
  for (const Index kept :
       {d.theta.cols(), d.quantities.cols(), d.log_density.size(), d.log_q.size(),
        d.log_proposal.size(), d.log_weights.size(), static_cast<Index>(d.resampled.size())}) {
    EXPECT_EQ(kept, a.draws_kept);
  }
  EXPECT_EQ(d.plain, std::min<Index>(d.from_q, Options{}.psis_draws));
  const Vector weights = d.log_weights.array().exp();
  EXPECT_NEAR(weights.sum(), 1, 1e-12);
  // What they count for varies by about 1 / sqrt(4000) times what a weight varies by.
  EXPECT_NEAR(1 / weights.squaredNorm(), 4000, 200);
  EXPECT_NEAR(a.parameters[0].mean, 0.5, 5 * a.parameters[0].mcse);
  EXPECT_NEAR(a.parameters[1].mean, 1.25, 5 * a.parameters[1].mcse);
  for (Index i : {0, 1}) {
    EXPECT_NEAR(d.quantities.row(i).dot(weights), a.parameters[static_cast<std::size_t>(i)].mean,
                1e-12);
  }
  // The weights are those of the mixture but for one factor, and the smoothing of the largest.
  const Vector factor = d.log_weights - (d.log_density - d.log_proposal);
  const double usual = quantile(factor, 0.5);
  EXPECT_GT(((factor.array() - usual).abs() < 1e-9).count(),
            0.9 * static_cast<double>(factor.size()));
}

TEST(Score, ADensityThatIsNeverComputableHasNoScore) {
  const auto model = make_model(1, [](const Vector&, Vector&) { return std::nan(""); });
  const auto q = family("mean-field", 1);
  q->assign(Vector::Zero(2));
  const Answer a = score(*model, *q, Options{}, 0, Detail::summaries);
  EXPECT_EQ(a.khat, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(a.elbo));
  EXPECT_FALSE(a.weighted);
}

// D_mu and D_Sigma by hand: means 3 and 4 apart, covariances that differ by diag(0, 0.25).
TEST(ReferenceScore, IsThePapersDistance) {
  const auto q = family("mean-field", 2);
  q->assign(Vector::Zero(4));
  const Reference r{{"a", "b"}, Vector{{3, 4}}, Vector{{1, 0.75}}.asDiagonal().toDenseMatrix()};
  const ReferenceScore score = compare_with(r, *q);
  EXPECT_DOUBLE_EQ(score.d_mu, 5);
  EXPECT_DOUBLE_EQ(score.d_sigma, 0.5);
  EXPECT_NEAR(score.kl, 0.5 * (1 + 1 / 0.75 + 9 + 16 / 0.75 - 2 + std::log(0.75)), 1e-12);
}

}  // namespace
}  // namespace ravi
