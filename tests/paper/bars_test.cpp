// What the re-run evaluation must show, on a small part of it: the bars are the project's own.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "core/parallel.hpp"
#include "core/rng.hpp"
#include "model/data.hpp"
#include "model/registry.hpp"
#include "paper/authors.hpp"
#include "paper/evaluation.hpp"
#include "paper/figures.hpp"
#include "paper/perform.hpp"
#include "paper/tables.hpp"
#include "temporary_folder.hpp"

namespace ravi::paper {
namespace {

double average_d(const Result& r) { return r.average.d(); }
double average_d_mu(const Result& r) { return r.average.d_mu; }
double average_khat(const Result& r) { return r.average.khat; }

// Asks, works, and asks again, with a cache that is gone afterwards.
template <typename Ask>
auto measured(const Ask& ask) {
  static const Library library(RAVI_SOURCE, "");
  auto lab = std::make_shared<Lab>(library);
  const TemporaryFolder folder;
  ask(*lab);
  lab->work(Cache(folder / "cache"), resolve_threads(0), kNoLimit, nullptr,
            [](const LabProgress&) {});
  EXPECT_TRUE(lab->done().complete());
  return std::pair(lab, ask(*lab));
}

Effort small_effort() {
  Effort effort = quick_effort();
  effort.seeds = 1;
  effort.realizations = 1;
  effort.simulated_iterations = 10000;
  effort.dimensions_along = {10, 30};
  return effort;
}

paper::Run at_printed_length(const std::string& posterior, int iterations) {
  paper::Run run{.posterior = posterior, .options = paper_options(posterior, small_effort())};
  run.options.stop = "fixed";
  run.options.max_iterations = iterations;
  return run;
}

// 5900 iterations are those of the paper's row, whose D_mu is 0.001 and k-hat 0.06.
TEST(Table1, BostonIsAsAccurateAsPrinted) {
  const auto [lab, group] =
      measured([](Lab& l) { return l.ask(at_printed_length("linear-boston", 5900), 3); });
  std::printf("D_mu %.2g, k-hat %.2f\n", group.median(average_d_mu), group.median(average_khat));
  EXPECT_LE(group.median(average_d_mu), 0.002);
  EXPECT_LE(group.median(average_khat), 0.3);
}

// 15000 iterations are T_max of the paper, whose row has D_mu 0.13 and k-hat 0.63. Here k-hat is
// 0.54 on average, with an sd of 0.07 from seed to seed: the median of eleven has one of 0.025.
TEST(Table1, NoncenteredSchoolsAreAsCloseAsPrinted) {
  const auto [lab, group] = measured(
      [](Lab& l) { return l.ask(at_printed_length("eight-schools-noncentered", 15000), 11); });
  std::printf("D_mu %.2g, k-hat %.2f\n", group.median(average_d_mu), group.median(average_khat));
  EXPECT_LE(group.median(average_d_mu), 0.15);
  EXPECT_GE(group.median(average_khat), 0.5);
  EXPECT_LE(group.median(average_khat), 0.75);
}

// In every row of Table 1 where the paper says so and whose data are part of ravi. The MCSE rule as
// printed runs to T_max here, so being earlier than it says little: the length of the paper's row,
// averaged over its second half, is the comparison that can fail.
TEST(Table1, DeltaElboStopsEarlierThanMcseAndIsWorse) {
  const Printed printed = read_printed(std::string(RAVI_SOURCE) + "/paper/printed.json");
  std::vector<PrintedRow> rows;
  for (const PrintedRow& row : printed.table1) {
    if (row.model == "Boston" || row.model == "Concrete" || row.model == "8-school (CP)") {
      rows.push_back(row);
    }
  }
  const auto [lab, runs] =
      measured([&](Lab& l) { return table_runs(rows, kTable1Optimizers, l, small_effort()); });
  ASSERT_EQ(runs.text.size(), 5u);
  for (const Comparison& c : runs.text) {
    std::printf("%s: T %ld and %ld, D %.2g and %.2g\n", c.posterior.c_str(),
                c.elbo.first().iterations, c.mcse.first().iterations, c.elbo.median(average_d),
                c.mcse.median(average_d));
    EXPECT_LT(c.elbo.first().iterations, c.mcse.first().iterations) << c.posterior;
    EXPECT_GT(c.elbo.median(average_d), c.mcse.median(average_d)) << c.posterior;
    EXPECT_LT(c.elbo.first().iterations, c.printed_mcse.iterations) << c.posterior;
  }
}

double iterations(const Result& r) { return static_cast<double>(r.iterations); }
double last_khat(const Result& r) { return r.last.khat; }

Group as_authors_ran(std::string_view posterior, const char* optimizer, int seeds, Lab& lab) {
  for (const AuthorsSetting& setting : authors_settings()) {
    if (setting.posterior != posterior) continue;
    paper::Run run = authors_run(setting, optimizer, small_effort());
    run.options.stop = "mcse";
    return lab.ask(run, seeds);
  }
  ADD_FAILURE() << posterior;
  return {};
}

// Every run ends by the rule itself, between 3500 and 9000 iterations; the paper has 3900 to 5900.
// The k-hat of the average is below 0.4 and that of the last iterate above 0.6, medians of 5 seeds.
TEST(Authors, RegressionsStopNearThePrintedTimeAndTheAverageIsTheBetterOne) {
  for (const char* posterior : {"authors-boston", "authors-concrete"}) {
    const auto [lab, group] =
        measured([&](Lab& l) { return as_authors_ran(posterior, "rmsprop", 5, l); });
    const double t = group.median(iterations);
    std::printf("%s: T %.0f, k-hat %.2f, last %.2f\n", posterior, t, group.median(average_khat),
                group.median(last_khat));
    EXPECT_EQ(group.count([](const Result& r) { return r.termination == "converged"; }), 5u);
    EXPECT_GE(t, 3500) << posterior;
    EXPECT_LE(t, 9000) << posterior;
    EXPECT_LT(group.median(average_khat), 0.4) << posterior;
    EXPECT_GT(group.median(last_khat), 0.6) << posterior;
  }
}

// The paper: T = 2400, D_mu 0.13, k-hat 0.63.
TEST(Authors, NoncenteredSchoolsStopByThemselves) {
  const auto [lab, group] = measured(
      [](Lab& l) { return as_authors_ran("authors-eight-schools-noncentered", "rmsprop", 5, l); });
  const double t = group.median(iterations);
  std::printf("T %.0f, D_mu %.2g, k-hat %.2f\n", t, group.median(average_d_mu),
              group.median(average_khat));
  EXPECT_EQ(group.count([](const Result& r) { return r.termination == "converged"; }), 5u);
  EXPECT_GE(t, 2000);
  EXPECT_LE(t, 3500);
  EXPECT_LE(group.median(average_d_mu), 0.2);
  EXPECT_GE(group.median(average_khat), 0.5);
  EXPECT_LE(group.median(average_khat), 0.75);
}

// The printed 1.8 and 2.1 are distances from a plug-in mean, not from the posterior's.
TEST(Authors, CenteredSchoolsAreAsFarFromThePlugInMeanAsPrinted) {
  const auto [lab, group] = measured(
      [](Lab& l) { return as_authors_ran("authors-eight-schools-centered", "rmsprop", 3, l); });
  const double printed = group.median([](const Result& r) { return r.average.printed_d_mu; });
  std::printf("D_mu %.2f, from the plug-in mean %.2f\n", group.median(average_d_mu), printed);
  EXPECT_GE(printed, 1.7);
  EXPECT_LE(printed, 2.3);
  EXPECT_LT(group.median(average_d_mu), 1);
}

// mean(mu) + mean(eta_1) exp(mean(log tau)) = 4.39682 + 0.31666 exp(0.80214), where theta_1 has a
// mean of 6.21. Over all schools the two are about 1.7 apart, most of the printed distance.
TEST(Authors, ThePlugInMeanIsNotThatOfThePosterior) {
  const Library library(RAVI_SOURCE, "");
  const Problem problem = library.load({.posterior = "authors-eight-schools-centered"});
  ASSERT_TRUE(problem.reference && problem.printed_reference);
  EXPECT_NEAR(problem.printed_reference->mean(2), 5.1030, 1e-3);
  EXPECT_NEAR(problem.reference->mean(2), 6.2119, 1e-3);
  const double apart = (problem.reference->mean - problem.printed_reference->mean).norm();
  EXPECT_NEAR(apart, 1.73, 0.005);
}

// The bar; the paper has 7900.
TEST(Authors, AdagradStopsOnConcreteNearThePrintedTime) {
  const auto [lab, group] =
      measured([](Lab& l) { return as_authors_ran("authors-concrete", "adagrad-windowed", 3, l); });
  const double t = group.median(iterations);
  std::printf("T %.0f, k-hat %.2f\n", t, group.median(average_khat));
  EXPECT_EQ(group.count([](const Result& r) { return r.termination == "converged"; }), 3u);
  EXPECT_GE(t, 7000);
  EXPECT_LE(t, 9000);
  EXPECT_LT(group.median(average_khat), 0.4);
}

// What is in the log density and in the entropy of q, and not in the density without constants.
double constants(const Problem& problem, const Vector& theta, double without) {
  const double p = static_cast<double>(theta.size());
  Vector log_p(1);
  problem.model->log_density(Matrix(theta), log_p);
  return log_p(0) - without + 0.5 * p * (1 + std::log(2 * std::numbers::pi));
}

TEST(Authors, TheElboOfTheirDeltaRuleHasNoConstants) {
  const Library library(RAVI_SOURCE, "");
  const auto exact = [](const Problem& problem, const Vector& theta, double without) {
    const double expected = constants(problem, theta, without);
    EXPECT_NEAR(problem.elbo_constants, expected, 1e-9 * std::abs(expected));
  };
  const Vector y{{28, 8, -3, 7, -1, 1, 18, 12}}, sd{{15, 10, 16, 11, 9, 11, 10, 18}};
  const Vector theta{{1.5, 0.4, 3, -1, 2, 0.5, -2, 1, 0, 4}};
  const double mu = theta(0), tau = std::exp(theta(1));
  // mu ~ N(0, 5), tau ~ Cauchy(0, 5) and the Jacobian of log tau.
  const double top = -mu * mu / 50 - std::log1p(tau * tau / 25) + theta(1);
  const Vector x = theta.tail(8);
  exact(library.load({.posterior = "authors-eight-schools-noncentered"}), theta,
        top - 0.5 * x.squaredNorm() -
            0.5 * ((y.array() - mu - tau * x.array()) / sd.array()).square().sum());
  exact(library.load({.posterior = "authors-eight-schools-centered"}), theta,
        top - 8 * theta(1) - 0.5 * ((x.array() - mu) / tau).square().sum() -
            0.5 * ((y - x).array() / sd.array()).square().sum());

  const Data boston = regression_of_authors(
      read_data(std::string(RAVI_SOURCE) + "/tests/data/models/linear_boston.stan.json"), false);
  const Index n = boston.integer("N", 1), p = boston.integer("P", 1);
  const Vector w = Vector::LinSpaced(p, -0.3, 0.4);
  exact(library.load({.posterior = "authors-boston"}), w,
        -0.5 * (boston.vector("y", n) - boston.matrix("X", n, p) * w).squaredNorm() / 0.04 -
            0.5 * w.squaredNorm());

  Data houses("houses", true);
  houses.add("county", Vector{{1, 1, 2, 2}}).add("floor", Vector{{0, 1, 0, 1}});
  houses.add("log_radon", Vector{{0.8, 0.1, 1.5, 1.1}});
  Problem radon{make_builtin("radon-unpooled", &houses)};
  radon.elbo_constants = radon_constants(houses, *radon.model);
  const Vector a{{1, 2, -0.5, -4}};  // two intercepts, beta, logit of sigma / 100
  const double share = 1 / (1 + std::exp(4)), sigma = 100 * share;
  const Vector left{{0.8 - 1, 0.1 - 0.5, 1.5 - 2, 1.1 - 1.5}};
  exact(radon, a,
        -4 * std::log(sigma) - 0.5 * left.squaredNorm() / (sigma * sigma) +
            std::log(100 * share * (1 - share)));
}

// Without constants the ELBO is near -6, with them near -31: the same noise of an estimate is five
// times as large a part of it, and the median of the last changes below 0.005 by rare chance only.
TEST(Authors, DeltaElboOfTheEightSchoolsStopsLateWithoutConstants) {
  const auto& settings = authors_settings();
  const auto ncp =
      std::ranges::find(settings, "authors-eight-schools-noncentered", &AuthorsSetting::posterior);
  ASSERT_NE(ncp, settings.end());
  paper::Run run = authors_run(*ncp, "rmsprop", small_effort());
  run.options.stop = "delta-elbo";
  run.options.elbo_threshold = 0.005;
  const auto [lab, without] = measured([&](Lab& l) { return l.ask(run, 3); });
  paper::Run scored = run;
  scored.khat_draws = 0;  // by fit(), which leaves nothing out
  scored.options.psis_draws = 100;
  const auto [other, with] = measured([&](Lab& l) { return l.ask(scored, 3); });
  std::printf("T %.0f and %.0f\n", without.median(iterations), with.median(iterations));
  EXPECT_GT(without.median(iterations), 3 * with.median(iterations));
  EXPECT_EQ(with.count([](const Result& r) { return r.termination == "elbo-settled"; }), 3u);
}

// The printed numbers that come out within a factor of 1.5, in the rows whose data are part of
// ravi, with one seed.
TEST(Authors, MoreComesOutThanAsTheTextHasIt) {
  const Printed printed = read_printed(std::string(RAVI_SOURCE) + "/paper/printed.json");
  const auto with_data = [](const std::vector<PrintedRow>& table) {
    std::vector<PrintedRow> rows;
    for (const PrintedRow& row : table) {
      if (is_small(row.model) && row.model != "Wine") rows.push_back(row);
    }
    return rows;
  };
  Effort effort = small_effort();
  effort.authors_seeds = 1;
  const auto [lab, runs] = measured([&](Lab& l) {
    return std::pair(table_runs(with_data(printed.table1), kTable1Optimizers, l, effort),
                     table_runs(with_data(printed.table2), kTable2Optimizers, l, effort));
  });
  const std::vector<Nearness> counts = nearness(runs.first, runs.second, true);
  for (const Nearness& n : counts) {
    std::printf("%s: T %zu of %zu, k-hat of the average %zu of %zu\n", n.which.c_str(), n.t,
                n.t_all, n.khat_average, n.khat_average_all);
  }
  const Nearness &linear = counts[0], &logistic = counts[1], &authors = counts[2];
  EXPECT_GT(authors.t, 2 * linear.t);
  EXPECT_GT(authors.t, 2 * logistic.t);
  EXPECT_GE(2 * authors.t, authors.t_all);
}

// Against a dense regression with sigma on a grid: three counties, eight houses.
TEST(Authors, UnpooledRadonHasTheMomentsOfItsPosterior) {
  Data table("houses", true);
  table.add("county", Vector{{1, 1, 2, 3, 3, 3, 1, 2, 2, 1, 3, 2}});
  table.add("floor", Vector{{0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 1, 0}});
  table.add("log_radon", Vector{{0.8, 0.1, 1.5, 1.1, 0.6, 2.0, 1.2, 0.9, 1.4, 0.3, 0.7, 1.9}});
  const auto model = make_builtin("radon-unpooled", &table);
  const Reference truth = radon_truth(table, *model);
  // The posterior is known up to a factor: weights of draws of a wider normal distribution give
  // its moments, to the error that the same weights tell.
  constexpr Index kDraws = 200000;
  const Index p = model->dimension();
  Matrix l = 1.5 * truth.cov.llt().matrixL().toDenseMatrix();
  Matrix z(p, kDraws);
  RandomStream(1, Purpose::test, 0, 0).fill_normal(z);
  const Matrix theta = (l * z).colwise() + truth.mean;
  Vector log_p(kDraws);
  model->log_density(theta, log_p);
  Vector w = log_p + 0.5 * z.colwise().squaredNorm().transpose();
  w = (w.array() - w.maxCoeff()).exp();
  w /= w.sum();
  for (Index k = 0; k < p; ++k) {
    const Vector x = theta.row(k).transpose().array() - truth.mean(k);
    const double off = w.dot(x), error = std::sqrt(w.cwiseAbs2().dot(x.cwiseAbs2()));
    EXPECT_LT(std::abs(off), 5 * error) << k;
    const Vector v = x.array().square() - truth.cov(k, k);
    EXPECT_LT(std::abs(w.dot(v)), 5 * std::sqrt(w.cwiseAbs2().dot(v.cwiseAbs2()))) << k;
  }
}

TEST(Figure2, TheAverageHasTheSmallerKhatInEveryDimension) {
  for (const double gamma : {kStrong, kMild}) {
    const auto [lab, evolution] =
        measured([&](Lab& l) { return evolution_runs(l, small_effort(), gamma); });
    for (const auto& [p, group] : evolution.runs) {
      const Result& r = group.first();
      std::printf("gamma %.1f, P = %d: k-hat %.2f, last %.2f\n", gamma, static_cast<int>(p),
                  r.average.khat, r.last.khat);
      EXPECT_LT(r.average.khat, r.last.khat) << "P = " << p << ", gamma = " << gamma;
    }
  }
}

// The bar is R-hat above 2. A single chain that is still moving has that as well
// (paper/RESULTS.md), so this is a sign of disagreement, not yet of several modes.
TEST(Network, FourChainsAreFoundToDisagree) {
  const auto [lab, group] = measured([](Lab& l) {
    paper::Run run{.posterior = "mnist100", .options = paper_options("mnist100", small_effort())};
    run.options.stop = "mcse";
    run.options.chains = 4;
    run.options.max_iterations = 400;
    run.options.psis_draws = 100;
    return l.ask(run, 1);
  });
  std::printf("R-hat %.2f\n", group.first().rhat);
  EXPECT_GT(group.first().rhat, 2);
}

}  // namespace
}  // namespace ravi::paper
