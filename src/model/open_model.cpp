// A model by what a user calls it.
#include "model/open_model.hpp"

#include <nlohmann/json.hpp>

#include "core/content_hash.hpp"
#include "core/json_file.hpp"
#include "core/provenance.hpp"
#include "core/registry.hpp"
#include "model/data_formats.hpp"
#include "model/registry.hpp"

namespace ravi {

std::unique_ptr<Model> open_model(const std::string& name, const std::string& data,
                                  const StanOptions& stan) {
  if (is_stan_path(name)) return stan_model(name, data, stan);
  // An unknown name is reported before a missing file.
  entry_of(model_registry(), name, "model");
  if (data.empty()) return make_builtin(name, nullptr);
  const Data content =
      data.front() == '{' ? data_from_json(parse_json(data, "data"), "data") : read_data(data);
  return make_builtin(name, &content);
}

Provenance::Source program_source(const std::string& name) {
  return is_stan_path(name) ? Provenance::Source{name, file_hash(name)} : Provenance::Source{};
}

Provenance::Source data_source(const std::string& data) {
  if (data.starts_with('{')) return {{}, content_hash(std::span(&data, 1))};
  return data.empty() ? Provenance::Source{} : Provenance::Source{data, file_hash(data)};
}

}  // namespace ravi
