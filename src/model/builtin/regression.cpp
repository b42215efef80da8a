// What the regression models share: their data, their prior beta ~ N(0, I), their names.
#include "model/builtin/regression.hpp"

#include <fmt/format.h>

#include "core/numeric.hpp"
#include "model/names.hpp"
#include "ravi/error.hpp"

namespace ravi {
namespace {

RegressionData from_table(const Data& data) {
  const auto columns = data.variables();
  const auto p = static_cast<Index>(columns.size()) - 1;
  if (p < 1) {
    throw UsageError(fmt::format(
        "{}: has one column, but a regression needs two or more: the last one is y, the others X",
        data.source()));
  }
  const Index n = columns[0].dimensions[0];
  RegressionData result{Matrix(p, n), data.vector(columns.back().name, n)};
  for (Index k = 0; k < p; ++k) {
    result.features.row(k) = data.vector(columns[static_cast<std::size_t>(k)].name, n).transpose();
  }
  return result;
}

}  // namespace

RegressionData read_regression(const Data& data) {
  if (data.is_table()) return from_table(data);
  const Index n = data.integer("N", 1), p = data.integer("P", 1);
  return {data.matrix("X", n, p).transpose(), data.vector("y", n)};
}

void check_binary(const Vector& target, const Data& data) {
  const std::string name = data.is_table() ? data.variables().back().name : "y";
  for (Index i = 0; i < target.size(); ++i) {
    if (target(i) == 0 || target(i) == 1) continue;
    data.reject(fmt::format("{}[{}]", name, i + 1),
                fmt::format("is {}, but it must be 0 or 1", target(i)));
  }
}

void add_unit_normal_prior(const ConstMatrixRef& beta, VectorRef log_density, MatrixRef gradient) {
  log_density -= 0.5 * beta.colwise().squaredNorm().transpose();
  log_density.array() -= 0.5 * static_cast<double>(beta.rows()) * kLog2Pi;
  gradient -= beta;
}

std::vector<std::string> regression_names(Index p) {
  std::vector<std::string> names;
  append_indexed(names, "beta", p);
  return names;
}

Data example_regression(bool binary) {
  Matrix x(6, 3);
  x << 0.4, -1.2, 0.7, 1.1, 0.3, -0.5, -0.8, 0.9, 0.2, 0.1, -0.6, 1.5, -1.4, 0.8, -0.9, 0.6, 1.3,
      0.4;
  Vector y(6);
  if (binary) {
    y << 1, 0, 0, 1, 0, 1;
  } else {
    y << 0.9, 1.4, -0.7, 0.3, -2.1, 0.8;
  }
  Data data("example");
  return data.add("N", 6).add("P", 3).add("X", x).add("y", y);
}

}  // namespace ravi
