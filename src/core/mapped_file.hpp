// A file that is read where it lies, through a map of it into memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <string>

namespace ravi {

// Read-only, and shared with every process that reads the same file: the system keeps in memory
// what is used and drops it when memory is short. The size is that at the time of opening; reading
// what another program has cut off since raises SIGBUS, as for every mapped file.
class MappedFile {
 public:
  // Throws UsageError when there is no such file, or nothing in it.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }

  // How it will be read from now on, so that the system reads ahead, or does not.
  enum class Access { sequential, random };
  void expect(Access access) const;

 private:
  std::span<const std::byte> bytes_;
  mutable std::atomic<Access> expected_ = Access::sequential;
};

}  // namespace ravi
