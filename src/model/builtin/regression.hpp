// What the regression models share: their data, their prior beta ~ N(0, I), their names.
#pragma once

#include <string>
#include <vector>

#include "model/data.hpp"

namespace ravi {

struct RegressionData {
  Matrix features;  // P x N: one column per row of the table
  Vector target;    // N
};

// JSON: N, P, X[N,P], y[N]. CSV: the last column is y, the others are X.
RegressionData read_regression(const Data& data);

// Throws UsageError unless every target is 0 or 1.
void check_binary(const Vector& target, const Data& data);

// Adds sum_k log N(beta_k | 0, 1) and its gradient.
void add_unit_normal_prior(const ConstMatrixRef& beta, VectorRef log_density, MatrixRef gradient);

std::vector<std::string> regression_names(Index p);  // beta[1], ...

// Six rows of three features; the target is a number, or 0 and 1.
Data example_regression(bool binary);

}  // namespace ravi
