// Importance draws: what they are drawn from, and what their weights say of a posterior that is
// known.
#include "scoring/proposal.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/numeric.hpp"
#include "core/registry.hpp"
#include "family/approximation.hpp"

namespace ravi {
namespace {

constexpr Index kP = 2, kPerBlock = 1000;
const Options kOptions;  // which draws refer to

std::unique_ptr<Approximation> gaussian(const Vector& mean, const Matrix& l) {
  const auto q = entry_of(family_registry(), "full-rank", "family").make(mean.size());
  return q->member(q->lambda_of(mean, l));
}

std::unique_ptr<Approximation> unit_gaussian(double mean) {
  return gaussian(Vector::Constant(kP, mean), Matrix::Identity(kP, kP));
}

struct Part {
  double share, mean, sd;
};

// log sum_i share_i N(mean_i, sd_i^2 I), which integrates to the sum of the shares.
std::unique_ptr<Model> mixture(std::vector<Part> parts) {
  return make_model(kP, [parts](const Vector& theta, Vector& gradient) {
    Vector terms(std::ssize(parts));
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto& [share, mean, sd] = parts[i];
      terms(static_cast<Index>(i)) = std::log(share) -
                                     0.5 * (theta.array() - mean).square().sum() / (sd * sd) -
                                     kP * (0.5 * kLog2Pi + std::log(sd));
    }
    gradient.setZero();  // nothing here asks for it
    return log_sum_exp(terms);
  });
}

// With k of S draws as many standard errors as a comparison may be off: 6e-7 under the claim.
constexpr double kSigmas = 5;

void expect_total(const ImportanceDraws& draws, double total) {
  const Vector weights = (draws.log_density() - draws.log_proposal()).array().exp();
  const double error = std::sqrt(variance(weights) / static_cast<double>(weights.size()));
  EXPECT_NEAR(mean(weights), total, kSigmas * error + 1e-12);
}

TEST(ImportanceDraws, OfQHaveItsMomentsExactlyInEveryBlock) {
  const auto model = mixture({{1, 0, 1}});
  const Matrix l{{2, 0}, {-1, 0.5}};
  const Vector center{{3, -4}};
  const auto q = gaussian(center, l);
  ImportanceDraws draws(*model, {q.get()}, kOptions, 0, kPerBlock, true);
  draws.draw_from_q(3);
  ASSERT_EQ(std::ssize(draws.draws_of_q()), 3 * kPerBlock);
  const Matrix theta = draws.take_theta();
  for (Index block = 0; block < 3; ++block) {
    const Matrix of = theta.middleCols(block * kPerBlock, kPerBlock).colwise() - center;
    EXPECT_LT(of.rowwise().mean().norm(), 1e-12);
    EXPECT_LT((of * of.transpose() / kPerBlock - l * l.transpose()).norm(), 1e-10);
  }
  EXPECT_NE(theta(0, 0), theta(0, kPerBlock)) << "blocks have numbers of their own";
}

// Where q is the posterior all weights are one; where p is twice as wide, draws of q alone have
// weights without a variance, and those of wider distributions beside them do not.
TEST(ImportanceDraws, WeighByTheMixtureTheyComeFrom) {
  const auto q = unit_gaussian(0);
  for (const bool keep : {true, false}) {
    const auto same = mixture({{1, 0, 1}});
    ImportanceDraws alone(*same, {q.get()}, kOptions, 0, kPerBlock, keep);
    alone.draw_from_q(2);
    EXPECT_LT((alone.log_density() - alone.log_proposal()).cwiseAbs().maxCoeff(), 1e-12);
    const auto wide = mixture({{1, 0, 2}});
    ImportanceDraws draws(*wide, {q.get()}, kOptions, 0, kPerBlock, keep);
    draws.draw_from_q(8);
    draws.draw_wide(4);
    draws.draw_wide(4);
    EXPECT_EQ(draws.wide_blocks(), 8);
    EXPECT_EQ(draws.size(), 16 * kPerBlock);
    expect_total(draws, 1);
    EXPECT_EQ(draws.log_ratio().size(), 8 * kPerBlock);
  }
}

// The mean of p is 3 of q's sds away: the second wide distribution has learned of it from the
// first.
TEST(ImportanceDraws, WideOnesLearnWhereThePosteriorIs) {
  const auto q = unit_gaussian(0);
  const auto model = mixture({{1, 3, 1}});
  ImportanceDraws draws(*model, {q.get()}, kOptions, 0, kPerBlock, true);
  draws.draw_from_q(4);
  draws.draw_wide(4);
  draws.draw_wide(4);
  const Matrix theta = draws.take_theta();
  const double first = theta.middleCols(4 * kPerBlock, 4 * kPerBlock).mean();
  const double second = theta.rightCols(4 * kPerBlock).mean();
  EXPECT_GT(second, first + 1);
  EXPECT_NEAR(second, 3, 0.5);
  expect_total(draws, 1);
}

// Seven tenths of the mass are around another optimum, twelve sds away: draws of q see the rest.
TEST(ImportanceDraws, OfOtherOptimaSeeTheirMass) {
  const auto q = unit_gaussian(-6), other = unit_gaussian(6);
  const auto model = mixture({{0.3, -6, 1}, {0.7, 6, 1}});
  ImportanceDraws blind(*model, {q.get()}, kOptions, 0, kPerBlock, true);
  blind.draw_from_q(4);
  expect_total(blind, 0.3);
  const Transport* others[] = {other.get()};
  ImportanceDraws draws(*model, {q.get()}, kOptions, 0, kPerBlock, true, others);
  draws.draw_from_q(4);
  draws.draw_from_others(4);
  expect_total(draws, 1);
  const auto of_other = draws.others();
  ASSERT_EQ(of_other.size(), 1u);
  EXPECT_NEAR(of_other[0].elbo, std::log(0.7), 1e-6);
  EXPECT_NEAR(of_other[0].share.sum(), 4 * kPerBlock, 1e-6);
}

TEST(ImportanceDraws, OfWhichTheFirstAreKeptComeFromTheSameMixture) {
  const auto q = unit_gaussian(0);
  const auto model = mixture({{1, 0, 1.5}});
  ImportanceDraws draws(*model, {q.get()}, kOptions, 0, kPerBlock, true);
  draws.draw_from_q(8);
  draws.draw_wide(4);
  const Vector before = draws.log_density();
  Vector numbers = Vector::LinSpaced(draws.size(), 0, static_cast<double>(draws.size() - 1));
  draws.keep_first(100, numbers);
  ASSERT_EQ(draws.size(), 1200);
  for (Index i = 0; i < numbers.size(); ++i) {
    EXPECT_EQ(draws.log_density()(i), before(static_cast<Index>(numbers(i))));
  }
  expect_total(draws, 1);
}

TEST(ImportanceDraws, WhoseDensityCannotBeComputedCountForNothing) {
  const auto model = make_model(kP, [](const Vector& theta, Vector& gradient) {
    gradient.setZero();
    return theta(0) > 0 ? -0.5 * theta.squaredNorm() - kP * 0.5 * kLog2Pi : kNan;
  });
  const auto q = unit_gaussian(0);
  ImportanceDraws draws(*model, {q.get()}, kOptions, 0, kPerBlock, true);
  draws.draw_from_q(4);
  EXPECT_EQ((draws.log_density().array() == -kInf).count(), 2 * kPerBlock) << "one of every pair";
  expect_total(draws, 0.5);
}

TEST(ImportanceDraws, AreTheSameWhateverTheThreads) {
  const auto q = unit_gaussian(0);
  const auto model = mixture({{1, 1, 2}});
  const auto drawn = [&](int threads) {
    Options options;
    options.threads = threads;
    ImportanceDraws draws(*model, {q.get()}, options, 0, kPerBlock, true);
    draws.draw_from_q(4);
    draws.draw_wide(4);
    return draws.log_proposal();
  };
  EXPECT_EQ(drawn(1), drawn(3));
}

}  // namespace
}  // namespace ravi
