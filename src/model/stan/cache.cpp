// The folder of compiled libraries: where it is, and whether it can be trusted.
#include "model/stan/cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "core/files.hpp"
#include "ravi/error.hpp"
#include "ravi/stan.hpp"

namespace ravi {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWhatToSet =
    "set XDG_CACHE_HOME to the absolute path of a folder that you alone can write to";

// The absolute path in a variable; empty when it is not set.
fs::path absolute_path(const char* variable) {
  const char* value = std::getenv(variable);
  const fs::path path = value == nullptr ? "" : value;
  if (path.empty() || path.is_absolute()) return path;
  throw EnvironmentError(
      fmt::format("{} is {}, but the folder for compiled models must not depend on where ravi is "
                  "started; {}",
                  variable, path.string(), kWhatToSet));
}

bool trusted_owner(const struct stat& s) { return s.st_uid == 0 || s.st_uid == ::geteuid(); }

// A group of one's own is oneself: there, home folders are made writable for it.
bool others_can_write(const struct stat& s) {
  return (s.st_mode & S_IWOTH) != 0 || ((s.st_mode & S_IWGRP) != 0 && s.st_gid != ::getegid());
}

// Why somebody else can decide what is under that path; empty when nobody can.
std::string distrust(const fs::path& path, bool is_last) {
  struct stat link, target;
  if (::lstat(path.c_str(), &link) != 0 || ::stat(path.c_str(), &target) != 0) {
    return fmt::format("{}: {}", path.string(), std::strerror(errno));
  }
  for (const struct stat& s : {link, target}) {
    if (!trusted_owner(s)) return fmt::format("{} belongs to user {}", path.string(), s.st_uid);
  }
  // In a sticky folder, as /tmp is, others cannot touch what is not theirs.
  const bool sticky = !is_last && (target.st_mode & S_ISVTX) != 0;
  if (!S_ISDIR(target.st_mode)) return fmt::format("{} is no folder", path.string());
  if (others_can_write(target) && !sticky) {
    return fmt::format("{} can be written to by others", path.string());
  }
  return {};
}

std::string distrust_on_the_way(const fs::path& folder) {
  fs::path path;
  std::string why;
  for (auto part = folder.begin(); part != folder.end() && why.empty(); ++part) {
    path /= *part;
    why = distrust(path, std::next(part) == folder.end());
  }
  return why;
}

// As XDG asks for: what has to be made is for the user alone.
void make_folders(const fs::path& folder) {
  fs::path path;
  for (const fs::path& part : folder) {
    path /= part;
    if (::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST || errno == EISDIR) continue;
    // A folder that is there need not be one that can be written to.
    const int problem = errno;
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) continue;
    throw EnvironmentError(fmt::format("the folder for compiled models, {}, cannot be made: {}; {}",
                                       folder.string(), std::strerror(problem), kWhatToSet));
  }
}

}  // namespace

std::string stan_cache_folder() {
  fs::path base = absolute_path("XDG_CACHE_HOME");
  if (base.empty()) {
    const fs::path home = absolute_path("HOME");
    if (home.empty()) {
      throw EnvironmentError(fmt::format(
          "HOME is not set, so there is no folder for compiled models; {}", kWhatToSet));
    }
    base = home / ".cache";
  }
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

fs::path open_cache() {
  const fs::path folder = stan_cache_folder();
  make_folders(folder);
  std::string why = distrust_on_the_way(folder);
  // Links on the way lead through other folders.
  std::error_code ignored;
  if (why.empty()) why = distrust_on_the_way(fs::canonical(folder, ignored));
  if (!why.empty()) {
    throw EnvironmentError(
        fmt::format("the folder for compiled models, {}, cannot be trusted, and what is in it "
                    "would be run: {}; {}",
                    folder.string(), why, kWhatToSet));
  }
  return folder;
}

std::optional<std::string> read_kept(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  // Of the open file, which no name can be given to meanwhile.
  struct stat s;
  const bool trusted =
      ::fstat(file, &s) == 0 && S_ISREG(s.st_mode) && trusted_owner(s) && !others_can_write(s);
  std::string content(trusted ? static_cast<std::size_t>(s.st_size) : 0, '\0');
  std::size_t size = 0;
  while (size < content.size()) {
    const ssize_t more = ::read(file, content.data() + size, content.size() - size);
    if (more > 0) {
      size += static_cast<std::size_t>(more);
    } else if (more == 0 || errno != EINTR) {
      break;
    }
  }
  ::close(file);
  if (!trusted || size != content.size()) return std::nullopt;
  return content;
}

void keep(const fs::path& path, const std::string& content) {
  write_atomically(path, content);
  std::error_code error;
  fs::permissions(path, fs::perms::group_write | fs::perms::others_write, fs::perm_options::remove,
                  error);
  if (error) {
    throw EnvironmentError(
        fmt::format("{}: cannot be written: {}", path.string(), error.message()));
  }
}

}  // namespace ravi
