// Every worked example, compiled by ravi, against what rstan says of it (models/make_references.R).
#include "programs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "evaluation.hpp"
#include "model/data.hpp"
#include "model/reference.hpp"
#include "model/registry.hpp"
#include "ravi/fit.hpp"

namespace ravi {
namespace {

class Program : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Examples, Program, testing::ValuesIn(program_names()),
                         [](const auto& instance) { return instance.param; });

double tolerance(double value) { return 1e-8 * std::max(1.0, std::abs(value)); }

// rstan drops constants, so the library is asked to drop them too. The values are those of rstan
// 2.21; later Stans drop others, so that theirs differ by one constant.
TEST_P(Program, HasTheDensityGradientAndValuesOfRstan) {
  const DirectLibrary library(compile_stan(program_of(GetParam())));
  const std::string data = file_of(GetParam(), "data.json");
  char* error = nullptr;
  void* model = library.call<void*, const char*, unsigned, char**>("bs_model_construct",
                                                                   data.c_str(), 1u, &error);
  ASSERT_NE(model, nullptr) << error;
  void* rng = library.call<void*, unsigned, char**>("bs_rng_construct", 1u, nullptr);
  const auto size = library.function<int, void*, bool, bool>("bs_param_num");
  const Index p = library.call<int, void*>("bs_param_unc_num", model);
  const auto names = stan_model(program_of(GetParam()), data)->parameter_names();
  ASSERT_EQ(static_cast<int>(names.size()), size(model, true, true));

  const nlohmann::json check = json_of(GetParam(), "check.json");
  ASSERT_EQ(check.at("points").size(), 5u);
  std::optional<double> constant;
  if (stan_minor() == 21) constant = 0;
  for (const auto& point : check.at("points")) {
    const Vector theta = to_vector(point.at("theta"));
    const Vector expected = to_vector(point.at("gradient"));
    ASSERT_EQ(theta.size(), p);
    double value = 0;
    Vector gradient(p);
    const auto density =
        library.function<int, void*, bool, bool, const double*, double*, double*, char**>(
            "bs_log_density_gradient");
    ASSERT_EQ(density(model, true, true, theta.data(), &value, gradient.data(), &error), 0)
        << error;
    const double log_prob = point.at("log_prob");
    if (!constant) constant = value - log_prob;
    EXPECT_NEAR(value - *constant, log_prob, tolerance(log_prob));
    for (Index i = 0; i < p; ++i) EXPECT_NEAR(gradient(i), expected(i), tolerance(expected(i)));

    Vector values(static_cast<Index>(names.size())), back(p);
    const auto constrain =
        library.function<int, void*, bool, bool, const double*, double*, void*, char**>(
            "bs_param_constrain");
    ASSERT_EQ(constrain(model, true, true, theta.data(), values.data(), rng, &error), 0) << error;
    std::size_t compared = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!point.at("constrained").contains(names[i])) continue;
      const double truth = point.at("constrained").at(names[i]);
      EXPECT_NEAR(values(static_cast<Index>(i)), truth, tolerance(truth)) << names[i];
      ++compared;
    }
    EXPECT_EQ(compared, point.at("constrained").size());
    EXPECT_EQ(compared + check.at("random").size(), names.size());

    const auto unconstrain =
        library.function<int, void*, const double*, double*, char**>("bs_param_unconstrain");
    ASSERT_EQ(unconstrain(model, values.data(), back.data(), &error), 0) << error;
    // A unit vector has as many unconstrained coordinates as elements, so theta has no way back.
    if (GetParam() == "mean_direction") continue;
    // Bounded parameters near a bound lose digits on the way.
    EXPECT_LT((back - theta).cwiseAbs().maxCoeff(), 1e-6);
  }
  library.call<void, void*>("bs_rng_destruct", rng);
  library.call<void, void*>("bs_model_destruct", model);
}

// What ravi optimizes keeps the constants.
TEST_P(Program, DiffersFromRstanByOneConstant) {
  const auto model = example(GetParam());
  const nlohmann::json points = json_of(GetParam(), "check.json").at("points");
  Matrix theta(model->dimension(), 5);
  Vector dropped(5);
  for (Index i = 0; i < 5; ++i) {
    const auto& point = points.at(static_cast<std::size_t>(i));
    theta.col(i) = to_vector(point.at("theta"));
    dropped(i) = point.at("log_prob");
  }
  const Vector difference = evaluate(*model, theta).log_density - dropped;
  for (Index i = 1; i < 5; ++i) EXPECT_NEAR(difference(i), difference(0), tolerance(dropped(i)));
}

TEST_P(Program, HasTheNamesOfItsReference) {
  const auto model = example(GetParam());
  EXPECT_NO_THROW(check_reference(read_reference(file_of(GetParam(), "reference.json")), *model));
}

// The built-in models and their twins in Stan read the same data and are the same model.
class Twin : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Examples, Twin,
                         testing::Values("eight_schools_centered", "eight_schools_noncentered",
                                         "linear_regression", "logistic_regression", "radon"),
                         [](const auto& instance) { return instance.param; });

std::unique_ptr<Model> builtin_twin(std::string name) {
  const Data data = read_data(file_of(name, "data.json"));
  std::ranges::replace(name, '_', '-');
  return make_builtin(name, &data);
}

TEST_P(Twin, HasTheLogDensityOfTheBuiltInUpToAConstant) {
  const auto stan = example(GetParam()), builtin = builtin_twin(GetParam());
  ASSERT_EQ(stan->unconstrained_names(), builtin->unconstrained_names());
  const Index p = stan->dimension(), points = 20;
  const Matrix theta = random_points(p, points);
  const auto [stan_density, stan_gradient] = evaluate(*stan, theta);
  const auto [density, gradient] = evaluate(*builtin, theta);
  const Vector difference = stan_density - density;
  for (Index s = 0; s < points; ++s) {
    EXPECT_NEAR(difference(s), difference(0), tolerance(density(s)));
    for (Index i = 0; i < p; ++i) {
      EXPECT_NEAR(stan_gradient(i, s), gradient(i, s), tolerance(gradient(i, s)));
    }
  }
}

// Other random numbers for each, so that the answers differ by their errors: the reported MCSE of
// the average bounds every component of lambda, and five of both is a bound for their difference.
TEST_P(Twin, GivesTheSameFitWithinItsReportedError) {
  Options options{.method = "paper", .stop = "fixed", .max_iterations = 6000, .seed = 1};
  const Fit stan = fit(*example(GetParam()), options);
  options.seed = 2;
  const Fit builtin = fit(*builtin_twin(GetParam()), options);
  ASSERT_TRUE(stan.average && builtin.average);
  const double error = 5 * std::hypot(stan.mcse_max, builtin.mcse_max);
  EXPECT_LT((stan.average->q.mean - builtin.average->q.mean).cwiseAbs().maxCoeff(), error);
  EXPECT_LT(error, 1);
}

}  // namespace
}  // namespace ravi
