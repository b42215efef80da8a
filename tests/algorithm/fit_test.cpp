// fit() from end to end on targets whose answer is known, and on everything that can go wrong.
#include "ravi/fit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "algorithm/methods.hpp"
#include "algorithm/validate.hpp"
#include "core/numeric.hpp"
#include "core/registry.hpp"
#include "model/data.hpp"
#include "model/registry.hpp"
#include "ravi/error.hpp"

namespace ravi {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::unique_ptr<Model> builtin(std::string_view name) { return make_builtin(name, nullptr); }

// N(m, diag(s^2)) with m = 1, -2 and s = 0.5, 2, normalized.
std::unique_ptr<Model> diagonal_gaussian() {
  return make_model(2, [](const Vector& theta, Vector& gradient) {
    const Vector m{{1, -2}}, s{{0.5, 2}};
    const Vector z = (theta - m).cwiseQuotient(s);
    gradient = -z.cwiseQuotient(s);
    return -0.5 * z.squaredNorm() - s.array().log().sum() - kLog2Pi;
  });
}

bool has(const Fit& fit, FindingCode code) {
  return std::ranges::any_of(fit.findings, [&](const Finding& f) { return f.code == code; });
}

Options fixed(int iterations) {
  Options options;
  options.method = "paper";
  options.stop = "fixed";
  options.max_iterations = iterations;
  return options;
}

// The optimum of either family is the target itself, so the error of the average is its Monte Carlo
// error: 5 times the largest MCSE of lambda bounds it in every component, on the scale of lambda.
TEST(Fit, RecoversADiagonalGaussianToWithinItsReportedError) {
  for (const char* family : {"mean-field", "full-rank"}) {
    Options options = fixed(6000);
    options.family = family;
    const Fit fit = ravi::fit(*diagonal_gaussian(), options);
    ASSERT_TRUE(fit.average) << family;
    EXPECT_EQ(fit.verdict, Verdict::accurate) << family;
    const double error = 5 * fit.mcse_max;
    ASSERT_LT(error, 0.5);
    EXPECT_NEAR(fit.average->q.mean(0), 1, error);
    EXPECT_NEAR(fit.average->q.mean(1), -2, error);
    const auto& p = fit.average->parameters;
    EXPECT_NEAR(p[0].mean, 1, 5 * p[0].mcse);
    EXPECT_NEAR(p[1].mean, -2, 5 * p[1].mcse);
    // Normalized target: ELBO = -KL(q || p) <= 0, and almost 0.
    EXPECT_NEAR(fit.average->elbo, 0, 0.02);
  }
}

// A window that spans many autocorrelation times lets the paper's rule fire.
TEST(Algorithm1, StopsWhenStationaryAndPrecise) {
  Options options;
  options.method = "paper";
  options.window = 1000;
  options.family = "mean-field";
  options.max_iterations = 20000;
  const Fit fit = ravi::fit(*diagonal_gaussian(), options);
  EXPECT_EQ(fit.termination, Termination::converged);
  EXPECT_EQ(fit.verdict, Verdict::accurate);
  EXPECT_GT(fit.averaging_started_at, 0);
  EXPECT_EQ(fit.averaging_started_at % 1000, 0);
  EXPECT_GT(fit.iterations, fit.averaging_started_at);
  EXPECT_LT(fit.iterations, options.max_iterations);
  EXPECT_LT(fit.rhat_max, fit.options.rhat_threshold);
  EXPECT_LT(fit.mcse_median, fit.options.mcse_threshold);
  EXPECT_GT(fit.ess_min, fit.options.ess_threshold);
  EXPECT_EQ(static_cast<long>(fit.trace.size()), fit.iterations / 1000);
}

// Erratum 11: W = 100 with autocorrelated iterates keeps R-hat above tau although all is well.
TEST(Algorithm1, TellsAWindowTooShortFromChainsThatDisagree) {
  const Fit fit = ravi::fit(*builtin("gaussian"), {.method = "paper"});
  EXPECT_EQ(fit.verdict, Verdict::not_converged);
  EXPECT_TRUE(has(fit, FindingCode::window_too_short));
  EXPECT_FALSE(has(fit, FindingCode::chains_disagree));
  EXPECT_TRUE(fit.average);
}

TEST(Fit, ReturnsDisagreeingChainsApart) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    for (const char* stop : {"mcse", "fixed", "delta-elbo"}) {
      Options options = fixed(4000);
      options.stop = stop;
      options.elbo_threshold = 1e-4;
      options.seed = seed;
      const Fit fit = ravi::fit(*builtin("bimodal"), options);
      EXPECT_EQ(fit.verdict, Verdict::not_converged) << stop << seed;
      EXPECT_TRUE(has(fit, FindingCode::chains_disagree)) << stop << seed;
      EXPECT_FALSE(fit.average);
      ASSERT_EQ(fit.chains.size(), 4u);
      for (const Answer& chain : fit.chains) {
        EXPECT_NEAR(std::abs(chain.q.mean(0)), 5, 0.5);
        EXPECT_EQ(chain.parameters.size(), 2u);
      }
    }
  }
}

TEST(Fit, AHugeStepSizeFailsAndSaysWhere) {
  for (const char* model : {"gaussian", "eight-schools-noncentered", "student-t"}) {
    for (const char* optimizer : {"rmsprop", "sgd", "adam"}) {
      Options options = fixed(2000);
      options.step_size = 1e6;
      options.optimizer = optimizer;
      const Fit fit = ravi::fit(*builtin(model), options);
      EXPECT_EQ(fit.verdict, Verdict::failed) << model << " " << optimizer;
      EXPECT_EQ(fit.termination, Termination::diverged);
      EXPECT_TRUE(has(fit, FindingCode::iterates_diverged) ||
                  has(fit, FindingCode::density_not_computable));
      EXPECT_EQ(fit.rhat_max, std::numeric_limits<double>::infinity());
      EXPECT_FALSE(fit.average);
      ASSERT_TRUE(fit.last_iterate);
      EXPECT_TRUE(fit.last_iterate->q.mean.allFinite());
    }
  }
}

TEST(Fit, ADensityThatIsNeverFiniteFailsWithinAWindow) {
  const auto model = make_model(2, [](const Vector&, Vector&) { return kNan; });
  for (const char* method : {"robust", "paper"}) {
    const Fit fit = ravi::fit(*model, {.method = method});
    EXPECT_EQ(fit.verdict, Verdict::failed) << method;
    EXPECT_TRUE(has(fit, FindingCode::density_not_computable)) << method;
    EXPECT_EQ(fit.failed_draws, fit.gradient_evaluations) << method;
  }
}

// A half normal that returns NaN below zero: q = N(mu, sigma) always has mass there.
TEST(Fit, ManyFailedDrawsAreAFinding) {
  const auto model = make_model(1, [](const Vector& theta, Vector& gradient) {
    gradient(0) = -theta(0);
    return theta(0) < 0 ? kNan : -0.5 * theta(0) * theta(0);
  });
  Options options = fixed(1000);
  options.step_size = 1e-6;
  options.chains = 1;  // starts, and stays, at N(0, 1): half of the draws fail
  const Fit fit = ravi::fit(*model, options);
  ASSERT_TRUE(has(fit, FindingCode::draws_failed));
  EXPECT_NEAR(static_cast<double>(fit.failed_draws) / static_cast<double>(fit.gradient_evaluations),
              0.5, 5 * 0.5 / std::sqrt(10000.0));
  EXPECT_FALSE(has(fit, FindingCode::density_not_computable));
}

// A density of one's own says where it cannot be computed as Stan's functions do.
TEST(Fit, ADomainErrorIsADrawThatFailed) {
  const auto model = make_model(1, [](const Vector& theta, Vector& gradient) {
    if (theta(0) < -8) throw std::domain_error("too far left");
    gradient(0) = -theta(0);
    return -0.5 * theta(0) * theta(0);
  });
  Matrix theta{{-9.0, 1.0}}, gradient(1, 2);
  Vector log_density(2);
  model->evaluate(theta, log_density, gradient);
  EXPECT_TRUE(std::isnan(log_density(0)));
  EXPECT_DOUBLE_EQ(log_density(1), -0.5);
  EXPECT_EQ(model->why_not_computable(theta.col(0)), "too far left");
  EXPECT_EQ(ravi::fit(*model, {}).verdict, Verdict::accurate);
}

TEST(Fit, ABrokenModelsExceptionPassesThrough) {
  const auto model = make_model(
      1, [](const Vector&, Vector&) -> double { throw std::logic_error("broken model"); });
  EXPECT_THROW(ravi::fit(*model, Options{}), std::logic_error);
}

TEST(Fit, KhatTellsThatAGaussianCannotFitACauchy) {
  const Fit fit = ravi::fit(*builtin("cauchy"), fixed(10000));
  EXPECT_TRUE(has(fit, FindingCode::approximation_poor) || has(fit, FindingCode::means_unknown) ||
              has(fit, FindingCode::few_draws_count));
  EXPECT_FALSE(trustworthy(fit.verdict));
}

TEST(Fit, DeltaElboStopsEarlyAndSaysSo) {
  Options options;
  options.method = "paper";
  options.stop = "delta-elbo";
  const Fit fit = ravi::fit(*builtin("eight-schools-noncentered"), options);
  EXPECT_EQ(fit.termination, Termination::elbo_settled);
  EXPECT_TRUE(has(fit, FindingCode::stopped_by_elbo));
  EXPECT_LT(fit.iterations, fit.options.max_iterations);
  // The second half, to the length of a block.
  EXPECT_GE(2 * fit.averaging_started_at, fit.iterations);
}

TEST(Fit, OneChainAloneIsNoted) {
  Options options = fixed(20000);
  options.chains = 1;
  const Fit fit = ravi::fit(*diagonal_gaussian(), options);
  EXPECT_TRUE(has(fit, FindingCode::single_chain));
  EXPECT_TRUE(trustworthy(fit.verdict));
}

TEST(Fit, StopsWhenAskedAndKeepsWhatItFound) {
  for (const char* stop : {"mcse", "fixed", "delta-elbo"}) {
    for (const long when : {0L, 100L, 3000L}) {
      Options options = fixed(100000);
      options.stop = stop;
      options.elbo_threshold = 1e-12;
      std::atomic<bool> stop_now = when == 0;
      const Observer observer{.progress =
                                  [&](const Progress& p) {
                                    if (p.check.iteration >= when) stop_now = true;
                                  },
                              .stop_requested = &stop_now};
      const Fit fit = ravi::fit(*diagonal_gaussian(), options, observer);
      EXPECT_EQ(fit.termination, Termination::interrupted);
      EXPECT_EQ(fit.iterations, when);
      EXPECT_TRUE(has(fit, FindingCode::interrupted));
      EXPECT_EQ(fit.verdict, Verdict::not_converged);
      EXPECT_EQ(fit.average.has_value() || !fit.chains.empty(), when > 0) << stop << when;
      EXPECT_TRUE(fit.last_iterate);
    }
  }
}

bool same(const Answer& a, const Answer& b) {
  return a.q.mean == b.q.mean && a.q.cov == b.q.cov && a.khat == b.khat && a.elbo == b.elbo &&
         a.draws.log_weights == b.draws.log_weights && a.parameters[0].q95 == b.parameters[0].q95;
}

TEST(Fit, IsTheSameForAnyNumberOfThreadsAndForTheSameSeed) {
  for (Options options : {fixed(600), Options{}}) {
    options.threads = 1;
    const Fit one = ravi::fit(*builtin("eight-schools-noncentered"), options);
    for (const int threads : {1, 2, 3, 8}) {
      options.threads = threads;
      EXPECT_TRUE(
          same(*one.average, *ravi::fit(*builtin("eight-schools-noncentered"), options).average));
    }
    options.seed = 2;
    EXPECT_FALSE(
        same(*one.average, *ravi::fit(*builtin("eight-schools-noncentered"), options).average));
  }
}

TEST(Fit, MiniBatchesNeedRowsAndNoMoreThanThereAre) {
  Options options;
  options.minibatch = 5;
  EXPECT_THROW(ravi::fit(*builtin("gaussian"), options), UsageError);
}

std::string refusal(const Model& model, const Options& options) {
  try {
    validate(options, model);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(Fit, AutomaticMiniBatchesAreChosenOnceAndNeedRows) {
  Options options;
  options.minibatch = kAuto;
  EXPECT_THAT(refusal(*builtin("gaussian"), options),
              testing::AllOf(testing::HasSubstr("minibatch = auto"),
                             testing::HasSubstr("a Stan program never is")));
  // Few rows are taken whole.
  const Data few = entry_of(model_registry(), "linear-regression", "model").example();
  const auto regression = make_builtin("linear-regression", &few);
  EXPECT_EQ(filled_in(options, *regression).minibatch, 0);
  options.minibatch = -1;
  EXPECT_THAT(refusal(*regression, options),
              testing::HasSubstr("minibatch = -1, but it must lie in [0, inf)"));
}

TEST(Validate, ListsEverythingThatIsWrong) {
  Options options;
  options.step_size = -1;
  options.chains = -1;
  options.window = 30000;
  options.max_iterations = 20000;
  options.optimizer = "adma";
  options.draws = -1;
  options.mcse_threshold = 0.1;
  try {
    ravi::fit(*builtin("gaussian"), options);
    FAIL() << "invalid options were accepted";
  } catch (const UsageError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("step_size = -1, but it must lie in [0, inf)"));
    EXPECT_THAT(e.what(), testing::HasSubstr("chains = -1, but it must lie in [0, inf)"));
    EXPECT_THAT(e.what(), testing::HasSubstr("draws = -1"));
    EXPECT_THAT(e.what(), testing::HasSubstr("window = 30000, but it must not be larger"));
    EXPECT_THAT(e.what(), testing::HasSubstr("no optimizer is called 'adma'"));
    EXPECT_THAT(e.what(), testing::HasSubstr("mcse_threshold = 0.1, but method robust has no use "
                                             "for it; leave it out, or use method paper"));
  }
}

// K = P(P+3)/2 with P = 200 000: 160 GB for a single lambda. Mean-field has K = 400 000, of which a
// hundred of each chain are 1.3 GB.
TEST(Validate, RefusesWhatCannotFitInMemoryAndSaysWhatWould) {
  const auto model = make_model(200000, [](const Vector&, Vector&) { return 0.0; });
  EXPECT_THROW(ravi::fit(*model, Options{}), EnvironmentError);
  EXPECT_THAT(refusal(*model, Options{}),
              testing::AllOf(testing::HasSubstr("20000300000 variational parameters in 4 chains"),
                             testing::HasSubstr("GB are free"),
                             testing::ContainsRegex("--family mean-field needs [1-9]\\.[0-9] GB"),
                             testing::ContainsRegex("--chains 2 needs [0-9]+ GB")));
}

TEST(Validate, RejectsWhatIsNotANumber) {
  Options options;
  options.step_size = kNan;
  EXPECT_THROW(ravi::fit(*builtin("gaussian"), options), UsageError);
}

}  // namespace
}  // namespace ravi
