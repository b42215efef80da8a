// What every model has in common: default names and quantities, checks of sizes, and the mini-batch
// estimate of the log density.
#include "ravi/model.hpp"

#include <fmt/format.h>

#include "model/model_sizes.hpp"
#include "model/names.hpp"
#include "ravi/error.hpp"

namespace ravi {

void detail::check_dimension(Index dimension) {
  if (dimension >= 0 && dimension <= kMostParameters) return;
  throw UsageError(fmt::format("the model has {} parameters, but it must have 0 to {}", dimension,
                               kMostParameters));
}

void detail::reject_gradient(Index size, Index dimension) {
  throw UsageError(
      fmt::format("the log density returned a gradient of {} elements, but the model has {} "
                  "parameters: {} are needed",
                  size, dimension, dimension));
}

std::vector<std::string> size_problems(const Model& model) {
  std::vector<std::string> problems;
  const Index p = model.dimension();
  const auto named = static_cast<Index>(model.unconstrained_names().size());
  const auto quantities = static_cast<Index>(model.parameter_names().size());
  if (named != p) {
    problems.push_back(fmt::format(
        "the model's unconstrained_names() are {}, but its dimension() is {}", named, p));
  }
  if (const Index judged = model.judged_quantities(); judged < 0 || judged > quantities) {
    problems.push_back(
        fmt::format("the model's judged_quantities() is {}, but it has {} parameter_names()",
                    judged, quantities));
  }
  if (const auto* rows = dynamic_cast<const RowModel*>(&model); rows && rows->rows() < 0) {
    problems.push_back(
        fmt::format("the model's rows() are {}, but must be 0 or more", rows->rows()));
  }
  return problems;
}

void append_indexed(std::vector<std::string>& names, std::string_view name, Index count) {
  for (Index i = 1; i <= count; ++i) names.push_back(fmt::format("{}[{}]", name, i));
}

void append_indexed(std::vector<std::string>& names, std::string_view name, Index rows,
                    Index cols) {
  for (Index j = 1; j <= cols; ++j) {
    for (Index i = 1; i <= rows; ++i) names.push_back(fmt::format("{}[{},{}]", name, i, j));
  }
}

void Model::log_density(const ConstMatrixRef& theta, VectorRef values) const {
  Matrix gradient(theta.rows(), theta.cols());
  evaluate(theta, values, gradient);
}

std::vector<std::string> Model::unconstrained_names() const {
  std::vector<std::string> names;
  append_indexed(names, "theta", dimension());
  return names;
}

void Model::constrain(const ConstMatrixRef& theta, MatrixRef quantities,
                      std::uint32_t /*seed*/) const {
  if (quantities.rows() != theta.rows()) {
    throw UsageError(
        fmt::format("the model's parameter_names() are {}, but its dimension() is {}: override "
                    "constrain(), which says what they are",
                    quantities.rows(), theta.rows()));
  }
  quantities = theta;
}

void RowModel::evaluate_rows(const ConstMatrixRef& theta, Rows chosen, VectorRef log_density,
                             MatrixRef gradient) const {
  log_density.setZero();
  gradient.setZero();
  add_log_likelihood(theta, chosen, log_density, gradient);
  if (!chosen.all) {
    const Index total = rows();
    const double scale = static_cast<double>(total) / static_cast<double>(chosen.count(total));
    log_density *= scale;
    gradient *= scale;
  }
  add_log_prior(theta, log_density, gradient);
}

}  // namespace ravi
