// What drives what, in words.
#include "output/driver_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "output/numbers.hpp"
#include "output/terminal.hpp"
#include "tiny_fits.hpp"

namespace ravi {
namespace {

TEST(DriverWords, HaveConsecutiveNumbersTogether) {
  EXPECT_EQ(names_in_short({"theta[1]", "theta[2]", "theta[3]"}), "theta[1..3]");
  EXPECT_EQ(names_in_short({"a", "b[2]", "b[4]", "b[5]", "c[1,2]", "c[1,3]", "b[6]"}),
            "a, b[2], b[4..5], c[1,2], c[1,3], b[6]");
  EXPECT_EQ(names_in_short({"]", "[]", "x[y]"}), "], [], x[y]");
  EXPECT_EQ(names_in_short({}), "");
}

TEST(DriverWords, AreInTheSummaryWithTheCost) {
  Fit fit = tiny_fit();
  EXPECT_THAT(summary(fit, {}), testing::Not(testing::HasSubstr("drives")));
  EXPECT_THAT(summary(fit, {}), testing::Not(testing::HasSubstr("gradients:")));
  fit.average->bending = Bending{
      .drivers = {{"tau", {{"theta[1]", 2, 0}, {"theta[2]", 3, 0}}}, {"s", {}}}, .kept = true};
  fit.cost = {.search = 1200, .averaging = 900, .scoring = 4000, .bending = 1900};
  EXPECT_THAT(summary(fit, {}), testing::HasSubstr("q bends: tau drives theta[1..2]\n"));
  EXPECT_THAT(summary(fit, {}), testing::HasSubstr("q bends: s drives nothing by much\n"));
  EXPECT_THAT(
      summary(fit, {}),
      testing::HasSubstr("gradients: search 1200, averaging 900, scoring 4000, bending 1900\n"));
  fit.average->bending->kept = false;
  EXPECT_EQ(drivers_text(*fit.average).size(), 0u);
}

}  // namespace
}  // namespace ravi
