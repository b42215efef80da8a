// Private copies of shared libraries, in memory files.
#include "model/stan/private_library.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "core/content_hash.hpp"
#include "core/json_file.hpp"
#include "ravi/error.hpp"

namespace ravi {
namespace {

// A record at an offset of the image; nothing when the image ends before it does.
template <typename T>
std::optional<T> record_at(std::string_view image, std::uint64_t offset) {
  if (offset > image.size() || image.size() - offset < sizeof(T)) return std::nullopt;
  T record;
  std::memcpy(&record, image.data() + offset, sizeof(T));
  return record;
}

[[noreturn]] void reject(const std::string& path, std::string_view problem) {
  throw UsageError(fmt::format("{}: {}", path, problem));
}

constexpr std::string_view kDamaged = "is damaged: its own tables lead out of the file";

// The loader maps segments without looking at the size of the file, and a program that touches a
// page behind its end is killed: a file that was cut off must be found out here.
void check_complete(const std::string& path, std::string_view image) {
  constexpr std::string_view kNoLibrary = "is no shared library";
  const auto header = record_at<Elf64_Ehdr>(image, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_type != ET_DYN) {
    reject(path, image.substr(0, SELFMAG) == ELFMAG && !header ? "is truncated" : kNoLibrary);
  }
  if (header->e_phentsize != sizeof(Elf64_Phdr) || header->e_phoff > image.size()) {
    reject(path, kDamaged);
  }
  for (unsigned i = 0; i < header->e_phnum; ++i) {
    const auto segment = record_at<Elf64_Phdr>(image, header->e_phoff + i * sizeof(Elf64_Phdr));
    if (!segment || segment->p_offset > image.size() ||
        segment->p_filesz > image.size() - segment->p_offset) {
      reject(path, "is truncated: the file is shorter than its own table says");
    }
  }
  const std::uint64_t sections = std::uint64_t{header->e_shnum} * sizeof(Elf64_Shdr);
  if (header->e_shoff > image.size() || sections > image.size() - header->e_shoff) {
    reject(path, "is truncated: the file is shorter than its own table says");
  }
}

// g++ marks the static members of templates as unique in the process, which makes every copy of a
// library share them, Stan's autodiff stack among them. As weak symbols they belong to the copy.
void make_unique_symbols_weak(const std::string& path, std::string& image) {
  const Elf64_Ehdr header = *record_at<Elf64_Ehdr>(image, 0);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const auto section = record_at<Elf64_Shdr>(image, header.e_shoff + i * sizeof(Elf64_Shdr));
    if (!section || section->sh_type != SHT_DYNSYM) continue;
    if (section->sh_offset > image.size() || section->sh_size > image.size() - section->sh_offset) {
      reject(path, kDamaged);
    }
    for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= section->sh_size;
         at += sizeof(Elf64_Sym)) {
      auto symbol = record_at<Elf64_Sym>(image, section->sh_offset + at);
      if (!symbol || ELF64_ST_BIND(symbol->st_info) != STB_GNU_UNIQUE) continue;
      symbol->st_info =
          static_cast<unsigned char>(ELF64_ST_INFO(STB_WEAK, ELF64_ST_TYPE(symbol->st_info)));
      std::memcpy(image.data() + section->sh_offset + at, &*symbol, sizeof(Elf64_Sym));
    }
  }
}

// Whether its thread-local data must be at fixed offsets (DF_STATIC_TLS).
bool has_static_thread_locals(std::string_view image) {
  const Elf64_Ehdr header = *record_at<Elf64_Ehdr>(image, 0);
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const auto segment = record_at<Elf64_Phdr>(image, header.e_phoff + i * sizeof(Elf64_Phdr));
    if (!segment || segment->p_type != PT_DYNAMIC) continue;
    for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= segment->p_filesz;
         at += sizeof(Elf64_Dyn)) {
      const auto entry = record_at<Elf64_Dyn>(image, segment->p_offset + at);
      if (entry && entry->d_tag == DT_FLAGS) return (entry->d_un.d_val & DF_STATIC_TLS) != 0;
    }
  }
  return false;
}

// A file that has no name and vanishes with the process; -1 when it cannot be made.
int memory_file(std::string_view content) {
  const int file = ::memfd_create("ravi-model", MFD_CLOEXEC);
  while (file >= 0 && !content.empty()) {
    const ssize_t written = ::write(file, content.data(), content.size());
    if (written > 0) {
      content.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      ::close(file);
      return -1;
    }
  }
  return file;
}

// What the seal is, and where it begins: behind everything else.
constexpr std::string_view kSeal = "\nravi library ";
constexpr std::size_t kSealSize = kSeal.size() + 32;

std::string_view without_seal(std::string_view bytes) {
  const bool has_one =
      bytes.size() >= kSealSize && bytes.substr(bytes.size() - kSealSize).starts_with(kSeal);
  return has_one ? bytes.substr(0, bytes.size() - kSealSize) : bytes;
}

std::string hash_of(std::string_view bytes) {
  return content_hash(std::vector<std::string>{std::string(bytes)});
}

void* open_library(const std::string& path) {
  return ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
}

// From memory; null where there is no /proc, or when the library looks for others beside itself.
void* open_image(std::string_view image) {
  const int file = memory_file(image);
  if (file < 0) return nullptr;
  void* handle = open_library(fmt::format("/proc/self/fd/{}", file));
  // Else the file stays open, because the loader takes a second library of the same name for the
  // first.
  if (handle == nullptr) ::close(file);
  return handle;
}

// Libraries that are loaded once, as the loader itself has them: by content.
void* open_once(const LibraryImage& library, std::string_view image) {
  static std::mutex one_at_a_time;
  static std::map<std::string, void*> loaded;
  const std::lock_guard lock(one_at_a_time);
  void*& handle = loaded[hash_of(without_seal(library.bytes))];
  if (handle == nullptr) handle = open_image(image);
  return handle;
}

}  // namespace

std::string with_seal(std::string bytes) {
  const std::string hash = hash_of(bytes);
  return std::move(bytes) + std::string(kSeal) + hash;
}

bool has_intact_seal(std::string_view bytes) {
  const std::string_view content = without_seal(bytes);
  return content.size() < bytes.size() && bytes.ends_with(hash_of(content));
}

LibraryImage read_library(const std::string& path) {
  LibraryImage library{path, read_text(path)};
  library.sealed = has_intact_seal(library.bytes);
  if (!library.sealed && without_seal(library.bytes).size() < library.bytes.size()) {
    reject(path, "is damaged: its content is not what ravi compiled");
  }
  return library;
}

LoadedLibrary load_privately(const LibraryImage& library) {
  std::string image = library.bytes;
  check_complete(library.path, image);
  const bool once = has_static_thread_locals(image);
  make_unique_symbols_weak(library.path, image);
  void* handle = once ? open_once(library, image) : open_image(image);
  if (handle != nullptr) return {handle, !once};
  handle = open_library(std::filesystem::absolute(library.path));
  if (handle == nullptr) {
    const std::string problem = fmt::format("cannot be loaded: {}", ::dlerror());
    if (once && problem.find("static TLS") != std::string::npos) {
      throw NoRoomForThreadLocals(fmt::format(
          "{}: {}; other libraries have taken the room for it: load it in a process of its own",
          library.path, problem));
    }
    reject(library.path, problem);
  }
  return {handle, false};
}

}  // namespace ravi
