// What this machine has to compile Stan programs with.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ravi/stan.hpp"

namespace ravi {

// Debian's Stan: stanc inside R's package rstan, Stan Math in StanHeaders, and a C++ compiler.
struct Toolchain {
  // Debian 12 has Stan 2.21, and Debian 13 has 2.32, whose stanc was written anew: stanc 3, which R
  // has since 2.26.
  bool has_stanc3() const { return stan_minor >= 26; }

  std::string rscript;                 // runs stanc
  std::filesystem::path stan;          // the folder of R's package StanHeaders
  int stan_minor = 0;                  // 21 of Stan 2.21
  std::string compiler, version;       // its path, and what changes when it or Stan does
  bool precompiles = false;            // clang: a precompiled header pays; with g++ it does not
  std::vector<std::string> flags;      // of every compilation
  std::vector<std::string> libraries;  // of every link
};

// Throws EnvironmentError that names every missing Debian package.
Toolchain find_toolchain(const StanOptions& options);

}  // namespace ravi
