// One process at a time: a lock that the system gives back when its holder dies.
#pragma once

#include <filesystem>
#include <functional>

namespace ravi {

// Held while it lives. on_wait() is called once when somebody else has the lock; stop(), when
// given, is asked ten times a second while waiting, and ends the wait.
class FileLock {
 public:
  FileLock(const std::filesystem::path& path, const std::function<void()>& on_wait,
           const std::function<bool()>& stop = {});
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  bool held() const { return held_; }  // false: stopped while waiting

 private:
  int file_;
  bool held_ = false;
};

}  // namespace ravi
