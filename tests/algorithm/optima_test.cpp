// Searches from several starts, and what is looked at after them.
#include "algorithm/robust/optima.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/registry.hpp"
#include "ravi/options.hpp"

namespace ravi {
namespace {

constexpr Index kP = 10;

// share N(0, I) + (1 - share) N(4.5 e_1, I / 4): the second is narrower and higher.
std::unique_ptr<Model> two_modes(double share) {
  return make_model(kP, [=](const Vector& theta, Vector& gradient) {
    const Vector away = theta - 4.5 * Vector::Unit(kP, 0);
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
