// Searches from several starts, and what is looked at after them.
#include "algorithm/robust/optima.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/numeric.hpp"
#include "core/registry.hpp"
#include "core/starts.hpp"
#include "ravi/options.hpp"

namespace ravi {
namespace {

constexpr Index kP = 10;

// share N(0, I) + (1 - share) N(distance e_1, I / 4): the second is narrower and higher. Neither
// feels the other where they are far apart.
constexpr double kNear = 4.5, kFar = 9;
std::unique_ptr<Model> two_modes(double share, double distance = kNear) {
  return make_model(kP, [=](const Vector& theta, Vector& gradient) {
    const Vector away = theta - distance * Vector::Unit(kP, 0);
    const double wide = std::log(share) - 0.5 * theta.squaredNorm();
    const double narrow =
        std::log(1 - share) - 2 * away.squaredNorm() + static_cast<double>(kP) * std::log(2.0);
    const double top = std::max(wide, narrow);
    const double sum = top + std::log(std::exp(wide - top) + std::exp(narrow - top));
    gradient = -std::exp(wide - sum) * theta - 4 * std::exp(narrow - sum) * away;
    return sum;
  });
}

struct Found {
  Options options;
  std::unique_ptr<Approximation> prototype =
      entry_of(family_registry(), "full-rank", "family").make(kP)->averageable();
  SearchResults searches;

  // Searches that have seen the wide mode alone.
  Found() {
    options.draws = 14;
    options.chains = 4;
    options.seed = 1;
    options.family = "full-rank";
    searches = search_all(*two_modes(1), *prototype, options, nullptr);
  }
  Further search(const Model& model, const Vector& start) {
    return search_further(start, model, searches, options, nullptr);
  }
};

TEST(FurtherSearch, FromTheFlankOfAnotherModeFindsIt) {
  Found found;
  const Further further = found.search(*two_modes(0.7), 3.5 * Vector::Unit(kP, 0));
  ASSERT_TRUE(further.q);
  // Gaussian but for the flank of the wide one.
  EXPECT_NEAR(further.q->mean()(0), 4.5, 0.05);
  EXPECT_NEAR(further.q->sd()(0), 0.5, 0.05);
  EXPECT_GT(further.evaluations, 0);
}

TEST(FurtherSearch, ThatComesToAKnownModeEndsThere) {
  Found found;
  const std::size_t known = found.searches.found.size();
  const Further further = found.search(*two_modes(0.7), Vector::Unit(kP, 1));
  EXPECT_FALSE(further.q);
  EXPECT_EQ(found.searches.found.size(), known);
  EXPECT_LT(further.evaluations, 50);  // of a climb; a search takes 14 for a step
}

TEST(FurtherSearch, LeavesWhatHoldsNoMass) {
  Found found;
  const Further further = found.search(*two_modes(1 - 1e-5), 4.4 * Vector::Unit(kP, 0));
  EXPECT_FALSE(further.q);
}

// Both modes of two: the searches of one, and one more from the flank of the other.
struct FoundBoth : Found {
  FoundBoth() { search(*two_modes(0.7, kFar), (kFar - 1) * Vector::Unit(kP, 0)); }
};

// log p lacks the constants of the normal densities, -P/2 log(2 pi). Each evidence is within five
// of its own standard errors, or rounding.
TEST(DropMinorModes, WeighsThemByTheirEvidence) {
  FoundBoth found;
  std::vector<Mode> modes = find_modes(found.searches);
  ASSERT_EQ(modes.size(), 2U);
  EXPECT_EQ(drop_minor_modes(*two_modes(0.7, kFar), found.options, modes), 0);
  ASSERT_EQ(modes.size(), 2U);
  const double constant = 0.5 * static_cast<double>(kP) * kLog2Pi;
  for (const Mode& mode : modes) {
    const double share = mode.q->mean()(0) < 2 ? 0.7 : 0.3;
    EXPECT_NEAR(mode.evidence.log_value - constant, std::log(share),
                5 * mode.evidence.standard_error + 1e-9)
        << share;
  }
}

// A mode with a ten-thousandth of the mass is left; its share is told within a factor of 2, which
// is far more than the errors of both evidences, as the test before shows.
TEST(DropMinorModes, LeavesWhatHoldsNoMassAndTellsItsShare) {
  FoundBoth found;
  std::vector<Mode> modes = find_modes(found.searches);
  const double dropped = drop_minor_modes(*two_modes(1 - 1e-4, kFar), found.options, modes);
  ASSERT_EQ(modes.size(), 1U);
  EXPECT_NEAR(modes[0].q->mean()(0), 0, 0.1);
  EXPECT_GT(dropped, 0.5e-4);
  EXPECT_LT(dropped, 2e-4);
}

TEST(SearchAll, NumbersItsSearchesAndKeepsWhereTheyBegan) {
  const Found found;
  const SearchResults& searches = found.searches;
  EXPECT_GE(searches.begun, static_cast<std::uint32_t>(starts_of(found.options)));
  EXPECT_EQ(searches.elbo.size(), searches.begun);
  // Those of climbs come first, in mirrored pairs, with log p there: a standard normal's.
  for (Index i = 0; i < starts_of(found.options); ++i) {
    const auto& [theta, log_density] = searches.starts.at(static_cast<std::size_t>(i));
    EXPECT_EQ(theta, mirrored_start(kP, found.options.seed, i));
    EXPECT_DOUBLE_EQ(log_density, -0.5 * theta.squaredNorm());
  }
}

// By a q with the scales of the wide mode, whose weights in the narrow one have a standard error of
// (1.512^10 - 1)^(1/2) / 2000^(1/2) = 0.17 of their mean: 0.3 of the mass cannot be taken for less
// than a thousandth.
TEST(LeftBehind, AreSummitsThatNoOptimumExplainsIfTheyHoldMass) {
  Found found;
  const Vector summit = kFar * Vector::Unit(kP, 0);
  found.searches.summits = {Vector::Zero(kP), summit, summit + 0.1 * Vector::Unit(kP, 1)};
  const auto left = left_behind(*two_modes(0.7, kFar), found.searches, found.options);
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0]->center(), summit);
  EXPECT_TRUE(left_behind(*two_modes(1 - 1e-4, kFar), found.searches, found.options).empty());
}

TEST(StartsOfChains, AreTheBestOfEachModeFirst) {
  const Found found;
  const auto model = two_modes(1);
  std::vector<Search> s;
  for (std::uint32_t i = 0; i < 4; ++i) s.emplace_back(*model, *found.prototype, 14, 1, i);
  std::vector<Mode> modes(2);
  modes[0].searches = {&s[0], &s[1], &s[2]};
  modes[1].searches = {&s[3]};
  using Searches = std::vector<const Search*>;
  EXPECT_EQ(starts_of_chains(modes, 3), (Searches{&s[0], &s[3], &s[1]}));
  EXPECT_EQ(starts_of_chains(modes, 6), (Searches{&s[0], &s[3], &s[1], &s[2], &s[0], &s[3]}));
}

// Modes hold pointers to the searches, of which there may be more later.
TEST(FurtherSearch, LeavesModesAsTheyAre) {
  Found found;
  const std::vector<Mode> modes = find_modes(found.searches);
  ASSERT_EQ(modes.size(), 1U);
  const Vector before = modes[0].searches[0]->best().center();
  for (int i = 0; i < 8; ++i) found.search(*two_modes(0.7), 3.5 * Vector::Unit(kP, 0));
  EXPECT_EQ(modes[0].searches[0]->best().center(), before);
}

}  // namespace
}  // namespace ravi
