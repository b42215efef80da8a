// Names of quantities in CmdStan's CSV files and in netCDF.
#include "output/variables.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ravi {
namespace {

using testing::ElementsAre;

constexpr std::array<std::string_view, 2> kReserved = {"chain", "draw"};

std::vector<std::string> names_of(const std::vector<ArrayVariable>& variables) {
  std::vector<std::string> names;
  for (const ArrayVariable& v : variables) names.push_back(v.name);
  return names;
}

TEST(StanColumns, HaveDotsForBrackets) {
  EXPECT_THAT(stan_columns({"mu", "theta[1]", "Sigma[2,13]", "pair[1]:2", "rate.3"}),
              ElementsAre("mu", "theta.1", "Sigma.2.13", "pair.1:2", "rate.3"));
}

// A comma, a quote, a line break or '#' in a name would break the file.
TEST(StanColumns, HoldNothingThatBreaksTheFileAndAreAllDifferent) {
  const auto columns =
      stan_columns({"a b", "a\nb", "say \"x\"", "#1", "<i>", "", "lp__", "x[1]", "x.1"});
  EXPECT_THAT(columns,
              ElementsAre("a_b", "a_b_", "say__x_", "_1", "_i_", "_", "lp___", "x.1", "x.1_"));
}

// Stan lists the elements of a matrix by columns, netCDF stores them by rows.
TEST(ArrayVariables, GatherWhatBelongsTogether) {
  const auto variables = array_variables(
      {"mu", "S[1,1]", "S[2,1]", "S[1,2]", "S[2,2]", "S[1,3]", "S[2,3]", "theta[1]"}, kReserved);
  ASSERT_THAT(names_of(variables), ElementsAre("mu", "S", "theta"));
  EXPECT_TRUE(variables[0].shape.empty());
  EXPECT_THAT(variables[1].shape, ElementsAre(2, 3));
  EXPECT_THAT(variables[1].quantities, ElementsAre(1, 3, 5, 2, 4, 6));
  EXPECT_THAT(variables[2].shape, ElementsAre(1));
  EXPECT_EQ(variables[1].dimension(0), "S_dim_0");
}

TEST(ArrayVariables, LeaveAloneWhatIsNoWholeArray) {
  for (const std::vector<std::string>& names : std::vector<std::vector<std::string>>{
           {"x[1]", "x[3]"},
           {"x[1]", "x[1]"},
           {"x[1]", "x[2,1]"},
           {"x", "x[1]"},
           {"x[0]", "x[1]", "x[2]"},
           {"x[1", "x[]", "[1]", "x[a]", "x[1]y", "x[-1]", "x[1;2]"},
           {"x[1,1]", "x[1000000000,1000000000]"},
           {"x[99999999999999999999]"}}) {
    const auto variables = array_variables(names, kReserved);
    ASSERT_EQ(variables.size(), names.size()) << names[0];
    for (std::size_t i = 0; i < names.size(); ++i) {
      EXPECT_TRUE(variables[i].shape.empty());
      EXPECT_EQ(variables[i].original, names[i]);
      EXPECT_THAT(variables[i].quantities, ElementsAre(static_cast<Index>(i)));
    }
    std::vector<std::string> different = names_of(variables);
    std::ranges::sort(different);
    EXPECT_EQ(std::ranges::adjacent_find(different), different.end()) << names[0];
  }
}

TEST(ArrayVariables, HaveNamesThatNetcdfAndPythonTake) {
  const auto variables = array_variables(
      {"draw", "a b", "a/b", "1st", "<script>", "y[1]", "y_dim_0", "z_dim_0", "z[1]", "", "mu_"},
      kReserved);
  EXPECT_THAT(names_of(variables), ElementsAre("draw_", "a_b", "a_b_", "_1st", "script", "y",
                                               "y_dim_0_", "z_dim_0", "z_", "_", "mu_"));
}

}  // namespace
}  // namespace ravi
