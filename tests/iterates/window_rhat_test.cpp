// R-hat of the last window, from the moments of its halves, against that of the draws themselves.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "algorithm/judge/precision.hpp"
#include "core/rng.hpp"
#include "diagnostics/rhat.hpp"

namespace ravi {
namespace {

struct Shape {
  Index length, chains;
};

class WindowRhat : public testing::TestWithParam<Shape> {};

// 300 components are more than one part of the implementation.
TEST_P(WindowRhat, EqualsPlainSplitRhat) {
  constexpr Index kRows = 300, kOffset = 2;
  const auto [length, count] = GetParam();
  Iterates iterates(count, kRows, length);
  for (Index j = 0; j < count; ++j) {
    Matrix& chain = iterates.window(j);
    RandomStream(1, Purpose::test, static_cast<std::uint32_t>(j), 0).fill_normal(chain);
    chain.row(0).setConstant(0.1);
    chain.row(1).setConstant(0.1 + static_cast<double>(j));
    chain.row(kOffset).array() += 1e8;
    chain.row(3) *= 1e-200;
    chain.row(4) *= 1e200;
    chain.row(5).array() += static_cast<double>(j);
  }
  iterates.window(count - 1)(6, 0) = std::numeric_limits<double>::quiet_NaN();
  iterates.window(count - 1)(7, length - 1) = std::numeric_limits<double>::infinity();
  iterates.close_window(length);

  const Vector rhat = rhat_of_blocks(iterates.last_halves());
  ASSERT_EQ(rhat.size(), kRows);
  for (Index k = 0; k < kRows; ++k) {
    SCOPED_TRACE(k);
    Matrix draws(length, count);
    for (Index j = 0; j < count; ++j) draws.col(j) = iterates.window(j).row(k).transpose();
    const double expected = rhat_basic(draws);
    if (!std::isfinite(expected)) {
      EXPECT_EQ(std::isnan(rhat(k)), std::isnan(expected));
      EXPECT_EQ(std::isinf(rhat(k)), std::isinf(expected));
      continue;
    }
    // The order of summation; and a mean near 1e8 is known to 1e8 / 2^53 sds.
    EXPECT_NEAR(rhat(k), expected, (k == kOffset ? 2e-8 : 1e-13) * expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, WindowRhat,
                         testing::Values(Shape{2, 2}, Shape{3, 1}, Shape{4, 1}, Shape{5, 3},
                                         Shape{100, 1}, Shape{100, 4}, Shape{101, 2}));

TEST(WindowRhat, OfASingleIterateDoesNotExist) {
  Iterates iterates(2, 3, 1);
  iterates.close_window(1);
  EXPECT_TRUE(iterates.last_halves().empty());
  EXPECT_EQ(window_rhat(iterates).component, -1);
}

}  // namespace
}  // namespace ravi
