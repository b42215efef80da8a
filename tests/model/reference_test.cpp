// Reference posteriors: which moments are taken, and what is refused.
#include "model/reference.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/json_file.hpp"
#include "model/registry.hpp"
#include "model/temporary_file.hpp"

namespace ravi {
namespace {

std::string path(const std::string& name) { return RAVI_TEST_DATA "/reference/" + name; }

std::string error_of_reference(std::string_view contents) {
  const TemporaryFile file(".json", contents);
  return usage_error(file.path(), [&] { read_reference(file.path()); });
}

TEST(Reference, PrefersExactThenImportanceSamplingThenSampledMoments) {
  const std::string both = R"({"parameters": ["a"], "mean": [1], "cov": [[1]],
    "importance_sampling": {"mean": [2], "cov": [[2]]}, "exact": {"mean": [3], "cov": [[3]]}})";
  const TemporaryFile file(".json", both);
  EXPECT_EQ(read_reference(file.path()).mean(0), 3);

  const auto expect_from = [](const std::string& name, const char* block) {
    const auto document = read_json(path(name));
    const auto& moments = *block == '\0' ? document : document.at(block);
    const Reference reference = read_reference(path(name));
    EXPECT_EQ(reference.mean(1), moments.at("mean").at(1).get<double>()) << name;
    EXPECT_NEAR(reference.cov(0, 1), moments.at("cov").at(0).at(1).get<double>(), 1e-12) << name;
  };
  expect_from("eight_schools_cp.json", "exact");
  expect_from("radon_centered.json", "exact");
  expect_from("logistic_boston.json", "importance_sampling");
  expect_from("linear_boston.json", "");
}

TEST(Reference, AcceptsTheModelItBelongsTo) {
  const auto accepts = [](const std::string& name, std::string_view model, const Data* data) {
    EXPECT_NO_THROW(check_reference(read_reference(path(name)), *make_builtin(model, data)))
        << name;
  };
  accepts("eight_schools_cp.json", "eight-schools-centered", nullptr);
  accepts("eight_schools_ncp.json", "eight-schools-noncentered", nullptr);
  const Data linear = read_data(RAVI_TEST_DATA "/models/linear_boston.stan.json");
  accepts("linear_boston.json", "linear-regression", &linear);
  const Data logistic = read_data(RAVI_TEST_DATA "/models/logistic_boston.stan.json");
  accepts("logistic_boston.json", "logistic-regression", &logistic);
  Data houses("made up");  // one house in each of 85 counties
  houses.add("N", 85).add("J", 85).add("county", Vector::LinSpaced(85, 1, 85));
  houses.add("floor_measure", Vector::Zero(85)).add("log_radon", Vector::Ones(85));
  accepts("radon_centered.json", "radon", &houses);
}

TEST(Reference, RefusesAnotherModelByTheFirstDifference) {
  const Reference reference = read_reference(path("eight_schools_cp.json"));
  const auto error = [&](const Model& model) {
    return usage_error("", [&] { check_reference(reference, model); });
  };
  EXPECT_EQ(error(*make_builtin("eight-schools-noncentered", nullptr)),
            "the reference's parameter 3 is theta[1], but the model's is theta_tilde[1]");
  const Data nine = Data("d").add("J", 9).add("y", Vector::Ones(9)).add("sigma", Vector::Ones(9));
  EXPECT_EQ(error(*make_builtin("eight-schools-centered", &nine)),
            "the reference has 10 parameters, but the model has 11");
}

TEST(Reference, RefusesWhatIsMissingOrMisshapen) {
  EXPECT_EQ(error_of_reference("[1]"), "FILE: a reference must be an object of named values");
  EXPECT_EQ(error_of_reference(R"({"mean": [1], "cov": [[1]]})"),
            "FILE: parameters must be an array of names");
  EXPECT_EQ(error_of_reference(R"({"parameters": [], "mean": [], "cov": []})"),
            "FILE: parameters must be an array of names");
  EXPECT_EQ(error_of_reference(R"({"parameters": ["a", 2], "mean": [1, 2]})"),
            "FILE: parameters must be an array of names");
  EXPECT_EQ(
      error_of_reference(R"({"parameters": ["a", "b"], "mean": [1], "cov": [[1, 0], [0, 1]]})"),
      "FILE: mean is an array of 1, but an array of 2 is needed");
  EXPECT_EQ(error_of_reference(R"({"parameters": ["a", "b"], "mean": [1, 2]})"),
            "FILE: cov is missing, but a 2 x 2 array is needed");
  EXPECT_EQ(
      error_of_reference(R"({"parameters": ["a", "b"], "exact": {"mean": [1, 2], "cov": [1, 2]}})"),
      "FILE: exact.cov is an array of 2, but a 2 x 2 array is needed");
  EXPECT_EQ(error_of_reference(R"({"parameters": ["a"], "mean": ["NaN"], "cov": [[1]]})"),
            "FILE: mean[1] is nan, but data must be finite");
}

TEST(Reference, RefusesWhatIsNoCovariance) {
  EXPECT_EQ(error_of_reference(
                R"({"parameters": ["a", "b"], "mean": [1, 2], "cov": [[1, 0.5], [0.4, 1]]})"),
            "FILE: cov is not symmetric: element [1,2] is 0.5, but [2,1] is 0.4");
  EXPECT_EQ(
      error_of_reference(R"({"parameters": ["a", "b"], "mean": [1, 2], "cov": [[1, 2], [2, 1]]})"),
      "FILE: cov is not positive definite");
  EXPECT_EQ(error_of_reference(R"({"parameters": ["a"], "mean": [1], "cov": [[-1]]})"),
            "FILE: cov is not positive definite");
}

}  // namespace
}  // namespace ravi
