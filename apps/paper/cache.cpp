// Results on disk.
#include "paper/cache.hpp"

#include <nlohmann/json.hpp>

#include "core/content_hash.hpp"
#include "core/files.hpp"
#include "core/json_file.hpp"
#include "output/json_values.hpp"
#include "ravi/error.hpp"

namespace ravi::paper {

namespace {

// A name for the program as it is: a result belongs to the code that found it.
std::string hash_of_program() {
  const std::string content = read_text("/proc/self/exe");
  return content_hash(std::span(&content, 1));
}

}  // namespace

Cache::Cache(std::filesystem::path folder)
    : folder_(std::move(folder)),
      program_(hash_of_program()),
      lock_(prepare_folder(folder_, {}, true)) {}

std::filesystem::path Cache::path_of(const Run& run) const {
  return folder_ / (run.name() + ".json");
}

std::optional<Result> Cache::find(const Run& run) const {
  const std::filesystem::path path = path_of(run);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  try {
    const nlohmann::json j = read_json(path.string());
    // The name is a hash; the settings beside the result are the proof.
    if (j.at("settings") != nlohmann::json::parse(run.settings())) return std::nullopt;
    if (j.at("program") != program_) return std::nullopt;
    return result_from_json(j.at("result"));
  } catch (const UsageError&) {
    return std::nullopt;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

void Cache::store(const Run& run, const Result& result) const {
  write_atomically(path_of(run), layout({{"program", program_},
                                         {"settings", OrderedJson::parse(run.settings())},
                                         {"result", to_json(result)}}));
}

}  // namespace ravi::paper
