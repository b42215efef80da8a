// What came to Stan after 2.21, where the installed one knows it; tests/stan/compile_test.cpp has
// what is said where it does not.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "evaluation.hpp"
#include "programs.hpp"
#include "ravi/error.hpp"
#include "temporary_folder.hpp"

namespace ravi {
namespace {

using testing::AllOf, testing::HasSubstr;

// A program that Stan knows since 2.`since`. Where the installed one is older, it is refused by
// these words, and there is no model.
std::unique_ptr<Model> newer_model(int since, const std::string& used, const std::string& program,
                                   const std::string& data) {
  const TemporaryFolder folder;
  const std::string path = folder.write("newer.stan", program);
  if (stan_minor() >= since) return stan_model(path, data);
  try {
    stan_model(path, data);
    ADD_FAILURE() << "Stan 2." << stan_minor() << " takes " << used;
  } catch (const UsageError& e) {
    EXPECT_THAT(e.what(), AllOf(HasSubstr("uses " + used),
                                HasSubstr(fmt::format("which Stan has since 2.{}", since))));
  }
  return nullptr;
}

// reduce_sum in one of its forms, for counts whose terms need their places in the array.
std::string sum_in_parts(const std::string& sum) {
  return "functions {\n"
         "  real part(array[] int k, int first, int last, vector x, real a, real b) {\n"
         "    return poisson_log_lpmf(k | a + b * x[first:last]);\n"
         "  }\n"
         "}\n"
         "data {\n  int N;\n  array[N] int k;\n  vector[N] x;\n}\n"
         "parameters { real a; real b; }\n"
         "model {\n  a ~ normal(0, 1);\n  target += " +
         sum + ";\n}\n";
}

constexpr const char* kCounts =
    R"({"N": 6, "k": [3, 0, 5, 1, 2, 8], "x": [0.5, -1, 1, -0.5, 0.1, 1.5]})";

TEST(NewerPrograms, SumInPartsWhatTheySumAtOnce) {
  const TemporaryFolder folder;
  const auto whole =
      stan_model(folder.write("whole.stan", sum_in_parts("part(k, 1, N, x, a, b)")), kCounts);
  const Matrix theta = random_points(2, 5);
  const Values expected = evaluate(*whole, theta);
  for (const char* name : {"reduce_sum", "reduce_sum_static"}) {
    const auto parts =
        newer_model(23, name, sum_in_parts(fmt::format("{}(part, k, 1, x, a, b)", name)), kCounts);
    if (!parts) continue;
    const Values values = evaluate(*parts, theta);
    EXPECT_EQ(values.log_density, expected.log_density);
    EXPECT_EQ(values.gradient, expected.gradient);
  }
  const auto none = newer_model(23, "reduce_sum", sum_in_parts("reduce_sum(part, k, 1, x, a, b)"),
                                R"({"N": 0, "k": [], "x": []})");
  if (!none) return;
  EXPECT_NEAR(evaluate(*none, Matrix::Zero(2, 1)).log_density(0), -0.5 * std::log(2 * M_PI), 1e-12);
}

// y' = -a y from 1 is exp(-a t).
TEST(NewerPrograms, SolveDifferentialEquations) {
  for (const char* solver : {"ode_rk45", "ode_bdf"}) {
    const auto model = newer_model(24, solver,
                                   fmt::format("functions {{\n"
                                               "  vector decay(real t, vector y, real a) {{\n"
                                               "    return -a * y;\n  }}\n}}\n"
                                               "parameters {{ real a; }}\n"
                                               "transformed parameters {{\n"
                                               "  array[2] vector[1] y = {}(decay, [1]', 0, "
                                               "{{0.5, 2.0}}, a);\n}}\n"
                                               "model {{ target += y[2, 1]; }}\n",
                                               solver),
                                   "");
    if (!model) continue;
    const double a = 0.7;
    const Matrix theta = Matrix::Constant(1, 1, a);
    const Values values = evaluate(*model, theta);
    // The solvers' own tolerances are 1e-6, relative and absolute, per step.
    EXPECT_NEAR(values.log_density(0), std::exp(-2 * a), 1e-4);
    EXPECT_NEAR(values.gradient(0, 0), -2 * std::exp(-2 * a), 1e-4);
    EXPECT_EQ(model->parameter_names()[1], "y[1,1]");
  }
}

// Complex numbers are pairs in the data; profile() notes nothing, whose notes threads would share.
TEST(NewerPrograms, HaveComplexNumbersAndProfiles) {
  const auto model = newer_model(28, "complex",
                                 "data { array[2] complex z; }\n"
                                 "parameters { complex w; }\n"
                                 "model {\n"
                                 "  profile(\"prior\") {\n"
                                 "    target += -square(get_real(w) - get_real(z[2]))"
                                 " - square(get_imag(w) - get_imag(z[1]));\n"
                                 "  }\n}\n",
                                 R"({"z": [[1, 2], [3, 4]]})");
  if (!model) return;
  EXPECT_THAT(model->parameter_names(), testing::ElementsAre("w.real", "w.imag"));
  const Matrix theta{{0.0}, {0.0}};
  EXPECT_EQ(evaluate(*model, theta).log_density(0), -13);
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      const Matrix many = Matrix::Zero(2, 1000);
      EXPECT_EQ(evaluate(*model, many).log_density, Vector::Constant(1000, -13));
    });
  }
}

// rstan's own stanc() would lose the empty lines.
TEST(NewerPrograms, NameTheLineOfTheFileThatAMessageComesFrom) {
  const TemporaryFolder folder;
  folder.write("half.stan",
               "real half(real x) {\n\n  if (x > 1) reject(\"x is \", 2);\n"
               "  return x / 2;\n}\n");
  const auto model = stan_model(folder.write("lines.stan",
                                             "functions {\n\n#include half.stan\n\n}\n\n"
                                             "parameters { real mu; }\n\n"
                                             "model {\n"
                                             "  mu ~ normal(half(mu), 1);\n\n"
                                             "  if (mu < 0) reject(\"mu is \", 1);\n"
                                             "}\n"));
  EXPECT_THAT(model->why_not_computable(Vector::Constant(1, -1)),
              HasSubstr("mu is 1 (in 'lines.stan' at line 12)"));
  EXPECT_THAT(model->why_not_computable(Vector::Constant(1, 2)),
              AllOf(HasSubstr("x is 2 (in 'half.stan' at line 3"), HasSubstr("line 10)")));
}

}  // namespace
}  // namespace ravi
