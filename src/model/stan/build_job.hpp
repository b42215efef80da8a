// One compilation of a Stan program: what is compiled, how that is told, and when to stop.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/file_lock.hpp"
#include "core/process.hpp"
#include "model/stan/program.hpp"
#include "model/stan/toolchain.hpp"
#include "ravi/stan.hpp"

namespace ravi {

class BuildJob {
 public:
  BuildJob(const StanProgram& program, const StanOptions& options)
      : program_(program), options_(options), started_(std::chrono::steady_clock::now()) {}

  const StanProgram& program() const { return program_; }
  bool threads() const { return options_.threads; }
  bool stop_requested() const { return options_.stop_requested && *options_.stop_requested; }
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  }

  // Tells the user, after the program's name.
  void say(const std::string& text) const;
  // Runs a program; throws EnvironmentError when the user stops it.
  ProcessResult run(const std::vector<std::string>& command, const Environment& changed = {}) const;
  // Waits for the lock, and says so; throws EnvironmentError when the user stops that.
  std::unique_ptr<FileLock> lock(const std::filesystem::path& path) const;

 private:
  [[noreturn]] void give_up() const;

  const StanProgram& program_;
  const StanOptions& options_;
  std::chrono::steady_clock::time_point started_;
};

// Writes the program and what it includes, changed by `change`, to a folder, and returns the
// program's path there. An included file whose name leads out of the folder is left for the
// compiler to find in the user's.
std::filesystem::path write_sources(const StanProgram& program, const std::filesystem::path& folder,
                                    const std::function<std::string(const std::string&)>& change);

// Letters, digits and underscores, so that it can be part of a C++ name.
std::string identifier(std::string text);
void replace_all(std::string& text, std::string_view from, std::string_view to);
// Throws EnvironmentError.
void move_into_place(const std::filesystem::path& from, const std::filesystem::path& to);

// The two ways to a library, both inside the given empty folder. The first keeps what serves all
// programs in the cache. They throw UsageError, with the user's line, when the program is wrong,
// and EnvironmentError when the compiler fails.
std::filesystem::path build_with_debian(const BuildJob& job, const Toolchain& tools,
                                        const std::filesystem::path& cache,
                                        const std::filesystem::path& folder);
std::filesystem::path build_with_bridgestan(const BuildJob& job, const std::string& bridgestan,
                                            const std::filesystem::path& folder);

// What, besides the program, decides what build_with_debian() makes.
std::vector<std::string> debian_build_description(const Toolchain& tools);

}  // namespace ravi
