// Files that are there whole or not at all.
#include "core/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <system_error>
#include <utility>

#include "core/safe_text.hpp"
#include "ravi/error.hpp"

namespace ravi {
namespace {

constexpr std::string_view kTemporary = ".ravi-tmp";

// What a temporary file of this process is called: nobody else can know it, and put a link there.
std::filesystem::path temporary_for(const std::filesystem::path& path) {
  std::uint64_t unknown = 0;
  if (::getrandom(&unknown, sizeof unknown, 0) != static_cast<ssize_t>(sizeof unknown)) {
    unknown =
        static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  }
  return path.string() + fmt::format("{}{}-{:016x}", kTemporary, ::getpid(), unknown);
}

// A new file that was not there before; -1, with errno, when there can be none.
int create(const std::filesystem::path& path) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

// A temporary file that becomes the target, or is gone.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& target)
      : target_(target), path_(temporary_for(target)) {
    refuse_to_replace_what_is_no_file();
    file_ = create(path_);
    if (file_ < 0) fail(std::strerror(errno));
  }
  ~TemporaryFile() {
    if (file_ >= 0) ::close(file_);
    if (file_ >= 0 || closed_) ::unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  void append(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = ::write(file_, text.data(), text.size());
      if (written >= 0) {
        text.remove_prefix(static_cast<std::size_t>(written));
      } else if (errno != EINTR) {
        fail(std::strerror(errno));
      }
    }
  }
  void become_target() {
    if (::fsync(file_) != 0 && errno != EINVAL) fail(std::strerror(errno));
    closed_ = true;
    const int problem = ::close(std::exchange(file_, -1));
    if (problem != 0 || ::rename(path_.c_str(), target_.c_str()) != 0) fail(std::strerror(errno));
    closed_ = false;  // and there is nothing left to remove
  }

 private:
  // Renaming would put a file in the place of /dev/null.
  void refuse_to_replace_what_is_no_file() const {
    struct stat there {};
    if (::stat(target_.c_str(), &there) != 0 || S_ISREG(there.st_mode)) return;
    fail(S_ISDIR(there.st_mode) ? "it is a folder" : "it is not a file on disk");
  }
  [[noreturn]] void fail(const char* reason) const {
    throw EnvironmentError(
        fmt::format("{}: cannot be written: {}", safe_line(target_.string()), reason));
  }

  std::filesystem::path target_, path_;
  int file_ = -1;
  bool closed_ = false;  // but not renamed
};

// errno of an attempt to make a file in the folder, 0 when it can be made.
int try_to_write(const std::filesystem::path& folder) {
  const std::filesystem::path probe = temporary_for(folder / "probe");
  const int file = create(probe);
  if (file < 0) return errno;
  ::close(file);
  ::unlink(probe.c_str());
  return 0;
}

// Whether the file is a temporary one of a process that is no more.
bool abandoned(const std::string& name) {
  const std::size_t at = name.rfind(kTemporary);
  if (at == std::string::npos) return false;
  const std::string_view digits = std::string_view(name).substr(at + kTemporary.size());
  const char* const end = digits.data() + digits.size();
  pid_t process = 0;
  const auto parsed = std::from_chars(digits.data(), end, process);
  if (parsed.ec != std::errc() || process <= 0) return false;
  if (parsed.ptr != end && *parsed.ptr != '-') return false;
  return ::kill(process, 0) != 0 && errno == ESRCH;
}

void remove_abandoned(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (abandoned(entry.path().filename().string())) found.push_back(entry.path());
  }
  for (const auto& path : found) std::filesystem::remove(path, ignored);
}

}  // namespace

void write_atomically(const std::filesystem::path& path,
                      const std::function<void(const Sink&)>& write) {
  TemporaryFile file(path);
  write([&](std::string_view text) { file.append(text); });
  file.become_target();
}

void write_atomically(const std::filesystem::path& path, std::string_view text) {
  write_atomically(path, [&](const Sink& sink) { sink(text); });
}

std::unique_ptr<FolderLock> prepare_folder(const std::filesystem::path& folder,
                                           const std::vector<std::string>& files, bool overwrite) {
  const std::string shown = safe_line(folder.string());
  std::error_code error, ignored;
  std::filesystem::create_directories(folder, error);
  if (error == std::errc::not_a_directory || error == std::errc::file_exists ||
      (!error && !std::filesystem::is_directory(folder, ignored))) {
    throw UsageError(
        fmt::format("{} cannot be the output folder: there is a file of that name", shown));
  }
  if (!error) {
    if (const int problem = try_to_write(folder)) error.assign(problem, std::generic_category());
  }
  if (error) {
    throw EnvironmentError(
        fmt::format("the output folder {} cannot be written to: {}", shown, error.message()));
  }
  auto lock = std::make_unique<FolderLock>(folder);
  remove_abandoned(folder);
  if (!overwrite) refuse_existing(folder, files);
  return lock;
}

void refuse_existing(const std::filesystem::path& folder, const std::vector<std::string>& files) {
  std::error_code ignored;
  for (const std::string& file : files) {
    if (!std::filesystem::exists(std::filesystem::symlink_status(folder / file, ignored))) continue;
    throw UsageError(fmt::format("{} already exists; --overwrite replaces it",
                                 safe_line((folder / file).string())));
  }
}

}  // namespace ravi
