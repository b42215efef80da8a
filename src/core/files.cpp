// Files that are there whole or not at all.
#include "core/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "ravi/error.hpp"

namespace ravi {
namespace {

std::filesystem::path temporary_for(const std::filesystem::path& path) {
  return path.string() + fmt::format(".tmp{}", ::getpid());
}

// errno of the first thing that failed, 0 when all went well.
int write_all(const std::filesystem::path& path, std::string_view text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return errno;
  int problem = 0;
  while (!text.empty() && problem == 0) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      problem = errno;
    }
  }
  if (problem == 0 && ::fsync(file) != 0 && errno != EINVAL) problem = errno;
  if (::close(file) != 0 && problem == 0) problem = errno;
  return problem;
}

}  // namespace

void write_atomically(const std::filesystem::path& path, std::string_view text) {
  const std::filesystem::path temporary = temporary_for(path);
  int problem = write_all(temporary, text);
  if (problem == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) problem = errno;
  if (problem == 0) return;
  ::unlink(temporary.c_str());
  throw EnvironmentError(
      fmt::format("{}: cannot be written: {}", path.string(), std::strerror(problem)));
}

void prepare_folder(const std::filesystem::path& folder, std::string_view marker, bool overwrite) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error && !std::filesystem::is_directory(folder)) {
    error = std::make_error_code(std::errc::not_a_directory);
  }
  const std::filesystem::path probe = temporary_for(folder / marker);
  if (!error) {
    if (const int problem = write_all(probe, "")) error.assign(problem, std::generic_category());
    ::unlink(probe.c_str());
  }
  if (error) {
    throw UsageError(fmt::format("the output folder {} cannot be written to: {}", folder.string(),
                                 error.message()));
  }
  if (!overwrite && std::filesystem::exists(folder / marker)) {
    throw UsageError(
        fmt::format("{} already exists; --overwrite replaces it", (folder / marker).string()));
  }
}

}  // namespace ravi
