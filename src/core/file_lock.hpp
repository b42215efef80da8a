// One process at a time: locks that the system gives back when their holder dies.
#pragma once

#include <sys/types.h>

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

// The right to write to a folder, while it lives; nobody waits for it. Its file, .ravi-lock, says
// whose it is and is removed in the end. A process that was killed leaves the file, which then
// locks nobody out. Where a file system has no locks there is none.
class FolderLock {
 public:
  // Throws EnvironmentError when another process has it, and says which, where, and since when.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  bool in_place() const;  // false: somebody has removed the file, or the folder

 private:
  [[noreturn]] void refuse(const std::filesystem::path& folder) const;
  void say_whose() const;

  std::filesystem::path path_;
  int file_ = -1;
};

}  // namespace ravi
