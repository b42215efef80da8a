// Built-in models by name, and the data they accept and refuse.
#include "model/registry.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/nearest.hpp"
#include "model/temporary_file.hpp"

namespace ravi {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string error_of(std::string_view name, const Data& data) {
  return usage_error("", [&] { make_builtin(name, &data); });
}

TEST(Nearest, FindsTheNameThatWasMeant) {
  const std::vector<std::string> names = {"rmsprop", "adagrad", "adam", "sgd"};
  EXPECT_EQ(nearest("adma", names), "adam");
  EXPECT_EQ(nearest("RMSProp", names), "rmsprop");
  EXPECT_EQ(nearest("rms_prop", names), "rmsprop");
  EXPECT_EQ(nearest("adagrda", names), "adagrad");
  EXPECT_EQ(nearest("newton", names), "");
  EXPECT_EQ(nearest("", names), "");
  EXPECT_EQ(nearest("adam", {}), "");
}

TEST(Builtin, UnknownNameIsAnsweredWithTheNearestAndTheChoices) {
  const std::string text = usage_error("", [] { make_builtin("liner-regression", nullptr); });
  EXPECT_THAT(text, StartsWith("no model is called 'liner-regression'"));
  EXPECT_THAT(text, HasSubstr("did you mean 'linear-regression'?"));
  EXPECT_THAT(text, HasSubstr("funnel"));
}

TEST(Builtin, MissingDataIsAnsweredWithWhatTheModelReads) {
  EXPECT_THAT(usage_error("", [] { make_builtin("linear-regression", nullptr); }),
              StartsWith("model 'linear-regression' needs data: N, P, X[N,P], y[N]"));
}

// A name that nothing reads is a value that does not count.
TEST(Builtin, DataThatItDoesNotReadAreRefusedWithTheNearestName) {
  EXPECT_EQ(error_of("linear-regression", Data("d")
                                              .add("N", 2)
                                              .add("P", 1)
                                              .add("X", Matrix(Matrix::Ones(2, 1)))
                                              .add("y", Vector(Vector::Ones(2)))
                                              .add("sigmma", 1)),
            "d: no variable of linear-regression is called 'sigmma'; did you mean 'sigma'? the "
            "choices are: N, P, X, sigma, y");
  EXPECT_THAT(error_of("gaussian", Data("d").add("P", 2).add("men", Vector(Vector::Ones(2)))),
              HasSubstr("no variable of gaussian is called 'men'; did you mean 'mean'?"));
  EXPECT_THAT(error_of("eight-schools-centered", Data("d").add("sigmaa", 1)),
              HasSubstr("did you mean 'sigma'?"));
  EXPECT_THAT(error_of("funnel", Data("table.csv", true).add("v", Vector(Vector::Ones(2)))),
              StartsWith("table.csv: no variable of funnel is called 'v'"));
}

// A table has columns for other uses.
TEST(Builtin, ATableMayHaveMoreColumnsThanAreRead) {
  Data table("table.csv", true);
  table.add("y", Vector(Vector::Ones(3))).add("sigma", Vector(Vector::Ones(3)));
  table.add("school", Vector(Vector::Ones(3)));
  EXPECT_EQ(make_builtin("eight-schools-centered", &table)->dimension(), 5);
}

TEST(Builtin, DefaultsMatchTheirDescriptions) {
  EXPECT_EQ(make_builtin("gaussian", nullptr)->dimension(), 10);
  EXPECT_EQ(make_builtin("funnel", nullptr)->dimension(), 10);
  EXPECT_EQ(make_builtin("bimodal", nullptr)->dimension(), 2);
  EXPECT_EQ(make_builtin("cauchy", nullptr)->dimension(), 2);
  EXPECT_EQ(make_builtin("student-t", nullptr)->dimension(), 5);
  EXPECT_EQ(make_builtin("eight-schools-centered", nullptr)->dimension(), 10);
}

TEST(Builtin, NoParametersIsAnErrorEverywhere) {
  const Data none =
      Data("d").add("P", 0).add("N", 2).add("X", Matrix(2, 0)).add("y", Vector::Ones(2));
  for (const std::string_view name : {"gaussian", "funnel", "bimodal", "cauchy", "student-t",
                                      "linear-regression", "logistic-regression"}) {
    EXPECT_EQ(error_of(name, none), "d: P is 0, but it must be at least 1") << name;
  }
  const Data empty = Data("d").add("mean", Vector(0));
  EXPECT_EQ(error_of("gaussian", empty), "d: mean must have at least one element");
}

TEST(Builtin, ModelsRefuseDataThatBreakTheirRules) {
  const auto regression = [](const Vector& y) {
    return Data("d").add("N", 2).add("P", 1).add("X", Matrix::Ones(2, 1)).add("y", y);
  };
  Vector y(2);
  y << 0, 2;
  EXPECT_EQ(error_of("logistic-regression", regression(y)), "d: y[2] is 2, but it must be 0 or 1");
  EXPECT_EQ(error_of("linear-regression", regression(y).add("sigma", -1.0)),
            "d: sigma is -1, but it must be positive");
  EXPECT_EQ(error_of("linear-regression",
                     Data("d").add("N", 3).add("P", 1).add("X", Matrix::Ones(2, 1)).add("y", y)),
            "d: X is a 2 x 1 array, but a 3 x 1 array is needed");
  EXPECT_EQ(error_of("student-t", Data("d").add("nu", 0.0)), "d: nu is 0, but it must be positive");
  Matrix cov(2, 2);
  cov << 1, 0.5, 0.4, 1;
  EXPECT_EQ(error_of("gaussian", Data("d").add("cov", cov)), "d: cov is not symmetric");
  cov << 1, 2, 2, 1;
  EXPECT_EQ(error_of("gaussian", Data("d").add("cov", cov)), "d: cov is not positive definite");
  EXPECT_EQ(error_of("eight-schools-centered", Data("d").add("J", 2).add("y", y)),
            "d: sigma is missing, but an array of 2 is needed");
  EXPECT_EQ(error_of("radon", Data("d")
                                  .add("N", 2)
                                  .add("J", 1)
                                  .add("county", Vector::LinSpaced(2, 1, 2))
                                  .add("floor_measure", y)
                                  .add("log_radon", y)),
            "d: county[2] is 2, but it must lie between 1 and 1");
}

Vector log_density_at(const Model& model, double value) {
  const Matrix theta = Matrix::Constant(model.dimension(), 1, value);
  Vector log_density(1);
  Matrix gradient(model.dimension(), 1);
  model.evaluate(theta, log_density, gradient);
  return log_density;
}

// The same numbers once as a table and once as arrays are the same model.
TEST(Builtin, TablesAndArraysGiveTheSameModel) {
  Vector a(3), b(3), y(3);
  a << 0.5, -1, 2;
  b << 1, 0, -2;
  y << 0, 1, 1;
  Matrix x(3, 2);
  x << a, b;
  const Data table = Data("t.csv", true).add("a", a).add("b", b).add("outcome", y);
  const Data arrays = Data("d").add("N", 3).add("P", 2).add("X", x).add("y", y);
  for (const std::string_view name : {"linear-regression", "logistic-regression"}) {
    EXPECT_EQ(log_density_at(*make_builtin(name, &table), 0.3),
              log_density_at(*make_builtin(name, &arrays), 0.3))
        << name;
  }

  Vector county(3);
  county << 2, 1, 2;
  const Data houses =
      Data("t.csv", true).add("log_radon", a).add("floor", y).add("county", county).add("more", b);
  const Data stan = Data("d")
                        .add("N", 3)
                        .add("J", 2)
                        .add("county", county)
                        .add("floor_measure", y)
                        .add("log_radon", a);
  EXPECT_EQ(log_density_at(*make_builtin("radon", &houses), 0.3),
            log_density_at(*make_builtin("radon", &stan), 0.3));

  Vector pixels(3), label(3);
  pixels << 0, 51, 255;
  label << 3, 0, 9;
  const Data images = Data("t.csv", true).add("label", label).add("p", pixels);
  const Data scaled = Data("d").add("x", Matrix(pixels / 255)).add("y", Vector(label.array() + 1));
  EXPECT_EQ(log_density_at(*make_builtin("mnist-nn", &images), 0.3),
            log_density_at(*make_builtin("mnist-nn", &scaled), 0.3));
}

// 2 variances + 784 x 10 + 10 + 10 x 9 + 9, as the paper counts.
TEST(Builtin, DigitsOf784PixelsHave7951Parameters) {
  Data images("t.csv", true);
  images.add("label", Vector::Ones(1));
  for (int i = 0; i < 784; ++i) images.add(fmt::format("p{}", i), Vector::Constant(1, i % 256));
  EXPECT_EQ(make_builtin("mnist-nn", &images)->dimension(), 7951);
}

TEST(Builtin, SingleColumnTableIsRefusedForRegression) {
  const Data table = Data("t.csv", true).add("y", Vector::Ones(3));
  EXPECT_THAT(error_of("linear-regression", table), StartsWith("t.csv: has one column"));
}

}  // namespace
}  // namespace ravi
