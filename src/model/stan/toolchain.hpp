// What this machine has to compile Stan programs with.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ravi/stan.hpp"

namespace ravi {

// The version of Stan whose translated programs the shim knows.
inline constexpr const char* kStanVersion = "2.21";

// Debian's Stan: stanc inside R's package rstan, Stan Math in StanHeaders, and a C++ compiler.
struct Toolchain {
  std::string rscript;                 // runs stanc
  std::filesystem::path stan;          // the folder of R's package StanHeaders
  std::string compiler, version;       // its path, and what changes when it or Stan does
  bool precompiles = false;            // clang: a precompiled header pays; with g++ it does not
  std::vector<std::string> flags;      // of every compilation
  std::vector<std::string> libraries;  // of every link
};

// Throws EnvironmentError that names every missing Debian package.
Toolchain find_toolchain(const StanOptions& options);

}  // namespace ravi
