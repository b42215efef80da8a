// One process at a time, by flock().
#include "core/file_lock.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <thread>

#include "core/safe_text.hpp"
#include "ravi/error.hpp"

namespace ravi {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* what, int problem) {
  throw EnvironmentError(
      fmt::format("{}: cannot be {}: {}", safe_line(path.string()), what, std::strerror(problem)));
}

// A link that somebody put in its place is not followed.
int open_lock(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (file < 0) fail(path, "written", errno);
  return file;
}

// 0, or why not; EWOULDBLOCK when somebody else has it.
int try_to_lock(int file) {
  while (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

}  // namespace

FileLock::FileLock(const std::filesystem::path& path, const std::function<void()>& on_wait,
                   const std::function<bool()>& stop)
    : file_(open_lock(path)) {
  for (bool waiting = false;; waiting = true) {
    const int problem = try_to_lock(file_);
    if (problem != 0 && problem != EWOULDBLOCK) {
      ::close(file_);
      fail(path, "locked", problem);
    }
    held_ = problem == 0;
    if (held_ || (stop && stop())) return;
    if (!waiting) on_wait();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

FileLock::~FileLock() { ::close(file_); }

FolderLock::FolderLock(const std::filesystem::path& folder) : path_(folder / ".ravi-lock") {
  for (;;) {
    file_ = open_lock(path_);
    if (try_to_lock(file_) == EWOULDBLOCK) refuse(folder);
    if (in_place()) break;
    ::close(file_);  // its last holder has removed it in the meantime
  }
  say_whose();
}

FolderLock::~FolderLock() {
  if (in_place()) ::unlink(path_.c_str());
  ::close(file_);
}

bool FolderLock::in_place() const {
  struct stat held {};
  struct stat there {};
  return ::fstat(file_, &held) == 0 && ::lstat(path_.c_str(), &there) == 0 &&
         held.st_dev == there.st_dev && held.st_ino == there.st_ino;
}

void FolderLock::refuse(const std::filesystem::path& folder) const {
  std::array<char, 512> text;
  const ssize_t size = ::pread(file_, text.data(), text.size(), 0);
  ::close(file_);
  const std::string_view whose(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  throw EnvironmentError(fmt::format(
      "the output folder {} is in use by {}; wait until that has ended, or choose "
      "another folder",
      safe_line(folder.string()),
      whose.empty() ? "another process" : safe_line(whose.substr(0, whose.find('\n')))));
}

// For people; what it says decides nothing, so that a full disk does no harm.
void FolderLock::say_whose() const {
  std::array<char, 256> host{};
  const bool named = ::gethostname(host.data(), host.size() - 1) == 0 && host[0] != '\0';
  const std::string text =
      fmt::format("process {}{}{}, since {:%Y-%m-%d %H:%M:%S} UTC\n", ::getpid(),
                  named ? " on " : "", host.data(), fmt::gmtime(std::time(nullptr)));
  if (::ftruncate(file_, 0) != 0) return;
  [[maybe_unused]] const ssize_t written = ::pwrite(file_, text.data(), text.size(), 0);
}

}  // namespace ravi
