// One compilation of a Stan program.
#include "model/stan/build_job.hpp"

#include <algorithm>
#include <cctype>

#include "core/files.hpp"
#include "ravi/error.hpp"

namespace ravi {

namespace fs = std::filesystem;

void BuildJob::say(const std::string& text) const {
  if (options_.progress) options_.progress(fmt::format("{}: {}", program_.path, text));
}

ProcessResult BuildJob::run(const std::vector<std::string>& command,
                            const Environment& changed) const {
  ProcessResult result = run_process(command, changed, [this] { return stop_requested(); });
  if (result.stopped || stop_requested()) give_up();
  return result;
}

std::unique_ptr<FileLock> BuildJob::lock(const fs::path& path) const {
  auto lock = std::make_unique<FileLock>(
      path, [this] { say("waiting for another process that is compiling the same"); },
      [this] { return stop_requested(); });
  if (!lock->held()) give_up();
  return lock;
}

void BuildJob::give_up() const {
  throw EnvironmentError(fmt::format("{}: the compilation was interrupted", program_.path));
}

fs::path write_sources(const StanProgram& program, const fs::path& folder,
                       const std::function<std::string(const std::string&)>& change) {
  for (const auto& [name, text] : program.included) {
    const fs::path relative = fs::path(name).lexically_normal();
    if (relative.is_absolute() || *relative.begin() == "..") continue;
    std::error_code ignored;
    const fs::path path = folder / relative;
    fs::create_directories(path.parent_path(), ignored);
    write_atomically(path, change(text));
  }
  const fs::path file = folder / (identifier(program.stem) + ".stan");
  write_atomically(file, change(program.text));
  return file;
}

std::string identifier(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return c > 127 || std::isalnum(c) == 0; }, '_');
  return text;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

void move_into_place(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) {
    throw EnvironmentError(fmt::format("{}: cannot be written: {}", to.string(), error.message()));
  }
}

}  // namespace ravi
