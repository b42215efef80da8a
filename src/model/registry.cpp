// The built-in models by name: one line each.
#include "model/registry.hpp"

#include <fmt/format.h>

#include <vector>

#include "core/registry.hpp"
#include "model/builtin/entries.hpp"
#include "ravi/error.hpp"

namespace ravi {

std::span<const ModelEntry> model_registry() {
  static const std::vector<ModelEntry> entries = {
      linear_regression_entry(),
      logistic_regression_entry(),
      eight_schools_centered_entry(),
      eight_schools_noncentered_entry(),
      radon_entry(),
      radon_unpooled_entry(),
      mnist_nn_entry(),
      gaussian_entry(),
      funnel_entry(),
      bimodal_entry(),
      cauchy_entry(),
      student_t_entry(),
  };
  return entries;
}

std::unique_ptr<Model> make_builtin(std::string_view name, const Data* data) {
  const ModelEntry& entry = entry_of(model_registry(), name, "model");
  if (entry.needs_data && data == nullptr) {
    throw UsageError(fmt::format("model '{}' needs data: {}", name, entry.data));
  }
  if (data == nullptr) return entry.make(Data());
  std::unique_ptr<Model> model = entry.make(*data);
  if (const std::vector<std::string> unread = data->unread(); !unread.empty()) {
    throw UsageError(fmt::format(
        "{}: {}", data->source(),
        no_such_name(fmt::format("variable of {}", name), unread.front(), data->asked())));
  }
  return model;
}

}  // namespace ravi
