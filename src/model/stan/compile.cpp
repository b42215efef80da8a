// From a .stan file to a shared library in the cache.
#include "model/stan/compile.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

#include "core/content_hash.hpp"
#include "core/json_file.hpp"
#include "model/stan/build_job.hpp"
#include "model/stan/cache.hpp"
#include "model/stan/program.hpp"
#include "model/stan/toolchain.hpp"
#include "ravi/error.hpp"

namespace ravi {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

void check_writable(const fs::path& cache) {
  if (::access(cache.c_str(), W_OK) == 0) return;
  throw EnvironmentError(fmt::format(
      "the folder for compiled models, {}, cannot be written to: {}; set XDG_CACHE_HOME to one "
      "that can be",
      cache.string(), std::strerror(errno)));
}

// A library of the cache that is still what was built.
std::optional<LibraryImage> kept_library(const fs::path& path) {
  std::optional<std::string> bytes = read_kept(path);
  if (!bytes || !has_intact_seal(*bytes)) return std::nullopt;
  return LibraryImage{path.string(), std::move(*bytes), true};
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

LibraryImage compiled_library(const std::string& path, const StanOptions& options) {
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
  const fs::path cache = open_cache();
  const std::string key = fmt::format("{}-{}", identifier(program.stem), content_hash(parts));
  const fs::path library = cache / (key + ".so");
  if (auto kept = kept_library(library)) return *kept;

  check_writable(cache);
  const auto lock = job.lock(cache / (key + ".lock"));
  if (auto kept = kept_library(library)) return *kept;
  const BuildFolder build(cache / (key + ".build"));
  const fs::path built = bridgestan.empty() ? build_with_debian(job, tools, cache, build.path())
                                            : build_with_bridgestan(job, bridgestan, build.path());
  LibraryImage image{library.string(), with_seal(read_text(built.string())), true};
  keep(library, image.bytes);
  job.say(fmt::format("compiled in {:.0f} s, kept in {}", job.seconds(), cache.string()));
  return image;
}

std::string compile_stan(const std::string& path, const StanOptions& options) {
  return compiled_library(path, options).path;
}

}  // namespace ravi
