// Loads a shared library as a copy of its own: own globals, untouched by changes of the file.
#pragma once

#include <string>

#include "ravi/error.hpp"

namespace ravi {

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

// Reads the file anew in every call; but one whose thread-local data are at fixed offsets is loaded
// as it is, once, and throws NoRoomForThreadLocals where that cannot be. Throws UsageError when it
// cannot be read, is truncated, or is no shared library that can be loaded here.
LoadedLibrary load_privately(const std::string& path);

}  // namespace ravi
