// What the regression models share: their data, their prior beta ~ N(0, I), their names.
#pragma once

#include <string>
#include <vector>

#include "model/data.hpp"
#include "model/row_table.hpp"

namespace ravi {

// JSON: N, P, X[N,P], y[N]. CSV and .npy: the last column is y, the others are X. What is in .npy
// files is left there.
enum class Target {
  number,  // a row of the result is x_i, then y_i
  binary   // a row is (2 y_i - 1) x_i, all that a likelihood needs; throws unless y_i is 0 or 1
};
RowTable read_regression(const Data& data, Target target);

// Adds sum_k log N(beta_k | 0, 1) and its gradient, unless that has no columns.
void add_unit_normal_prior(const ConstMatrixRef& beta, VectorRef log_density, MatrixRef gradient);

// Of models that leave out a gradient without columns.
void log_density_alone(const RowModel& model, const ConstMatrixRef& beta, VectorRef values);

std::vector<std::string> regression_names(Index p);  // beta[1], ...

// Six rows of three features; the target is a number, or 0 and 1.
Data example_regression(bool binary);

}  // namespace ravi
