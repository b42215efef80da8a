// R-hat, ESS and MCSE against R's posterior 1.4.0, input by input.
#include <gmock/gmock.h>

#include "core/numeric.hpp"
#include "diagnostics/autocovariance.hpp"
#include "diagnostics/ess.hpp"
#include "diagnostics/mcse.hpp"
#include "diagnostics/oracle.hpp"
#include "diagnostics/rhat.hpp"

namespace ravi {
namespace {

struct Figure {
  const char* field;
  double (*compute)(const ConstMatrixRef&);
};

const Figure kFigures[] = {
    {"rhat_basic_split", [](const ConstMatrixRef& x) { return rhat_basic(x, true); }},
    {"rhat_basic_nosplit", [](const ConstMatrixRef& x) { return rhat_basic(x, false); }},
    {"rhat", rhat},
    {"rhat_bulk_part", rhat_bulk},
    {"rhat_tail_part", rhat_tail},
    {"ess_basic_split", [](const ConstMatrixRef& x) { return ess_basic(x, true); }},
    {"ess_basic_nosplit", [](const ConstMatrixRef& x) { return ess_basic(x, false); }},
    {"ess_mean", ess_mean},
    {"ess_bulk", ess_bulk},
    {"ess_tail", ess_tail},
    {"ess_q05", [](const ConstMatrixRef& x) { return ess_quantile(x, 0.05); }},
    {"ess_q95", [](const ConstMatrixRef& x) { return ess_quantile(x, 0.95); }},
    {"ess_median", ess_median},
    {"ess_sd", ess_sd},
    {"mcse_mean", mcse_mean},
    {"mcse_sd", mcse_sd},
    {"mcse_median", mcse_median},
    {"sd", [](const ConstMatrixRef& x) { return std::sqrt(variance(x.reshaped())); }},
};

class PosteriorOracle : public testing::TestWithParam<oracle::Case> {};

TEST_P(PosteriorOracle, EveryFigureAgrees) {
  const Matrix draws = oracle::table(GetParam());
  ASSERT_EQ(draws.rows(), GetParam().at("n_iterations").get<Index>());
  ASSERT_EQ(draws.cols(), GetParam().at("n_chains").get<Index>());
  const std::string name = GetParam().name();
  // An offset of 1e6 costs R six of its sixteen digits, twice where squares are taken.
  const double tolerance = name == "offset_4x200" ? 1e-8 : oracle::kTolerance;
  for (const Figure& figure : kFigures) {
    SCOPED_TRACE(figure.field);
    const std::string field = figure.field;
    const double actual = figure.compute(draws);
    if (name == "constant_differ_4x100" &&
        (field == "rhat" || field == "rhat_bulk_part" || field == "rhat_tail_part")) {
      EXPECT_EQ(actual, std::numeric_limits<double>::infinity());  // R has 1e15 by rounding
    } else {
      oracle::expect_agrees(actual, oracle::number(GetParam().at(figure.field)), tolerance);
    }
  }
  // A mean near zero is known relative to the sd only.
  oracle::expect_agrees(mean(draws.reshaped()), oracle::number(GetParam().at("mean")), tolerance,
                        oracle::number(GetParam().at("sd")));
}

TEST_P(PosteriorOracle, TheSameFiguresAreCapped) {
  const Matrix draws = oracle::table(GetParam());
  const auto n = static_cast<double>(draws.size());
  std::vector<std::string> capped;
  for (const Figure& figure : kFigures) {
    const std::string field = figure.field;
    if (field.starts_with("ess_") && figure.compute(draws) >= n * std::log10(n) * (1 - 1e-12)) {
      capped.push_back(field);
    }
  }
  auto expected = GetParam().at("ess_capped_in").get<std::vector<std::string>>();
  std::erase_if(expected, [](const std::string& field) { return !field.starts_with("ess_"); });
  EXPECT_THAT(capped, testing::UnorderedElementsAreArray(expected));
}

TEST_P(PosteriorOracle, AutocovariancesAgree) {
  const Matrix draws = oracle::table(GetParam());
  if (!draws.allFinite()) {
    // The reference has no values for any chain of this input. Its first chain is finite, and what
    // holds there by definition is that lag zero is the variance.
    const auto n = static_cast<double>(draws.rows());
    EXPECT_NEAR(autocovariances(draws)(0, 0), variance(draws.col(0)) * (n - 1) / n, 1e-14);
    EXPECT_TRUE(autocovariances(draws).col(1).array().isNaN().all());
    return;
  }
  const Vector expected = oracle::numbers(GetParam().at("autocovariance_chain1_lag0_9"));
  const double tolerance = GetParam().name() == "offset_4x200" ? 1e-8 : oracle::kTolerance;
  const Vector single = autocovariance(draws.col(0));
  const Matrix all = autocovariances(draws);
  ASSERT_EQ(single.size(), draws.rows());
  for (Index lag = 0; lag < expected.size(); ++lag) {
    oracle::expect_agrees(single(lag), expected(lag), tolerance, expected(0));
    oracle::expect_agrees(all(lag, 0), expected(lag), tolerance, expected(0));
  }
}

INSTANTIATE_TEST_SUITE_P(Inputs, PosteriorOracle,
                         testing::ValuesIn(oracle::cases("diagnostics.json")), oracle::CaseName());

}  // namespace
}  // namespace ravi
