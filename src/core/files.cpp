// Files that are there whole or not at all.
#include "core/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <system_error>

#include "ravi/error.hpp"

namespace ravi {
namespace {

constexpr std::string_view kTemporary = ".ravi-tmp";

std::filesystem::path temporary_for(const std::filesystem::path& path) {
  return path.string() + fmt::format("{}{}", kTemporary, ::getpid());
}

// A temporary file that becomes the target, or is gone.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& target)
      : target_(target),
        path_(temporary_for(target)),
        file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
    if (file_ < 0) fail(errno);
  }
  ~TemporaryFile() {
    if (file_ >= 0) ::close(file_);
    if (!renamed_) ::unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  void append(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = ::write(file_, text.data(), text.size());
      if (written >= 0) {
        text.remove_prefix(static_cast<std::size_t>(written));
      } else if (errno != EINTR) {
        fail(errno);
      }
    }
  }
  void become_target() {
    if (::fsync(file_) != 0 && errno != EINVAL) fail(errno);
    const int closed = ::close(file_);
    file_ = -1;
    if (closed != 0 || ::rename(path_.c_str(), target_.c_str()) != 0) fail(errno);
    renamed_ = true;
  }

 private:
  [[noreturn]] void fail(int problem) const {
    throw EnvironmentError(
        fmt::format("{}: cannot be written: {}", target_.string(), std::strerror(problem)));
  }

  std::filesystem::path target_, path_;
  int file_;
  bool renamed_ = false;
};

// errno of an attempt to make a file in the folder, 0 when it can be made.
int try_to_write(const std::filesystem::path& folder) {
  const std::filesystem::path probe = temporary_for(folder / "probe");
  const int file = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
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
  if (parsed.ec != std::errc() || parsed.ptr != end || process <= 0) return false;
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

void prepare_folder(const std::filesystem::path& folder, const std::vector<std::string>& files,
                    bool overwrite) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error && !std::filesystem::is_directory(folder)) {
    error = std::make_error_code(std::errc::not_a_directory);
  }
  if (!error) {
    if (const int problem = try_to_write(folder)) error.assign(problem, std::generic_category());
  }
  if (error) {
    throw UsageError(fmt::format("the output folder {} cannot be written to: {}", folder.string(),
                                 error.message()));
  }
  remove_abandoned(folder);
  if (overwrite) return;
  for (const std::string& file : files) {
    if (!std::filesystem::exists(folder / file)) continue;
    throw UsageError(
        fmt::format("{} already exists; --overwrite replaces it", (folder / file).string()));
  }
}

}  // namespace ravi
