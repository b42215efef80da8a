// A BridgeStan of one's own, which Debian has no package of: run with BRIDGESTAN set to its folder.
#include <gtest/gtest.h>

#include <cstdlib>

#include "evaluation.hpp"
#include "programs.hpp"
#include "ravi/fit.hpp"
#include "setting.hpp"

namespace ravi {
namespace {

// Those whose arrays are declared as every Stan since 2.26 has it.
class BridgeStan : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("BRIDGESTAN");
    if (folder == nullptr || *folder == '\0') {
      GTEST_SKIP() << "BRIDGESTAN is not set to the folder of a BridgeStan";
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Examples, BridgeStan,
                         testing::Values("eight_schools_noncentered", "radon", "gaussian_mixture",
                                         "hidden_markov"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST_P(BridgeStan, HasTheDensityAndGradientOfDebiansStan) {
  const auto theirs = example(GetParam());
  const Setting unset("BRIDGESTAN", std::nullopt);
  const auto debians = example(GetParam());
  ASSERT_EQ(theirs->parameter_names(), debians->parameter_names());
  const Matrix theta = random_points(theirs->dimension(), 5);
  const Values expected = evaluate(*debians, theta), values = evaluate(*theirs, theta);
  // Up to a constant; sums of at most some thousand terms, in another order.
  const Vector difference = values.log_density - expected.log_density;
  const double size = std::max(1.0, expected.log_density.cwiseAbs().maxCoeff());
  EXPECT_LT((difference.array() - difference(0)).abs().maxCoeff(), 1e-10 * size);
  const double slope = std::max(1.0, expected.gradient.cwiseAbs().maxCoeff());
  EXPECT_LT((values.gradient - expected.gradient).cwiseAbs().maxCoeff(), 1e-10 * slope);
}

TEST_P(BridgeStan, GivesTheSameNumbersOnOneThreadAndOnFour) {
  const auto model = example(GetParam());
  Options options{.method = "paper", .stop = "fixed", .max_iterations = 300, .threads = 1};
  const Fit one = fit(*model, options);
  options.threads = 4;
  const Fit four = fit(*model, options);
  ASSERT_TRUE(one.average && four.average);
  EXPECT_EQ(one.average->q.mean, four.average->q.mean);
  ASSERT_EQ(one.average->parameters.size(), four.average->parameters.size());
  for (std::size_t i = 0; i < one.average->parameters.size(); ++i) {
    EXPECT_EQ(one.average->parameters[i].mean, four.average->parameters[i].mean);
    EXPECT_EQ(one.average->parameters[i].sd, four.average->parameters[i].sd);
  }
}

}  // namespace
}  // namespace ravi
