// Stan programs, and shared libraries with the BridgeStan interface, as models.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "ravi/model.hpp"

namespace ravi {

struct StanOptions {
  std::uint32_t seed = 1;  // of random numbers in the program's transformed data
  // Compile for use by several threads at once. Without, each thread gets a copy of the library.
  bool threads = true;
  // Compile a library for any x86-64 processor, that any process can load, whatever it has loaded
  // before; its gradients take up to a third longer. stan_model() falls back on one by itself.
  bool portable = false;

  // Called with one line of text when something slow starts or ends: "schools.stan: compiling".
  std::function<void(std::string_view)> progress = {};
  // Called with what the program prints, from any thread, one at a time.
  std::function<void(std::string_view)> print = {};
  const std::atomic<bool>* stop_requested = nullptr;  // ends a compilation
};

// Whether a name is that of a Stan program (.stan) or a library (.so).
bool is_stan_path(std::string_view name);

// The path of a shared library built from the program: through BridgeStan when the environment
// variable BRIDGESTAN names its folder, otherwise with Debian's Stan (packages r-cran-rstan,
// libboost-dev, nlohmann-json3-dev and clang or g++). Libraries are kept in the cache folder,
// by content. Throws UsageError, with the user's line, when the program is wrong, and
// EnvironmentError when it cannot be compiled here.
std::string compile_stan(const std::string& program, const StanOptions& options = {});

// Where compile_stan() keeps what it builds: XDG_CACHE_HOME/ravi/stan, or ~/.cache/ravi/stan.
// Throws EnvironmentError when neither is an absolute path. What is there is run, so that
// compile_stan() throws one too when others can write to it, or to a folder on the way.
std::string stan_cache_folder();
// Removes all of it, and returns how many bytes that were.
std::uintmax_t clean_stan_cache();

// A model from a .stan file or a .so library. The data are a .json file in Stan's format or a .csv
// file whose columns become arrays, a JSON text that begins with '{', or nothing. Its quantities
// are the parameters, transformed parameters and generated quantities, by Stan's names: L[2,1].
// A library that compile_stan() did not make is tried in a child process first. Throws UsageError
// when the library or the data are wrong, and what compile_stan() throws.
std::unique_ptr<Model> stan_model(const std::string& path, const std::string& data = "",
                                  const StanOptions& options = {});

}  // namespace ravi
