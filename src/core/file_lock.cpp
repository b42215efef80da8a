// One process at a time, by flock().
#include "core/file_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "ravi/error.hpp"

namespace ravi {

FileLock::FileLock(const std::filesystem::path& path, const std::function<void()>& on_wait,
                   const std::function<bool()>& stop)
    : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (file_ < 0) {
    throw EnvironmentError(
        fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno)));
  }
  for (bool waiting = false;; waiting = true) {
    held_ = ::flock(file_, LOCK_EX | LOCK_NB) == 0;
    if (held_ || (stop && stop())) return;
    if (!waiting) on_wait();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

FileLock::~FileLock() { ::close(file_); }

}  // namespace ravi
