// Loads a shared library as a copy of its own: own globals, untouched by changes of the file.
#pragma once

#include <string>

namespace ravi {

// A library's handle for dlsym(). It stays loaded until the process ends: threads that have run its
// code keep its thread-local destructors.
struct LoadedLibrary {
  void* handle = nullptr;
  bool is_private = true;  // false: no copy could be made, and its globals may be shared
};

// Reads the file anew in every call. Throws UsageError when it cannot be read, is truncated, or is
// no shared library that can be loaded here.
LoadedLibrary load_privately(const std::string& path);

}  // namespace ravi
