// What the regression models share: their data, their prior beta ~ N(0, I), their names.
#include "model/builtin/regression.hpp"

#include <fmt/format.h>

#include "core/numeric.hpp"
#include "model/names.hpp"
#include "ravi/error.hpp"

namespace ravi {
namespace {

using Files = std::vector<std::shared_ptr<const NpyArray>>;

// X and y where they are: in files, or side by side in memory. The name of y is for messages.
struct Source {
  Files files = {};
  Matrix columns = {};
  std::string target = "y";
};

[[noreturn]] void one_column(const Data& data) {
  throw UsageError(fmt::format(
      "{}: has one column, but a regression needs two or more: the last one is y, the others X",
      data.source()));
}

Source from_table(const Data& data) {
  const auto columns = data.variables();
  if (columns[0].file) {
    if (columns[0].dimensions[1] < 2) one_column(data);
    return {.files = {columns[0].file}, .target = columns[0].name};
  }
  const auto width = static_cast<Index>(columns.size());
  if (width < 2) one_column(data);
  const Index n = columns[0].dimensions[0];
  Source source{.columns = Matrix(width, n), .target = columns.back().name};
  for (Index k = 0; k < width; ++k) {
    source.columns.row(k) = data.vector(columns[static_cast<std::size_t>(k)].name, n).transpose();
  }
  return source;
}

Source from_arrays(const Data& data) {
  const Index n = data.integer("N", 1), p = data.integer("P", 1);
  const auto x = data.file("X", {n, p}), y = data.file("y", {n});
  if (x && y) return {.files = {x, y}};
  Source source{.columns = Matrix(p + 1, n)};
  source.columns << data.matrix("X", n, p).transpose(), data.vector("y", n).transpose();
  return source;
}

void check_binary(const Source& source, const Data& data) {
  const auto check = [&](double y, std::span<const Index> dimensions, Index position) {
    if (y == 0 || y == 1) return;
    data.reject(element_name(source.target, dimensions, static_cast<std::size_t>(position)),
                fmt::format("is {}, but it must be 0 or 1", y));
  };
  if (source.files.empty()) {
    const Index n = source.columns.cols();
    for (Index i = 0; i < n; ++i) {
      check(source.columns(source.columns.rows() - 1, i), std::span(&n, 1), i);
    }
    return;
  }
  const NpyArray& file = *source.files.back();
  const Index width = file.dimensions().size() == 1 ? 1 : file.dimensions()[1];
  for (Index last = width - 1; last < file.size(); last += width) {
    check(file[last], file.dimensions(), last);
  }
}

// Features times 2 y - 1.
void sign_features(MatrixRef rows) {
  const Index p = rows.rows() - 1;
  for (Index k = 0; k < rows.cols(); ++k) rows.col(k).head(p) *= 2 * rows(p, k) - 1;
}

}  // namespace

RowTable read_regression(const Data& data, Target target) {
  Source source = data.is_table() ? from_table(data) : from_arrays(data);
  const bool binary = target == Target::binary;
  if (binary) check_binary(source, data);
  const RowTable::Prepare prepare = binary ? sign_features : nullptr;
  if (source.files.empty()) return {std::move(source.columns), prepare, binary ? 1 : 0};
  return {std::move(source.files), prepare, binary ? 1 : 0};
}

void add_unit_normal_prior(const ConstMatrixRef& beta, VectorRef log_density, MatrixRef gradient) {
  log_density -= 0.5 * beta.colwise().squaredNorm().transpose();
  log_density.array() -= 0.5 * static_cast<double>(beta.rows()) * kLog2Pi;
  if (gradient.cols() > 0) gradient -= beta;
}

void log_density_alone(const RowModel& model, const ConstMatrixRef& beta, VectorRef values) {
  Matrix none(beta.rows(), 0);
  values.setZero();
  model.add_log_likelihood(beta, {}, values, none);
  model.add_log_prior(beta, values, none);
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
