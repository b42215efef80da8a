// The normal distribution in logarithms, against values of R's pnorm(z, log.p = TRUE).
#include "core/normal_tail.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ravi {
namespace {

TEST(NormalTail, HasTheLogarithmsOfR) {
  EXPECT_NEAR(log_normal_cdf(0), -std::log(2), 1e-15);
  EXPECT_NEAR(log_normal_cdf(-10) / -53.23128515051247, 1, 1e-14);
  EXPECT_NEAR(log_normal_cdf(-29.9) / -451.32291245852861, 1, 1e-14);
  EXPECT_NEAR(log_normal_cdf(-30.1) / -457.32956441638225, 1, 1e-11);
  EXPECT_NEAR(log_normal_cdf(-200) / -20006.217280898189, 1, 1e-14);
  EXPECT_NEAR(log_normal_cdf(3) / -0.0013508099647481938, 1, 1e-12);
}

// Above the middle log p has fewer digits the nearer it is to 0.
TEST(NormalTail, QuantilesUndoIt) {
  for (const double z : {-200.0, -38.0, -30.0, -8.0, -1.0, -1e-3, 0.0, 0.5, 3.0}) {
    EXPECT_NEAR(normal_quantile_of_log(log_normal_cdf(z)), z, 1e-11 * (1 + std::abs(z))) << z;
  }
}

}  // namespace
}  // namespace ravi
