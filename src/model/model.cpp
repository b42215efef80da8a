// What every model has in common: default names, and the mini-batch estimate of the log density.
#include "ravi/model.hpp"

#include <fmt/format.h>

#include "model/names.hpp"

namespace ravi {

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
