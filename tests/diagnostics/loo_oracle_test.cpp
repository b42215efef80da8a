// Generalized Pareto fits, tail indices and PSIS against R's loo 2.5.1, input by input.
#include <algorithm>

#include "core/numeric.hpp"
#include "diagnostics/oracle.hpp"
#include "diagnostics/pareto.hpp"
#include "diagnostics/psis.hpp"
#include "diagnostics/tail_index.hpp"

namespace ravi {
namespace {

using oracle::expect_agrees;
using oracle::Json;
using oracle::number;

Vector sorted(Vector x) {
  std::sort(x.begin(), x.end());
  return x;
}

double ess_of(const Vector& log_weights) {
  return 1 / normalize_log_weights(log_weights).array().exp().square().sum();
}

void expect_fit_agrees(const Vector& excesses, const Json& expected) {
  const GpdFit with_prior = fit_gpd(excesses), without = fit_gpd(excesses, false);
  expect_agrees(with_prior.k, number(expected.at("k")));
  expect_agrees(without.k, number(expected.at("k_without_prior")));
  expect_agrees(with_prior.sigma, number(expected.at("sigma")));
  expect_agrees(without.sigma, number(expected.at("sigma")));
}

class GpdOracle : public testing::TestWithParam<oracle::Case> {};

TEST_P(GpdOracle, FitAgrees) {
  const Vector x = oracle::column(GetParam());
  ASSERT_EQ(x.size(), GetParam().at("n").get<Index>());
  expect_fit_agrees(x, GetParam().values);
}

INSTANTIATE_TEST_SUITE_P(Inputs, GpdOracle, testing::ValuesIn(oracle::cases("gpd_fit.json")),
                         oracle::CaseName());

class TailOracle : public testing::TestWithParam<oracle::Case> {};

TEST_P(TailOracle, BothTailsAgree) {
  const Vector x = oracle::column(GetParam());
  const Index length = GetParam().at("tail_len");
  EXPECT_EQ(tail_length(x.size()), length);
  ASSERT_EQ(x.size(), GetParam().at("n").get<Index>());
  const TailIndex index = tail_index(x);
  expect_agrees(index.upper, number(GetParam().at("upper").at("k")));
  expect_agrees(index.lower, number(GetParam().at("lower").at("k")));
  for (const bool upper : {true, false}) {
    const Json& expected = GetParam().at(upper ? "upper" : "lower");
    const Vector ascending = sorted(upper ? x : Vector(-x));
    const double cutoff = ascending(x.size() - length - 1);
    EXPECT_EQ(cutoff, number(expected.at("cutoff")));
    expect_fit_agrees(ascending.tail(length).array() - cutoff, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Inputs, TailOracle, testing::ValuesIn(oracle::cases("tail_index.json")),
                         oracle::CaseName());

class PsisOracle : public testing::TestWithParam<oracle::Case> {
 protected:
  const std::string name_ = GetParam().name();
  const Vector ratios_ = oracle::column(GetParam());
  const double r_eff_ = GetParam().at("r_eff");
  const Psis psis_ = psis(ratios_, r_eff_);
};

TEST_P(PsisOracle, DiagnosticsAgree) {
  ASSERT_EQ(ratios_.size(), GetParam().at("S").get<Index>());
  EXPECT_EQ(psis_.tail_length, GetParam().at("tail_len").get<Index>());
  if (name_ == "lw_extreme") {
    EXPECT_GT(psis_.khat, 10);  // "very large": most excesses are nothing beside the largest
  } else {
    expect_agrees(psis_.khat, number(GetParam().at("pareto_k")));
  }
  expect_agrees(psis_.ess, number(GetParam().at("n_eff")));
  expect_agrees(ess_of(ratios_), number(GetParam().at("unsmoothed_ess")));
}

TEST_P(PsisOracle, TailFitAgrees) {
  const Vector ascending = sorted(ratios_).array() - ratios_.maxCoeff();
  const Index length = psis_.tail_length;
  const double cutoff = ascending(ascending.size() - length - 1);
  // A difference of two numbers, so known to the roundings of the larger.
  EXPECT_NEAR(cutoff, number(GetParam().at("log_cutoff_relative_to_max")),
              1e-15 * ratios_.cwiseAbs().maxCoeff());
  const Vector excesses = ascending.tail(length).array().exp() - std::exp(cutoff);
  if (GetParam().at("tail_fit").is_null()) {
    EXPECT_EQ(psis_.khat, std::numeric_limits<double>::infinity());
  } else if (name_ != "lw_extreme") {
    expect_fit_agrees(excesses, GetParam().at("tail_fit"));
  }
}

TEST_P(PsisOracle, WeightsAgree) {
  Vector smoothed = psis_.log_weights;
  Vector normalized = normalize_log_weights(smoothed);
  EXPECT_NEAR(normalized.array().exp().sum(), 1, 1e-13);
  Vector expected_smoothed = oracle::numbers(GetParam().at("smoothed_log_weights"));
  Vector expected_normalized = oracle::numbers(GetParam().at("normalised_log_weights"));
  if (name_ == "lw_ties") {  // equal ratios may change places
    for (Vector* x : {&smoothed, &normalized, &expected_smoothed, &expected_normalized}) {
      std::sort(x->begin(), x->end());
    }
  }
  // Absolute in the logarithm is relative in the weight; an offset adds its own roundings.
  const double offset = 4 * std::numeric_limits<double>::epsilon() * ratios_.cwiseAbs().maxCoeff();
  ASSERT_EQ(smoothed.size(), expected_smoothed.size());
  for (Index i = 0; i < smoothed.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_NEAR(smoothed(i), expected_smoothed(i), oracle::kTolerance + offset);
    EXPECT_NEAR(normalized(i), expected_normalized(i), oracle::kTolerance + offset);
  }
}

INSTANTIATE_TEST_SUITE_P(Inputs, PsisOracle, testing::ValuesIn(oracle::cases("psis.json")),
                         oracle::CaseName());

}  // namespace
}  // namespace ravi
