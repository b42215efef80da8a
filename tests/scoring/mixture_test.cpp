// A q of several components: how much each counts, which of its draws are q's, and what is one
// mode.
#include <gtest/gtest.h>

#include <cmath>

#include "core/registry.hpp"
#include "family/approximation.hpp"
#include "ravi/ravi.hpp"
#include "scoring/proposal.hpp"
#include "scoring/score.hpp"

namespace ravi {
namespace {

std::unique_ptr<Approximation> normal_at(double x, double sd = 1) {
  const auto q = entry_of(family_registry(), "full-rank", "family").make(2);
  return q->member(q->isotropic(Vector{{x, 0}}, sd));
}

// w N((-a, 0), I) + (1 - w) N((b, 0), s^2 I), normalized.
std::unique_ptr<Model> pair_of_normals(double w, double a, double b, double s = 1) {
  return make_model(2, [=](const Vector& theta, Vector& gradient) {
    const Vector left = theta + Vector{{a, 0}}, right = (theta - Vector{{b, 0}}) / s;
    const double of_left = std::log(w) - 0.5 * left.squaredNorm();
    const double of_right = std::log(1 - w) - 2 * std::log(s) - 0.5 * right.squaredNorm();
    const double top = std::max(of_left, of_right), share = 1 / (1 + std::exp(of_right - of_left));
    gradient = -share * left - (1 - share) / s * right;
    return top + std::log1p(std::exp(std::min(of_left, of_right) - top)) - std::log(2 * M_PI);
  });
}

constexpr Index kDrawsOfEach = 1000;
const Options kSomeOptions{.seed = 3};

// The components are those of p, so that every draw of q has the weight 1, whatever the weights of
// components were while it was drawn.
TEST(MixtureDraws, FindTheWeightsOfComponents) {
  for (const double w : {0.02, 0.3, 0.5}) {
    const auto model = pair_of_normals(w, 5, 5);
    const auto left = normal_at(-5), right = normal_at(5);
    ImportanceDraws draws(*model, {left.get(), right.get()}, kSomeOptions, 0, kDrawsOfEach, true);
    draws.draw_from_q(2);
    draws.reweigh();
    EXPECT_NEAR(draws.weight_of_component()(0), w, 1e-4);
    EXPECT_LT(draws.log_ratio().cwiseAbs().maxCoeff(), 0.01);
    // All of the heavier one, and as many of the other as it counts.
    const double expected = 2 * kDrawsOfEach * (1 + w / (1 - w));
    EXPECT_NEAR(static_cast<double>(draws.draws_of_q().size()), expected, 4);
    EXPECT_LT((draws.share_of_component().rowwise().sum().array() - 1).abs().maxCoeff(), 1e-9);
  }
}

// One inside the other: their evidence one by one would count what is in both twice.
TEST(MixtureDraws, FindTheWeightsOfNestedComponents) {
  const auto model = pair_of_normals(0.7, 0, 0, 0.3);
  const auto wide = normal_at(0), core = normal_at(0, 0.3);
  ImportanceDraws draws(*model, {wide.get(), core.get()}, kSomeOptions, 0, kDrawsOfEach, true);
  draws.draw_from_q(4);
  draws.reweigh();
  // 8000 draws, each with a share between 0 and 1: an error of 0.006 at the most.
  EXPECT_NEAR(draws.weight_of_component()(0), 0.7, 0.02);
}

TEST(MixtureDraws, OfQAreWellMixed) {
  const auto model = pair_of_normals(0.25, 5, 5);
  const auto left = normal_at(-5), right = normal_at(5);
  ImportanceDraws draws(*model, {left.get(), right.get()}, kSomeOptions, 0, kDrawsOfEach, true);
  draws.draw_from_q(2);
  draws.reweigh();
  const std::vector<Index> of_q = draws.draws_of_q();
  const Matrix theta = draws.take_theta();
  // In any hundred consecutive ones a quarter is on the left, but for rounding to pairs.
  for (std::size_t first = 0; first + 100 <= of_q.size(); first += 100) {
    int on_left = 0;
    for (std::size_t i = first; i < first + 100; ++i) on_left += theta(0, of_q[i]) < 0 ? 1 : 0;
    EXPECT_NEAR(on_left, 25, 4) << first;
  }
}

TEST(MixtureScore, IsThatOfOneQ) {
  const auto model = pair_of_normals(0.3, 5, 5);
  const auto left = normal_at(-5), right = normal_at(5);
  const Answer answer =
      score(*model, Components{left.get(), right.get()}, kSomeOptions, 0, Detail::summaries);
  EXPECT_GT(answer.perplexity, 0.99);
  EXPECT_NEAR(answer.log_evidence, 0, 0.01);
  EXPECT_NEAR(answer.q.mean(0), 2, 0.01);
  EXPECT_NEAR(answer.q.cov(0, 0), 1 + 0.3 * 0.7 * 100, 0.1);
  ASSERT_EQ(answer.modes.size(), 2u);
  EXPECT_NEAR(answer.modes[0].mass, 0.3, 5 * answer.modes[0].mass_error);
  EXPECT_NEAR(answer.modes[0].parameters[0].mean, -5, 0.1);
  EXPECT_NEAR(answer.parameters[0].mean, 2, 5 * answer.parameters[0].mcse);
}

// The other's share at the draws of one of two unit normals is 0.32 at distance 1, and 0.003 at 6.
TEST(MixtureScore, ComponentsThatOverlapAreOneMode) {
  for (const double distance : {1.0, 6.0}) {
    const auto model = pair_of_normals(0.5, distance / 2, distance / 2);
    const auto left = normal_at(-distance / 2), right = normal_at(distance / 2);
    const Answer answer =
        score(*model, Components{left.get(), right.get()}, kSomeOptions, 0, Detail::summaries);
    ASSERT_EQ(answer.modes.size(), distance < 3 ? 1u : 2u);
    if (distance < 3) {
      EXPECT_EQ(answer.modes[0].components, (std::vector<int>{1, 2}));
    }
  }
}

// The largest weights are all alike: they are bounded, and have no tail.
TEST(MixtureScore, OfAnExactComponentHasNoTail) {
  const auto model = pair_of_normals(0.2, 0, 0, 0.05);
  const auto wide = normal_at(0), core = normal_at(0, 0.05);
  const Answer answer =
      score(*model, Components{wide.get(), core.get()}, kSomeOptions, 0, Detail::summaries);
  EXPECT_LT(answer.khat, 0.7);
  EXPECT_LT(answer.unseen_mass, 0.01);
}

}  // namespace
}  // namespace ravi
