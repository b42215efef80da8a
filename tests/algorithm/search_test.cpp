// The second-order steps and searches of --method robust on targets whose answer is known.
#include "algorithm/robust/search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>

#include "core/registry.hpp"
#include "family/approximation.hpp"
#include "model/data.hpp"
#include "model/registry.hpp"
#include "ravi/error.hpp"
#include "ravi/fit.hpp"

namespace ravi {
namespace {

// N(m, S) in P dimensions with m_i = i and S_ij = 0.9^|i-j| c_i c_j, scales c from 0.01 to 100.
struct Target {
  Vector mean;
  Matrix cov;
  std::unique_ptr<Model> model;
};

Target badly_scaled_gaussian(Index p) {
  Target t{Vector::LinSpaced(p, 1, static_cast<double>(p)), Matrix(p, p), nullptr};
  const auto scale = [p](Index i) {
    return std::pow(10, -2 + 4 * static_cast<double>(i) / static_cast<double>(p - 1));
  };
  for (Index i = 0; i < p; ++i) {
    for (Index j = 0; j < p; ++j) {
      t.cov(i, j) = std::pow(0.9, std::abs(static_cast<double>(i - j))) * scale(i) * scale(j);
    }
  }
  Data data;
  data.add("P", static_cast<double>(p)).add("mean", t.mean).add("cov", t.cov);
  t.model = make_builtin("gaussian", &data);
  return t;
}

std::unique_ptr<Approximation> normal(const Vector& mean, const Matrix& l) {
  const auto q = entry_of(family_registry(), "full-rank", "family").make(mean.size());
  return q->member(q->lambda_of(mean, l));
}

std::unique_ptr<Approximation> answer_of(const Target& t) {
  return normal(t.mean, t.cov.llt().matrixL());
}

std::unique_ptr<Approximation> start_at_zero(Index p) {
  return normal(Vector::Zero(p), 0.01 * Matrix::Identity(p, p));
}

// With q = p, s vanishes at every draw and the log ratio is one number: minus log of the constant
// that the model leaves out, here none.
TEST(Scores, NothingIsLeftToSayAtTheAnswer) {
  const Target t = badly_scaled_gaussian(5);
  const auto q = answer_of(t);
  const ScoreBatch batch = draw_scores(*t.model, *q, 30, RandomStream(1, Purpose::test, 0, 0));
  EXPECT_LT(batch.s.cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT(batch.log_ratio.cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT(q->distance(fit_by_regression(batch)), 1e-15);
}

// The gradient of a Gaussian is linear, so the regression is exact but for rounding.
TEST(Scores, OneUndampedStepSolvesAGaussian) {
  const Target t = badly_scaled_gaussian(4);
  const auto q =
      normal(t.mean + 0.5 * t.cov.diagonal().cwiseSqrt(), 0.8 * Matrix(t.cov.llt().matrixL()));
  const ScoreBatch batch = draw_scores(*t.model, *q, 40, RandomStream(1, Purpose::test, 0, 0));
  q->step(fit_by_regression(batch), {.cap = 0.96});
  EXPECT_LT(symmetrized_kl(*q, *answer_of(t)), 1e-9);
}

TEST(Scores, TheRadiusBoundsTheMoveOfTheMean) {
  const Target t = badly_scaled_gaussian(4);
  const auto q = normal(t.mean + 20 * t.cov.diagonal().cwiseSqrt(), t.cov.llt().matrixL());
  const ScoreBatch batch = draw_scores(*t.model, *q, 40, RandomStream(1, Purpose::test, 0, 0));
  const auto next = q->clone();
  EXPECT_TRUE(next->step(fit_by_regression(batch), {.radius = 0.5}));
  Matrix moved(4, 1);
  q->inverse(next->center(), moved);
  EXPECT_LE(moved.norm(), 0.5 * std::sqrt(1 / (1 - 0.75)) + 1e-12);
}

TEST(Search, SettlesOnAGaussianWhoseScalesDifferByTenThousand) {
  for (const Index p : {2, 10, 40}) {
    const Target t = badly_scaled_gaussian(p);
    Search search(*t.model, *start_at_zero(p), draws_for_regression(p), 1, 0);
    search.run(400);
    EXPECT_EQ(search.state(), Search::State::settled) << p;
    EXPECT_LT(symmetrized_kl(search.best(), *answer_of(t)), 1e-6) << p;
    EXPECT_TRUE(search.exact()) << p;
    EXPECT_LE(search.evaluations(), 10 * draws_for_regression(p)) << p;
  }
}

TEST(Search, IsStuckWhereNothingCanBeComputed) {
  const auto model = make_model(2, [](const Vector&, Vector& gradient) {
    gradient.setZero();
    return std::numeric_limits<double>::quiet_NaN();
  });
  Search search(*model, *start_at_zero(2), 16, 1, 0);
  search.run(400);
  EXPECT_EQ(search.state(), Search::State::stuck);
  EXPECT_FALSE(search.found());
  EXPECT_EQ(search.failed(), search.evaluations());
  EXPECT_EQ(search.first_failure().size(), 2);
}

Fit robust(const Model& model, Options options = {}) {
  options.method = "robust";
  return fit(model, options);
}

bool has(const Fit& fit, FindingCode code) {
  return std::ranges::any_of(fit.findings, [&](const Finding& f) { return f.code == code; });
}

// The optimum is the target itself, which the steps reach but for rounding.
TEST(Robust, FindsABadlyScaledGaussianWithoutOptions) {
  const Target t = badly_scaled_gaussian(10);
  const Fit fit = robust(*t.model);
  EXPECT_EQ(fit.verdict, Verdict::accurate);
  ASSERT_TRUE(fit.average);
  EXPECT_LT(gaussian_kl(fit.average->q.mean, fit.average->q.cov, t.mean, t.cov), 1e-6);
}

// The best q of independent coordinates has the posterior's means, and its conditional variances.
TEST(Robust, FindsTheBestMeanFieldApproximation) {
  const Target t = badly_scaled_gaussian(10);
  const Fit fit = robust(*t.model, {.family = "mean-field"});
  ASSERT_TRUE(fit.average);
  const Vector sd = t.cov.inverse().diagonal().cwiseSqrt().cwiseInverse();
  EXPECT_LT((fit.average->q.mean - t.mean).cwiseQuotient(sd).cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_LT((fit.average->q.scale.cwiseQuotient(sd).array() - 1).abs().maxCoeff(), 1e-3);
  // Weights cannot make up for correlations of 0.9. Moved draws do, to their errors and the 0.02 of
  // an sd that what they remember of their starts may cost.
  EXPECT_EQ(fit.verdict, Verdict::usable);
  EXPECT_TRUE(has(fit, FindingCode::draws_moved));
  for (Index i = 0; i < 10; ++i) {
    const ParameterSummary& p = fit.average->parameters[static_cast<std::size_t>(i)];
    const double exact = std::sqrt(t.cov(i, i));
    EXPECT_NEAR(p.mean, t.mean(i), 5 * p.mcse) << p.name;
    EXPECT_NEAR(p.sd, exact, 5 * p.mcse_sd + 0.02 * exact) << p.name;
  }
}

// The average is within its own limit of the optimum: a run with a tolerance 20 times smaller,
// which goes on as long as it may, is the standard.
TEST(Robust, KeepsWhatItsToleranceSays) {
  const auto model = make_builtin("eight-schools-noncentered", nullptr);
  const Fit quick = robust(*model), long_run = robust(*model, {.tolerance = 0.005});
  ASSERT_TRUE(quick.average && long_run.average);
  EXPECT_EQ(long_run.termination, Termination::rounds_done);
  EXPECT_GT(long_run.iterations, quick.iterations);
  const double kl = gaussian_kl(quick.average->q.mean, quick.average->q.cov,
                                long_run.average->q.mean, long_run.average->q.cov);
  // KL-hat rests on 15 degrees of freedom, so that it is below a third of what it estimates with a
  // probability of 1 %.
  EXPECT_LT(kl, 3 * 0.1 * 0.1 / 2);
}

// Averages of other seeds are within twice the tolerance of each other.
TEST(Robust, KeepsWhatItsToleranceSaysWithOtherSeeds) {
  const auto model = make_builtin("eight-schools-noncentered", nullptr);
  std::vector<Fit> fits;
  for (const std::uint64_t seed : {1U, 2U, 3U}) fits.push_back(robust(*model, {.seed = seed}));
  for (const Fit& a : fits) {
    ASSERT_TRUE(a.average);
    EXPECT_LT(a.error, 0.1);
    for (const Fit& b : fits) {
      const double kl =
          gaussian_kl(a.average->q.mean, a.average->q.cov, b.average->q.mean, b.average->q.cov);
      EXPECT_LT(kl, 3 * 0.2 * 0.2 / 2);  // as above
    }
  }
}

// Two equal modes: both are in the answer, which is their mixture, exact but for rounding.
TEST(Robust, MakesOneAnswerOfModesThatBothHoldMass) {
  const Fit fit = robust(*make_builtin("bimodal", nullptr));
  EXPECT_EQ(fit.verdict, Verdict::accurate);
  EXPECT_TRUE(has(fit, FindingCode::modes_combined));
  EXPECT_FALSE(has(fit, FindingCode::chains_disagree));
  EXPECT_TRUE(fit.chains.empty());
  ASSERT_TRUE(fit.average);
  ASSERT_EQ(fit.average->modes.size(), 2u);
  for (const ModeSummary& mode : fit.average->modes) {
    EXPECT_NEAR(mode.mass, 0.5, 5 * mode.mass_error);
    EXPECT_LT(mode.mass_error, 0.02);
    EXPECT_GE(mode.seen, 2);
    EXPECT_FALSE(mode.chains.empty());
    EXPECT_NEAR(std::abs(mode.parameters[0].mean), 5, 0.1);
    EXPECT_NEAR(mode.parameters[0].sd, 1, 0.1);
    EXPECT_EQ(mode.exchanged, 0);
  }
  EXPECT_NEAR(fit.average->parameters[0].sd, std::sqrt(26), 0.1);
  EXPECT_NEAR(std::sqrt(fit.average->q.cov(0, 0)), std::sqrt(26), 0.2);
}

// 0.999999 N(5, 1) + 0.000001 N(-5, 1) in each of the first coordinates: the small one is dropped.
TEST(Robust, DropsAModeThatHoldsNoMass) {
  const auto model = make_model(2, [](const Vector& theta, Vector& gradient) {
    const double a = -0.5 * (theta(0) - 5) * (theta(0) - 5);
    const double b = -0.5 * (theta(0) + 5) * (theta(0) + 5) - 13.8;
    const double share = 1 / (1 + std::exp(b - a));
    gradient(0) = -share * (theta(0) - 5) - (1 - share) * (theta(0) + 5);
    gradient(1) = -theta(1);
    return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b))) - 0.5 * theta(1) * theta(1);
  });
  const Fit fit = robust(*model);
  EXPECT_EQ(fit.verdict, Verdict::accurate);
  EXPECT_TRUE(has(fit, FindingCode::minor_modes));
  ASSERT_TRUE(fit.average);
  EXPECT_NEAR(fit.average->q.mean(0), 5, 0.2);
}

TEST(Robust, FailsWhereNothingCanBeComputed) {
  const auto model = make_model(2, [](const Vector&, Vector& gradient) {
    gradient.setZero();
    return std::numeric_limits<double>::quiet_NaN();
  });
  const Fit fit = robust(*model);
  EXPECT_EQ(fit.verdict, Verdict::failed);
  EXPECT_TRUE(has(fit, FindingCode::density_not_computable));
}

TEST(Robust, SaysWhenAGaussianCannotFit) {
  EXPECT_FALSE(trustworthy(robust(*make_builtin("cauchy", nullptr)).verdict));
  // One that bends may fit a funnel, v ~ N(0, 3^2): what is trusted is right.
  const Fit fit = robust(*make_builtin("funnel", nullptr));
  if (!trustworthy(fit.verdict)) return;
  EXPECT_TRUE(has(fit, FindingCode::q_bent) || has(fit, FindingCode::draws_moved));
  const ParameterSummary& v = fit.average->parameters.front();
  EXPECT_NEAR(v.mean, 0, 0.3 * 3);
  EXPECT_NEAR(std::log(v.sd / 3), 0, std::log(1.4));
}

TEST(Robust, ThreadsDoNotChangeTheAnswer) {
  const auto model = make_builtin("eight-schools-noncentered", nullptr);
  const Fit one = robust(*model, {.threads = 1}), three = robust(*model, {.threads = 3});
  ASSERT_TRUE(one.average && three.average);
  EXPECT_EQ(one.average->q.mean, three.average->q.mean);
  EXPECT_EQ(one.average->q.cov, three.average->q.cov);
  EXPECT_EQ(one.gradient_evaluations, three.gradient_evaluations);
}

TEST(Robust, StoppedAtOnceIsInterruptedNotFailed) {
  const std::atomic<bool> stop = true;
  const Fit fit = ravi::fit(*make_builtin("gaussian", nullptr), {.method = "robust"},
                            {.stop_requested = &stop});
  EXPECT_EQ(fit.termination, Termination::interrupted);
  EXPECT_EQ(fit.verdict, Verdict::not_converged);
  EXPECT_TRUE(has(fit, FindingCode::interrupted));
  EXPECT_FALSE(has(fit, FindingCode::density_not_computable));
}

}  // namespace
}  // namespace ravi
