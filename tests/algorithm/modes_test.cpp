// Modes of a mixture: regions, names that are exchanged, and what is said of modes seldom seen.
#include "algorithm/judge/modes.hpp"

#include <gtest/gtest.h>

#include "model/registry.hpp"
#include "ravi/ravi.hpp"

namespace ravi {
namespace {

TEST(Regions, EndWhereTheDensityFalls) {
  const auto bimodal = make_builtin("bimodal", nullptr);  // modes at (5, 0) and (-5, 0)
  const std::vector<std::size_t> region = regions_of(
      *bimodal, {Vector{{5, 0}}, Vector{{-5, 0}}, Vector{{4.5, 0.5}}, Vector{{-5.5, 0}}});
  EXPECT_EQ(region[0], region[2]);
  EXPECT_EQ(region[1], region[3]);
  EXPECT_NE(region[0], region[1]);
}

ModeSummary mode_with(double mass, const std::vector<double>& means) {
  static const std::vector<std::string> names = {"mu[1]",    "mu[2]",    "mu[3]", "sigma[1]",
                                                 "sigma[2]", "sigma[3]", "beta"};
  ModeSummary mode{.q = {}, .components = {}, .mass = mass, .mass_error = 0.01};
  for (std::size_t i = 0; i < names.size(); ++i) {
    mode.parameters.push_back({.name = names[i], .mean = means[i], .sd = 0.1});
  }
  return mode;
}

// What describe_modes says of two modes, each with a component that was seen so often.
std::vector<ModeSummary> described(std::vector<ModeSummary> modes) {
  Answer answer;
  answer.draws.share_of_mode = Matrix::Zero(1, std::ssize(modes));
  std::vector<ModeSummary> known(modes.size());
  for (std::size_t m = 0; m < modes.size(); ++m) {
    modes[m].components = {static_cast<int>(m) + 1};
    known[m].seen = 3 + static_cast<int>(m);
  }
  answer.modes = std::move(modes);
  describe_modes(known, answer);
  return answer.modes;
}

TEST(Modes, ComeHeaviestFirstWithThoseWhoCameThere) {
  const auto modes =
      described({mode_with(0.3, {1, 2, 3, 1, 1, 1, 0}), mode_with(0.7, {7, 8, 9, 1, 1, 1, 0})});
  EXPECT_EQ(modes[0].mass, 0.7);
  EXPECT_EQ(modes[0].seen, 4);
  EXPECT_EQ(modes[1].exchanged, 0);
}

TEST(Modes, WithTheirIndicesExchangedAreNamed) {
  const auto modes =
      described({mode_with(0.5, {1, 2, 3, 4, 5, 6, 7}), mode_with(0.5, {2, 3, 1, 5, 6, 4, 7})});
  EXPECT_EQ(modes[1].exchanged, 1);
  EXPECT_EQ(modes[1].permutation, (std::vector<int>{2, 3, 1}));
}

// Of two components a share becomes one minus itself, and so does what is a probability of each
// row.
TEST(Modes, OfTwoComponentsHaveComplements) {
  const auto mode = [](double mu1, double mu2, double share) {
    ModeSummary result{.q = {}, .components = {}, .mass = 0.5, .mass_error = 0.01};
    result.parameters = {{.name = "mu[1]", .mean = mu1, .sd = 0.1},
                         {.name = "mu[2]", .mean = mu2, .sd = 0.1},
                         {.name = "share", .mean = share, .sd = 0.05, .q5 = 0.1, .q95 = 0.9}};
    for (int i = 1; i <= 4; ++i) {
      result.parameters.push_back({.name = "first[" + std::to_string(i) + "]",
                                   .mean = share,
                                   .sd = 0.05,
                                   .q5 = 0.1,
                                   .q95 = 0.9});
    }
    return result;
  };
  EXPECT_EQ(described({mode(1, 2, 0.3), mode(2, 1, 0.7)})[1].exchanged, 1);
  EXPECT_EQ(described({mode(1, 2, 0.3), mode(2, 1, 0.5)})[1].exchanged, 0);
}

TEST(Modes, ThatDifferInAnythingElseAreTheirOwn) {
  const ModeSummary first = mode_with(0.5, {1, 2, 3, 4, 5, 6, 7});
  // Another order for each variable; another scalar; another mass.
  EXPECT_EQ(described({first, mode_with(0.5, {2, 3, 1, 4, 5, 6, 7})})[1].exchanged, 0);
  EXPECT_EQ(described({first, mode_with(0.5, {2, 3, 1, 5, 6, 4, 8})})[1].exchanged, 0);
  EXPECT_EQ(described({first, mode_with(0.2, {2, 3, 1, 5, 6, 4, 7})})[1].exchanged, 0);
  EXPECT_EQ(described({first, mode_with(0.5, {1, 2, 3, 4, 5, 6, 7})})[1].exchanged, 0);
}

TEST(Modes, FoundOnceOrOfUnknownMassAreNotOneAnswer) {
  const auto model = make_builtin("bimodal", nullptr);
  Answer answer;
  for (const double x : {5.0, -5.0}) {
    ModeSummary& mode = answer.modes.emplace_back();
    mode.q.mean = Vector{{x, 0}};
    mode.mass = 0.5;
    mode.mass_error = 0.01;
    mode.seen = 2;
  }
  EXPECT_TRUE(trustworthy(judge(judge_modes(*model, answer))));
  answer.modes[1].seen = 1;
  EXPECT_FALSE(trustworthy(judge(judge_modes(*model, answer))));
  // Another one in the same region was found as well.
  answer.modes.push_back(answer.modes[1]);
  EXPECT_TRUE(trustworthy(judge(judge_modes(*model, answer))));
  answer.modes[0].mass_error = 0.2;
  EXPECT_FALSE(trustworthy(judge(judge_modes(*model, answer))));
}

}  // namespace
}  // namespace ravi
