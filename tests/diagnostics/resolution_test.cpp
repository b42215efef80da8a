// How finely a log density tells its values apart.
#include "diagnostics/resolution.hpp"

#include <gtest/gtest.h>

namespace ravi {
namespace {

TEST(Resolution, IsTheDistanceToTheNextNumber) {
  Vector x(3);
  x << 1.0000000001, -1e17, std::numeric_limits<double>::infinity();
  EXPECT_EQ(resolution_of(x), 16);
  EXPECT_EQ(resolution_of(x), std::nextafter(1e17, 1e18) - 1e17);
}

TEST(Resolution, OfNumbersInSinglePrecisionIsTheirs) {
  Vector x(2);
  x << 1.5, 1e8;
  EXPECT_EQ(resolution_of(x), 8);
  x(0) = 0.1;  // is no such number
  EXPECT_EQ(resolution_of(x), std::nextafter(1e8, 1e9) - 1e8);
}

TEST(Resolution, OfNothingIsZero) { EXPECT_EQ(resolution_of(Vector()), 0); }

}  // namespace
}  // namespace ravi
