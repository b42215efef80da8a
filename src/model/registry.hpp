// The built-in models by name.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "model/data.hpp"
#include "ravi/model.hpp"

namespace ravi {

struct ModelEntry {
  std::string_view name, description;
  std::string_view data;  // the variables it reads
  bool needs_data;
  std::unique_ptr<Model> (*make)(const Data&);  // handed empty data when there is none
  Data (*example)();                            // small made-up data, the same in every call
};

std::span<const ModelEntry> model_registry();

// Throws UsageError when no model has that name, when it needs data and gets none (null), and when
// it does not read some of what it gets.
std::unique_ptr<Model> make_builtin(std::string_view name, const Data* data);

}  // namespace ravi
