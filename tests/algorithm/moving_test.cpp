// Draws that Hamiltonian transitions move: what they leave as it is, and when they are believed.
#include "moving/moving.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numbers>

#include "core/registry.hpp"
#include "core/rng.hpp"
#include "family/approximation.hpp"
#include "moving/hamiltonian.hpp"
#include "scoring/score.hpp"
#include "statistics/hostile_targets.hpp"

namespace ravi {
namespace {

constexpr Index kCount = 2000;

Matrix normal_draws(Index p) {
  Matrix z(p, kCount);
  RandomStream(1, Purpose::test, 0, 0).fill_normal(z);
  return z;
}

// N(mean, sd^2) in every coordinate.
std::unique_ptr<Model> normal_model(Index p, double mean, double sd) {
  return hostile::independent(p, [=](double x) { return hostile::normal(x, mean, sd); });
}

std::unique_ptr<Approximation> standard_normal(Index p) {
  auto q = entry_of(family_registry(), "full-rank", "family").make(p);
  q->assign(q->isotropic(Vector::Zero(p), 1));
  return q;
}

// Every coordinate of independent draws of N(mean, sd^2): five standard errors.
void expect_moments(const Matrix& z, double mean, double sd) {
  const auto n = static_cast<double>(z.cols());
  for (Index i = 0; i < z.rows(); ++i) {
    const double average = z.row(i).mean();
    const double variance = (z.row(i).array() - average).square().sum() / (n - 1);
    EXPECT_NEAR(average, mean, 5 * sd / std::sqrt(n)) << "coordinate " << i;
    EXPECT_NEAR(variance / (sd * sd), 1, 5 * std::sqrt(2 / n)) << "coordinate " << i;
  }
}

TEST(HamiltonianDraws, LeaveTheirTargetAsItIs) {
  const auto model = normal_model(5, 0.5, 2);
  const auto q = standard_normal(5);
  HamiltonianDraws draws(*model, *q, Options{}, 0, (2 * normal_draws(5)).array() + 0.5);
  for (int i = 0; i < 10; ++i) draws.move(i < 5);
  expect_moments(draws.z(), 0.5, 2);
}

// With a quarter of a period each, 25 transitions of a Gaussian that q matches leave less of the
// start than rounding does of 3 sds in a mean that noise hides below 0.02.
TEST(HamiltonianDraws, ForgetWhereTheyBegan) {
  const auto model = normal_model(5, 0, 1);
  const auto q = standard_normal(5);
  HamiltonianDraws draws(*model, *q, Options{}, 0, Matrix::Constant(5, kCount, 3));
  for (int i = 0; i < 25; ++i) draws.move(i < 5);
  expect_moments(draws.z(), 0, 1);
}

// The halves of N(0, 1) below 0 and of N(0, 0.3^2) above: first steps, of about 1, are too long for
// the narrow half, which has 3 / 13 of the mass, so that second tries decide what goes in and out.
TEST(HamiltonianDraws, LeaveATargetOfTwoScalesAsItIs) {
  constexpr double kNarrow = 0.3, kShare = kNarrow / (1 + kNarrow);
  const auto model =
      hostile::independent(1, [](double x) { return hostile::normal(x, 0, x < 0 ? 1 : kNarrow); });
  const auto q = standard_normal(1);
  Matrix start = normal_draws(1).cwiseAbs();
  const Index narrow = static_cast<Index>(kShare * static_cast<double>(kCount));
  start.leftCols(narrow) *= kNarrow;
  start.rightCols(kCount - narrow) *= -1;
  HamiltonianDraws draws(*model, *q, Options{}, 0, start);
  for (int i = 0; i < 40; ++i) draws.move(false);
  const auto n = static_cast<double>(kCount);
  const double above = static_cast<double>((draws.z().array() > 0).count()) / n;
  EXPECT_NEAR(above, kShare, 5 * std::sqrt(kShare * (1 - kShare) / n));
  const double mean = (kNarrow * kNarrow - 1) / (kNarrow + 1) * std::sqrt(2 / std::numbers::pi);
  const double square = (std::pow(kNarrow, 3) + 1) / (kNarrow + 1);
  EXPECT_NEAR(draws.z().mean(), mean, 5 * std::sqrt((square - mean * mean) / n));
  // Without second tries 40 transitions would leave the narrow half alone.
  const Matrix gone = draws.z() - start;
  EXPECT_GT(gone.leftCols(narrow).cwiseAbs().minCoeff(), 0);
}

// |N(0, 1)|: mean sqrt(2 / pi), variance 1 - 2 / pi.
TEST(HamiltonianDraws, NeverGoWhereTheDensityCannotBeComputed) {
  const auto model = hostile::independent(1, [](double x) {
    return x < 0 ? hostile::Term{hostile::kNaN, hostile::kNaN} : hostile::normal(x, 0, 1);
  });
  const auto q = standard_normal(1);
  HamiltonianDraws draws(*model, *q, Options{}, 0, normal_draws(1).cwiseAbs());
  for (int i = 0; i < 20; ++i) draws.move(i < 5);
  EXPECT_GE(draws.z().minCoeff(), 0);
  const double variance = 1 - 2 / std::numbers::pi;
  EXPECT_NEAR(draws.z().mean(), std::sqrt(2 / std::numbers::pi),
              5 * std::sqrt(variance / static_cast<double>(kCount)));
}

TEST(HamiltonianDraws, AreTheSameForAnyNumberOfThreads) {
  const auto model = normal_model(3, 1, 2);
  const auto q = standard_normal(3);
  const auto moved = [&](int threads) {
    HamiltonianDraws draws(*model, *q, {.threads = threads}, 7, normal_draws(3));
    for (int i = 0; i < 6; ++i) draws.move(i < 3);
    return draws.z();
  };
  EXPECT_EQ(moved(1), moved(4));
}

bool has(const Fit& fit, FindingCode code) {
  return std::ranges::any_of(fit.findings, [&](const Finding& f) { return f.code == code; });
}

// Independent coordinates in place of correlations of 0.9: weights cannot make up for that.
class MovedFit : public testing::Test {
 protected:
  static Fit fit_with(const Options& options) {
    return ravi::fit(*hostile::builtin("gaussian", 10), options);
  }
  static const Fit& fit() {
    static const Fit result = fit_with({.family = "mean-field", .seed = 1});
    return result;
  }
  static const Answer& answer() { return *fit().average; }
};

TEST_F(MovedFit, IsUsableAndSaysSo) {
  EXPECT_EQ(fit().verdict, Verdict::usable);
  EXPECT_TRUE(has(fit(), FindingCode::draws_moved));
  EXPECT_TRUE(answer().moved());
  EXPECT_GT(fit().gradient_evaluations, answer().moves->gradient_evaluations);
}

// Means are 0 and sds 1, to 5 of their own errors; a nested R-hat of 1.01 is a correlation of 0.14
// over a round, which leaves 0.02 of what was lacking in variance, 0.01 of an sd at most. The
// errors are what a thousand draws that are kept four times can have: between 1 / sqrt(4000) and 1
// / sqrt(1000), themselves known to 5 %.
TEST_F(MovedFit, HasTheExactMomentsToWithinItsErrors) {
  for (const ParameterSummary& p : answer().parameters) {
    EXPECT_NEAR(p.mean, 0, 5 * p.mcse) << p.name;
    EXPECT_NEAR(p.sd, 1, 5 * p.mcse_sd + 0.01) << p.name;
    EXPECT_LT(p.mcse, 1.1 / std::sqrt(1000.0)) << p.name;
    EXPECT_GT(p.mcse, 0.9 / std::sqrt(4000.0)) << p.name;
  }
}

TEST(MoveDraws, IsNotTriedWhereItWouldTakeTooLong) {
  constexpr Index p = 2001, draws = 1000;
  const auto model = normal_model(p, 0, 1);
  auto q = entry_of(family_registry(), "mean-field", "family").make(p);
  q->assign(q->isotropic(Vector::Zero(p), 1));
  Answer answer;
  answer.draws.theta = Matrix::Zero(p, draws);
  answer.draws.log_weights = Vector::Zero(draws);
  move_draws(*model, *q, Options{}, 0, nullptr, answer);
  EXPECT_FALSE(answer.moves);
}

TEST_F(MovedFit, KeepsDrawsOfQWithoutWeightBeforeTheMovedOnes) {
  const WeightedDraws& draws = answer().draws;
  ASSERT_GT(draws.plain, 0);
  EXPECT_EQ(draws.from_q, draws.plain);
  EXPECT_EQ(draws.log_weights.head(draws.plain).maxCoeff(), -hostile::kInf);
  const Vector weights = draws.log_weights.tail(draws.theta.cols() - draws.plain).array().exp();
  EXPECT_NEAR(weights.sum(), 1, 1e-12);
  EXPECT_EQ(weights.minCoeff(), weights.maxCoeff());
  // Resampling equal weights takes every moved draw once.
  std::vector<Index> chosen = draws.resampled;
  std::ranges::sort(chosen);
  ASSERT_EQ(static_cast<Index>(chosen.size()), weights.size());
  for (Index i = 0; i < weights.size(); ++i) {
    EXPECT_EQ(chosen[static_cast<std::size_t>(i)], draws.plain + i);
  }
}

TEST_F(MovedFit, IsTheSameOnOneThread) {
  const Fit again = fit_with({.family = "mean-field", .seed = 1, .threads = 1});
  EXPECT_EQ(again.average->draws.theta, answer().draws.theta);
}

TEST_F(MovedFit, IsNotWhatTheMethodOfThePaperDoes) {
  const Fit paper = fit_with({.family = "mean-field",
                              .method = "paper",
                              .stop = "fixed",
                              .max_iterations = 2000,
                              .seed = 1});
  ASSERT_TRUE(paper.average);
  EXPECT_FALSE(paper.average->moves);
}

// An answer that is scored and then moved, whatever its weights say.
Answer moved_answer(const Model& model, const std::atomic<bool>* stop = nullptr) {
  const auto q = standard_normal(model.dimension());
  Answer answer = score(model, *q, Options{}, 0, Detail::summaries);
  move_draws(model, *q, Options{}, 0, stop, answer);
  return answer;
}

// x | v ~ N(0, exp(v)), v ~ N(0, 3^2): steps that suit v = 0 find the neck below v = -4 too narrow,
// and draws stay in it.
TEST(MoveDraws, TellsThatTheNeckOfAFunnelIsTooNarrow) {
  const auto model = hostile::builtin("funnel", 10);
  const Answer answer = moved_answer(*model);
  ASSERT_TRUE(answer.moves);
  EXPECT_FALSE(answer.moved());
  EXPECT_GT(answer.moves->rhat, answer.moves->rhat_limit);
  const std::vector<Finding> findings = judge_moves(*answer.moves);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].code, FindingCode::moves_unsettled);
}

// N(0, 1000^2), begun within N(0, 1): with the scales of q they would need thousands of
// transitions.
TEST(MoveDraws, LearnTheScalesOfTheirTarget) {
  const Answer answer = moved_answer(*normal_model(2, 0, 1000));
  ASSERT_TRUE(answer.moved());
  for (const ParameterSummary& p : answer.parameters) {
    EXPECT_NEAR(p.mean, 0, 5 * p.mcse) << p.name;
    EXPECT_NEAR(p.sd, 1000, 5 * p.mcse_sd) << p.name;
  }
}

// Nothing holds the draws of a constant density.
TEST(MoveDraws, TellsThatDrawsHaveNotSettled) {
  const auto model = hostile::independent(2, [](double) { return hostile::Term{0, 0}; });
  const Answer answer = moved_answer(*model);
  ASSERT_TRUE(answer.moves);
  EXPECT_FALSE(answer.moved());
  EXPECT_EQ(judge_moves(*answer.moves).at(0).code, FindingCode::moves_unsettled);
}

// Weights that miss half of an sd, said to be right: the moved draws win.
TEST(MoveDraws, ReplaceWeightedDrawsThatSayOtherwise) {
  const auto model = normal_model(2, 0.5, 1);
  const auto q = standard_normal(2);
  Answer answer = score(*model, *q, Options{}, 0, Detail::summaries);
  for (ParameterSummary& p : answer.parameters) p.mean -= 0.5;
  move_draws(*model, *q, Options{}, 0, nullptr, answer);
  EXPECT_TRUE(answer.moved());
  EXPECT_NEAR(answer.parameters[0].mean, 0.5, 5 * answer.parameters[0].mcse);
}

TEST(MoveDraws, LeavesTheAnswerWhenAskedToStop) {
  const auto model = normal_model(2, 0.5, 1);
  const std::atomic<bool> stop = true;
  const Answer answer = moved_answer(*model, &stop);
  EXPECT_FALSE(answer.moves);
  EXPECT_NEAR(answer.parameters[0].mean, 0.5, 5 * answer.parameters[0].mcse);
}

}  // namespace
}  // namespace ravi
