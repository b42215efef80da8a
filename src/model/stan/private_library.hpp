// Loads a shared library as a copy of its own: own globals, untouched by changes of the file.
#pragma once

#include <string>
#include <string_view>

#include "ravi/error.hpp"

namespace ravi {

// What was read is what is checked and loaded, whatever becomes of the file.
struct LibraryImage {
  std::string path;  // for messages
  std::string bytes;
  bool sealed = false;  // byte for byte what compile_stan() made
};

// The same library with a seal at its end, where the system's loader does not look: the hash of its
// bytes, by which damage is found out.
std::string with_seal(std::string bytes);
bool has_intact_seal(std::string_view bytes);

// Throws UsageError when the file cannot be read, or when its seal is broken.
LibraryImage read_library(const std::string& path);

// A library's handle for dlsym(). It stays loaded until the process ends: threads that have run its
// code keep its thread-local destructors.
struct LoadedLibrary {
  void* handle = nullptr;
  bool is_private = true;  // false: its globals are shared with others of the same file
};

// Thread-local data at fixed offsets take room of which a process has little.
class NoRoomForThreadLocals : public EnvironmentError {
 public:
  using EnvironmentError::EnvironmentError;
};

// Each call loads a copy of its own; but a library whose thread-local data are at fixed offsets is
// loaded once for all, and throws NoRoomForThreadLocals where that cannot be. Throws UsageError
// when it is truncated, or is no shared library that can be loaded here.
LoadedLibrary load_privately(const LibraryImage& library);

}  // namespace ravi
