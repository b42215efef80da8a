// Operations on vectors in Stan programs, which the shim for Stan 2.21
// (model/stan/shim/vector_operations.hpp) and later Stans differentiate as a whole, against the
// same operations element by element.
#include <gtest/gtest.h>

#include <cmath>

#include "evaluation.hpp"
#include "ravi/stan.hpp"
#include "temporary_folder.hpp"

namespace ravi {
namespace {

constexpr const char* kDeclarations = R"(
data {
  int<lower=0> N;
  vector[N] x;
}
transformed data {
  matrix[2, N] X;
  X[1] = x';
  X[2] = 2 * x' + 1;
}
parameters {
  real a;
  real b;
  vector[N] v;
  row_vector[N] w;
  matrix[2, N] U;
}
)";

// Every operation, with numbers and vectors that are data and that are parameters, on both sides.
constexpr const char* kWhole = R"(
model {
  vector[N] s = a + b * x;
  s += (s - v) + (s + x) + (x + v);
  s += (x - s) + (v - x) + (2.5 - s) + (s - 1.5) + (s + 3.5) + (0.5 + s);
  s += (a - x) + (x - b) + (v - a) + (b - v) + (v + a) + (x + b) + (b + x);
  s += v * b + a * v + x * a + 1.25 * v + v * 0.75;
  s += v .* s + x .* v + v .* x;
  target += -0.001 * dot_self(s);
  target += -0.5 * dot_self(a * w - w .* x' + (w + x') * b);
  target += -0.5 * sum(square(a * U - X .* U + (U - X) + b));
}
)";

constexpr const char* kElementwise = R"(
model {
  real all = 0;
  for (n in 1:N) {
    real s = a + b * x[n];
    real r;
    s += (s - v[n]) + (s + x[n]) + (x[n] + v[n]);
    s += (x[n] - s) + (v[n] - x[n]) + (2.5 - s) + (s - 1.5) + (s + 3.5) + (0.5 + s);
    s += (a - x[n]) + (x[n] - b) + (v[n] - a) + (b - v[n]) + (v[n] + a) + (x[n] + b) + (b + x[n]);
    s += v[n] * b + a * v[n] + x[n] * a + 1.25 * v[n] + v[n] * 0.75;
    s += v[n] * s + x[n] * v[n] + v[n] * x[n];
    all += -0.001 * s^2;
    r = a * w[n] - w[n] * x[n] + (w[n] + x[n]) * b;
    all += -0.5 * r^2;
    for (i in 1:2) all += -0.5 * (a * U[i, n] - X[i, n] * U[i, n] + (U[i, n] - X[i, n]) + b)^2;
  }
  target += all;
}
)";

void expect_the_same(const std::string& whole, const std::string& elementwise,
                     const std::string& data) {
  const TemporaryFolder folder;
  const auto a = stan_model(folder.write("whole.stan", whole), data);
  const auto b = stan_model(folder.write("elementwise.stan", elementwise), data);
  const Matrix theta = random_points(a->dimension(), 5);
  const auto one = evaluate(*a, theta), other = evaluate(*b, theta);
  // Sums of some dozens of terms, in another order.
  const auto close = [](const auto& x, const auto& y) {
    const double largest = std::max(1.0, y.cwiseAbs().maxCoeff());
    return (x - y).cwiseAbs().maxCoeff() < 1e-12 * largest;
  };
  EXPECT_TRUE(close(one.log_density, other.log_density));
  EXPECT_TRUE(close(one.gradient, other.gradient));
}

TEST(VectorOperations, HaveTheDerivativesOfTheirElements) {
  const std::string whole = std::string(kDeclarations) + kWhole,
                    elementwise = std::string(kDeclarations) + kElementwise;
  expect_the_same(whole, elementwise, R"({"N": 4, "x": [0.5, -1, 2, 0.1]})");
  expect_the_same(whole, elementwise, R"({"N": 0, "x": []})");
}

// A solver takes derivatives of its right-hand side one result after the other, and sets them to
// zero in between.
TEST(VectorOperations, CanBeDifferentiatedSeveralTimes) {
  const auto program = [](const char* rate) {
    return std::string(
               "functions { array[] real rate(real t, array[] real y, array[] real p,"
               " array[] real x, array[] int i) {") +
           rate +
           "} }\n"
           "parameters { real a; real<lower=0> b; }\n"
           "model {\n"
           "  array[3, 2] real y = integrate_ode_rk45(rate, {1.0, 0.5}, 0, {0.5, 1.0, 1.5}, {a, "
           "b},\n"
           "                                    rep_array(0.0, 0), rep_array(0, 0));\n"
           "  a ~ normal(0, 1);\n  b ~ normal(0, 1);\n"
           "  to_array_1d(y) ~ normal(0.3, 0.2);\n"
           "}\n";
  };
  expect_the_same(
      program("vector[2] s = to_vector(y); return to_array_1d(p[1] * s - p[2] * s .* s);"),
      program("return {p[1] * y[1] - p[2] * y[1] * y[1], p[1] * y[2] - p[2] * y[2] * y[2]};"), "");
}

TEST(VectorOperations, RefuseVectorsOfDifferentLength) {
  const TemporaryFolder folder;
  const auto model = stan_model(folder.write("different.stan",
                                             "parameters { vector[3] v; vector[2] w; }\n"
                                             "model { target += sum(v + w); }\n"));
  EXPECT_TRUE(std::isnan(evaluate(*model, Matrix::Zero(5, 1)).log_density(0)));
}

}  // namespace
}  // namespace ravi
