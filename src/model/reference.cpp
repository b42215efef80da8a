// Reference posteriors: the moments that an approximation is scored against.
#include "model/reference.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/json_file.hpp"
#include "model/data_formats.hpp"
#include "ravi/error.hpp"

namespace ravi {
namespace {

std::vector<std::string> read_names(const nlohmann::json& document, const std::string& path) {
  const auto found = document.find("parameters");
  if (found == document.end() || !found->is_array() || found->empty() ||
      !std::all_of(found->begin(), found->end(), [](const auto& n) { return n.is_string(); })) {
    throw UsageError(fmt::format("{}: parameters must be an array of names", path));
  }
  return found->get<std::vector<std::string>>();
}

void check_covariance(const Matrix& cov, const std::string& name, const Data& data) {
  for (Index j = 0; j < cov.cols(); ++j) {
    for (Index i = 0; i < j; ++i) {
      // Room for moments that were written with eight digits.
      const double size = std::sqrt(std::abs(cov(i, i) * cov(j, j)));
      if (std::abs(cov(i, j) - cov(j, i)) <= 1e-8 * size) continue;
      data.reject(name, fmt::format("is not symmetric: element [{},{}] is {}, but [{},{}] is {}",
                                    i + 1, j + 1, cov(i, j), j + 1, i + 1, cov(j, i)));
    }
  }
  if (Eigen::LLT<Matrix>(cov).info() != Eigen::Success) {
    data.reject(name, "is not positive definite");
  }
}

}  // namespace

Reference read_reference(const std::string& path) {
  const nlohmann::json document = read_json(path);
  if (!document.is_object()) {
    throw UsageError(fmt::format("{}: a reference must be an object of named values", path));
  }
  Reference reference;
  reference.parameters = read_names(document, path);
  const auto p = static_cast<Index>(reference.parameters.size());

  const nlohmann::json* moments = &document;
  std::string prefix;
  for (const char* better : {"exact", "importance_sampling"}) {
    const auto found = document.find(better);
    if (found == document.end() || !found->is_object()) continue;
    moments = &*found;
    prefix = fmt::format("{}.", better);
    break;
  }
  Data data(path);
  for (const char* key : {"mean", "cov"}) {
    if (moments->contains(key)) add_json(data, prefix + key, moments->at(key));
  }
  reference.mean = data.vector(prefix + "mean", p);
  reference.cov = data.matrix(prefix + "cov", p, p);
  check_covariance(reference.cov, prefix + "cov", data);
  reference.cov = 0.5 * (reference.cov + reference.cov.transpose()).eval();
  return reference;
}

void check_reference(const Reference& reference, const Model& model) {
  const std::vector<std::string> names = model.unconstrained_names();
  const std::size_t common = std::min(names.size(), reference.parameters.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (names[i] == reference.parameters[i]) continue;
    throw UsageError(fmt::format("the reference's parameter {} is {}, but the model's is {}", i + 1,
                                 reference.parameters[i], names[i]));
  }
  if (names.size() != reference.parameters.size()) {
    throw UsageError(fmt::format("the reference has {} parameters, but the model has {}",
                                 reference.parameters.size(), names.size()));
  }
}

Reference read_reference(const std::string& path, const Model& model) {
  Reference reference = read_reference(path);
  try {
    check_reference(reference, model);
  } catch (const UsageError& e) {
    throw UsageError(fmt::format("{}: {}", path, e.what()));
  }
  return reference;
}

}  // namespace ravi
