// A file that is read where it lies.
#include "core/mapped_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/safe_text.hpp"
#include "ravi/error.hpp"

namespace ravi {
namespace {

// A file descriptor that is closed at the end of the scope; the map outlives it.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path)
      : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~OpenFile() {
    if (number_ >= 0) ::close(number_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int number() const { return number_; }

 private:
  int number_;
};

[[noreturn]] void cannot_be_read(const std::string& path, const char* reason) {
  throw UsageError(fmt::format("{}: cannot be read: {}", safe_line(path), reason));
}

void advise(std::span<const std::byte> bytes, MappedFile::Access access) {
  // Advice that is not taken does no harm.
  ::madvise(const_cast<std::byte*>(bytes.data()), bytes.size(),
            access == MappedFile::Access::random ? MADV_RANDOM : MADV_SEQUENTIAL);
}

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  const OpenFile file(path);
  struct stat status {};
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0) {
    cannot_be_read(path, std::strerror(errno));
  }
  if (S_ISDIR(status.st_mode)) cannot_be_read(path, "it is a folder");
  if (!S_ISREG(status.st_mode)) cannot_be_read(path, "it is not a file on disk");
  if (status.st_size == 0) throw UsageError(fmt::format("{}: the file is empty", safe_line(path)));
  const auto size = static_cast<std::size_t>(status.st_size);
  void* begin = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number(), 0);
  if (begin == MAP_FAILED) cannot_be_read(path, std::strerror(errno));
  bytes_ = {static_cast<const std::byte*>(begin), size};
  advise(bytes_, expected_);
}

MappedFile::~MappedFile() { ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size()); }

void MappedFile::expect(Access access) const {
  // Looked at first: a chain asks in every iteration, and a store would take the line from others.
  if (expected_.load(std::memory_order_relaxed) == access) return;
  expected_.store(access, std::memory_order_relaxed);
  advise(bytes_, access);
}

}  // namespace ravi
