// Libraries with the BridgeStan interface as models: both versions, threads, failures, bad files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "evaluation.hpp"
#include "model/stan/stan_instance.hpp"
#include "ravi/error.hpp"
#include "ravi/fit.hpp"
#include "ravi/stan.hpp"
#include "temporary_folder.hpp"

namespace ravi {
namespace {

using testing::AllOf, testing::ElementsAre, testing::EndsWith, testing::HasSubstr;

std::string library(const std::string& variant) {
  return std::string(RAVI_FAKE_LIBRARIES) + "/" + variant + ".so";
}

std::string refusal_of(const std::string& path, const std::string& data = "") {
  try {
    stan_model(path, data);
  } catch (const UsageError& e) {
    return e.what();
  }
  return "no error";
}

class AnyLibrary : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Stan, AnyLibrary,
                         testing::Values("fake_v1", "fake_v1_threads", "fake_v2",
                                         "fake_v2_threads"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST_P(AnyLibrary, IsAModelWithStansNames) {
  const auto model = stan_model(library(GetParam()));
  EXPECT_EQ(model->dimension(), 3);
  EXPECT_THAT(model->unconstrained_names(), ElementsAre("theta[1]", "theta[2]", "theta[3]"));
  EXPECT_THAT(model->parameter_names(),
              ElementsAre("theta[1]", "theta[2]", "theta[3]", "sum", "u[1,2]"));
  const Matrix theta = random_points(3, 5);
  const Values e = evaluate(*model, theta);
  EXPECT_TRUE(e.gradient.isApprox(-theta, 1e-15));
  EXPECT_TRUE(e.log_density.isApprox(-0.5 * theta.colwise().squaredNorm().transpose(), 1e-15));
}

TEST_P(AnyLibrary, ExceptionsFailTheirDrawOnly) {
  const auto model = stan_model(library(GetParam()));
  Matrix theta = random_points(3, 3);
  theta(0, 1) = 2000;
  const Values e = evaluate(*model, theta);
  EXPECT_TRUE(std::isnan(e.log_density(1)));
  EXPECT_TRUE(std::isfinite(e.log_density(0)) && std::isfinite(e.log_density(2)));
  const bool silent = std::string(GetParam()).starts_with("fake_v1");
  EXPECT_EQ(model->why_not_computable(theta.col(1)),
            silent ? "the library (BridgeStan 1.0) does not say why"
                   : "theta is 2000.000000, but must be small (in 'fake.stan' at line 7)");
  EXPECT_EQ(model->why_not_computable(theta.col(0)), "");
}

// Failing generated quantities leave the parameters and transformed parameters.
TEST_P(AnyLibrary, QuantitiesAreDrawnBySeed) {
  const auto model = stan_model(library(GetParam()));
  Matrix theta = random_points(3, 4);
  theta(0, 2) = 500;
  Matrix first(5, 4), again(5, 4), other(5, 4);
  model->constrain(theta, first, 7);
  model->constrain(theta, again, 7);
  model->constrain(theta, other, 8);
  EXPECT_TRUE(first.topRows(3) == theta);
  EXPECT_TRUE(first.row(3).isApprox(theta.colwise().sum()));
  EXPECT_TRUE(std::isnan(first(4, 2)) && std::isnan(other(4, 2)));
  for (const Index s : {0, 1, 3}) {
    EXPECT_EQ(first(4, s), again(4, s));
    EXPECT_NE(first(4, s), other(4, s));
  }
  EXPECT_NE(first(4, 0), first(4, 1));
}

// Those without thread support work in global memory, so that two callers in one copy would spoil
// each other's numbers; 100 000 gradients on four threads find that out.
TEST_P(AnyLibrary, FourThreadsGetTheAnswersOfOne) {
  const auto model = stan_model(library(GetParam()));
  const Matrix theta = random_points(3, 1000);
  const Values alone = evaluate(*model, theta);
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int repeat = 0; repeat < 25; ++repeat) {
          const Values e = evaluate(*model, theta);
          if (e.gradient != alone.gradient || e.log_density != alone.log_density) ++wrong;
        }
      });
    }
  }
  EXPECT_EQ(wrong, 0);
}

TEST_P(AnyLibrary, DataThatItRejectsAreNamed) {
  const TemporaryFolder folder;
  const std::string data = folder.write("d.json", R"({"bad": 1})");
  EXPECT_THAT(refusal_of(library(GetParam()), data), testing::StartsWith(data + ": "));
  EXPECT_THAT(refusal_of(library(GetParam()), R"({"bad": 1})"), testing::StartsWith("data: "));
  EXPECT_NO_THROW(stan_model(library(GetParam()), folder.write("good.json", R"({"y": 1})")));
  EXPECT_NO_THROW(stan_model(library(GetParam()), folder.write("good.csv", "y,z\n1,2\n3,4\n")));
}

TEST_P(AnyLibrary, FitsToTheSameBytesOnAnyNumberOfThreads) {
  const auto model = stan_model(library(GetParam()));
  Options options{.method = "paper", .stop = "fixed", .max_iterations = 500, .threads = 1};
  const Fit one = fit(*model, options);
  options.threads = 4;
  const Fit four = fit(*model, options);
  ASSERT_TRUE(one.average && four.average);
  for (std::size_t i = 0; i < one.average->parameters.size(); ++i) {
    EXPECT_EQ(one.average->parameters[i].mean, four.average->parameters[i].mean);
    EXPECT_EQ(one.average->parameters[i].q5, four.average->parameters[i].q5);
  }
}

// Two models of one file, and a copy of it changed later, do not meet.
TEST(StanLibrary, CopiesShareNoMemory) {
  const TemporaryFolder folder;
  const std::string path = folder.write("model.so", contents(library("fake_v2")));
  const LibraryImage image = read_library(path);
  const auto [first, first_is_private] = load_instance(image, {}, 1);
  const auto [second, second_is_private] = load_instance(image, {}, 1);
  EXPECT_TRUE(first_is_private && second_is_private);
  const Vector a = Vector::Constant(3, 1), b = Vector::Constant(3, 2);
  double value = 0;
  Vector gradient(3);
  const std::jthread other([&b, &second = second](const std::stop_token& done) {
    double v = 0;
    Vector g(3);
    while (!done.stop_requested()) second->gradient(b.data(), &v, g.data(), nullptr);
  });
  folder.write("model.so", "overwritten while it is in use");
  for (int i = 0; i < 20000; ++i) {
    ASSERT_TRUE(first->gradient(a.data(), &value, gradient.data(), nullptr));
    ASSERT_EQ(value, -1.5);
    ASSERT_EQ(gradient, -a);
  }
}

TEST(StanLibrary, TheMessageOfADataErrorSaysWhatIsDeclared) {
  EXPECT_EQ(refusal_of(library("fake_v2"), R"({"bad": 1})"),
            "data: y has size 5, but the program declares 8 (in 'fake.stan' at line 2)");
}

TEST(StanLibrary, PrintsToWhomeverAsks) {
  std::vector<std::string> printed;
  StanOptions options;
  options.print = [&](std::string_view text) { printed.emplace_back(text); };
  const auto model = stan_model(library("fake_v2_threads"), "", options);
  Matrix theta = random_points(3, 2);
  theta(1, 1) = 42;
  evaluate(*model, theta);
  EXPECT_THAT(printed, ElementsAre("forty-two\n"));
  evaluate(*stan_model(library("fake_v2_threads")), theta);
  EXPECT_EQ(printed.size(), 1u);
}

TEST(StanLibrary, FilesThatAreNoModelsAreRefused) {
  const TemporaryFolder folder;
  EXPECT_THAT(refusal_of(folder / "none.so"), HasSubstr("none.so: cannot be read: No such file"));
  EXPECT_THAT(refusal_of(folder.write("text.so", "hello, this is only text")),
              EndsWith("text.so: is no shared library"));
  EXPECT_THAT(refusal_of(library("fake_none")),
              EndsWith("fake_none.so: is no Stan model: the library does not export "
                       "bs_name of the BridgeStan interface"));
  EXPECT_THAT(refusal_of(library("fake_v3")),
              EndsWith("has version 3 of the BridgeStan interface, but ravi knows 1.0 and 2"));
}

// The system's loader is killed by some of these, so every length is tried.
TEST(StanLibrary, TruncatedFilesAreRefused) {
  const TemporaryFolder folder;
  const std::string whole = contents(library("fake_v2"));
  for (const double share : {0.001, 0.003, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999}) {
    const auto size = static_cast<std::size_t>(share * static_cast<double>(whole.size()));
    const std::string path = folder.write("cut.so", whole.substr(0, size));
    EXPECT_THAT(refusal_of(path), testing::AnyOf(HasSubstr("truncated"), HasSubstr("no shared")))
        << size << " of " << whole.size() << " bytes";
  }
}

// Whoever calls it makes room for what it says that it has.
TEST(StanLibrary, SizesThatContradictItsNamesAreRefused) {
  EXPECT_THAT(refusal_of(library("fake_negative")),
              EndsWith("fake_negative.so: contradicts itself: it has -2 unconstrained parameters, "
                       "but names 3 of them"));
  EXPECT_THAT(refusal_of(library("fake_more_parameters")),
              EndsWith("it has 1003 unconstrained parameters, but names 3 of them"));
  EXPECT_THAT(refusal_of(library("fake_more_quantities")),
              EndsWith("it has 1004 quantities, but names 4 of them"));
}

TEST(StanLibrary, WithoutParametersTheQuantitiesAreDrawn) {
  const auto model = stan_model(library("fake_v2_empty"));
  const Fit fit = ravi::fit(*model);
  EXPECT_EQ(fit.dimension, 0);
  EXPECT_EQ(fit.verdict, Verdict::accurate);
  ASSERT_TRUE(fit.average);
  ASSERT_EQ(fit.average->parameters.size(), 2u);
  const ParameterSummary& u = fit.average->parameters[1];
  EXPECT_EQ(u.name, "u[1,2]");
  // Uniform on (0, 1): mean 1/2 with standard error sqrt(1/12 / 4000) = 0.0046, four of them.
  EXPECT_NEAR(u.mean, 0.5, 0.019);
  EXPECT_NEAR(u.q95, 0.95, 0.015);
  ASSERT_EQ(fit.findings.size(), 1u);
  EXPECT_EQ(fit.findings[0].code, FindingCode::no_parameters);
}

}  // namespace
}  // namespace ravi
