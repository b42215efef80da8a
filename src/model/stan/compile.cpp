// From a .stan file to a shared library in the cache.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "core/content_hash.hpp"
#include "core/json_file.hpp"
#include "model/stan/build_job.hpp"
#include "model/stan/program.hpp"
#include "model/stan/toolchain.hpp"
#include "ravi/error.hpp"
#include "ravi/stan.hpp"

namespace ravi {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

void make_cache_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && ::access(folder.c_str(), W_OK) != 0) error.assign(errno, std::generic_category());
  if (error) {
    throw EnvironmentError(fmt::format(
        "the folder for compiled models, {}, cannot be written to: {}; set XDG_CACHE_HOME to one "
        "that can be",
        folder.string(), error.message()));
  }
}

// An empty folder that is removed in the end; so is what an earlier process left when it died.
class BuildFolder {
 public:
  explicit BuildFolder(fs::path path) : path_(std::move(path)) {
    std::error_code error;
    fs::remove_all(path_, error);
    if (!error) fs::create_directories(path_, error);
    if (error) {
      throw EnvironmentError(
          fmt::format("{}: cannot be made: {}", path_.string(), error.message()));
    }
  }
  ~BuildFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  BuildFolder(const BuildFolder&) = delete;
  BuildFolder& operator=(const BuildFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string bridgestan_folder() {
  const std::string folder = variable("BRIDGESTAN");
  std::error_code ignored;
  if (!folder.empty() && !fs::exists(fs::path(folder) / "Makefile", ignored)) {
    throw EnvironmentError(fmt::format(
        "BRIDGESTAN is {}, but there is no Makefile in that folder; unset it to compile with "
        "Debian's Stan",
        folder));
  }
  return folder;
}

// What, besides the program, decides what the library is.
std::vector<std::string> build_description(const std::string& bridgestan, const Toolchain& tools,
                                           bool threads) {
  if (bridgestan.empty()) return debian_build_description(tools);
  std::error_code ignored;
  const fs::path version = fs::path(bridgestan) / "src/version.hpp";
  return {"bridgestan", fs::absolute(bridgestan).string(), threads ? "threads" : "",
          fs::exists(version, ignored) ? read_text(version.string()) : ""};
}

}  // namespace

std::string stan_cache_folder() {
  fs::path base = variable("XDG_CACHE_HOME");
  if (base.empty()) base = fs::path(variable("HOME")) / ".cache";
  return (base / "ravi" / "stan").string();
}

std::uintmax_t clean_stan_cache() {
  std::uintmax_t bytes = 0;
  std::error_code error;
  const fs::path folder = stan_cache_folder();
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    std::error_code ignored;
    if (entry.is_regular_file(ignored)) bytes += entry.file_size(ignored);
  }
  fs::remove_all(folder, error);
  if (error) {
    throw EnvironmentError(
        fmt::format("{}: cannot be removed: {}", folder.string(), error.message()));
  }
  return bytes;
}

std::string compile_stan(const std::string& path, const StanOptions& options) {
  const StanProgram program = read_program(path);
  const BuildJob job(program, options);
  const std::string bridgestan = bridgestan_folder();
  const Toolchain tools = bridgestan.empty() ? find_toolchain(options) : Toolchain{};

  std::vector<std::string> parts = build_description(bridgestan, tools, options.threads);
  parts.push_back(program.stem);  // messages carry it
  parts.push_back(program.text);
  for (const auto& [name, text] : program.included) {
    parts.push_back(name);
    parts.push_back(text);
  }
  const fs::path cache = stan_cache_folder();
  const std::string key = fmt::format("{}-{}", identifier(program.stem), content_hash(parts));
  const fs::path library = cache / (key + ".so");
  std::error_code ignored;
  if (fs::exists(library, ignored)) return library.string();

  make_cache_folder(cache);
  const auto lock = job.lock(cache / (key + ".lock"));
  if (fs::exists(library, ignored)) return library.string();
  const BuildFolder build(cache / (key + ".build"));
  move_into_place(bridgestan.empty() ? build_with_debian(job, tools, cache, build.path())
                                     : build_with_bridgestan(job, bridgestan, build.path()),
                  library);
  job.say(fmt::format("compiled in {:.0f} s, kept in {}", job.seconds(), cache.string()));
  return library.string();
}

}  // namespace ravi
