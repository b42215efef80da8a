// Looks for Debian's Stan and a C++ compiler.
#include "model/stan/toolchain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>

#include "core/process.hpp"
#include "ravi/error.hpp"

namespace ravi {
namespace {

namespace fs = std::filesystem;

constexpr int kOldestStan = 21;  // of Stan 2: what the shim knows

// R's own folders for packages, and those that the user has named.
std::vector<fs::path> r_libraries() {
  std::vector<fs::path> folders;
  for (const char* variable : {"R_LIBS", "R_LIBS_USER", "R_LIBS_SITE"}) {
    const char* value = std::getenv(variable);
    std::istringstream parts(value == nullptr ? "" : value);
    for (std::string folder; std::getline(parts, folder, ':');) folders.emplace_back(folder);
  }
  for (const char* folder :
       {"/usr/local/lib/R/site-library", "/usr/lib/R/site-library", "/usr/lib/R/library"}) {
    folders.emplace_back(folder);
  }
  return folders;
}

std::optional<fs::path> r_package(const std::string& name) {
  std::error_code ignored;
  for (const fs::path& folder : r_libraries()) {
    if (fs::exists(folder / name / "DESCRIPTION", ignored)) return folder / name;
  }
  return std::nullopt;
}

std::string r_package_version(const fs::path& package) {
  std::ifstream file(package / "DESCRIPTION");
  const std::string key = "Version: ";
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(key)) return line.substr(key.size());
  }
  return "unknown";
}

// 32 of "2.32.10"; 0 where it is none of Stan 2.
int minor_version(const std::string& version) {
  int minor = 0;
  if (version.starts_with("2.")) {
    std::from_chars(version.data() + 2, version.data() + version.size(), minor);
  }
  return minor;
}

bool has_header(const char* header) {
  std::error_code ignored;
  return fs::exists(fs::path("/usr/include") / header, ignored) ||
         fs::exists(fs::path("/usr/local/include") / header, ignored);
}

// Which compiler this is, by its file; asking it would take longer than a small fit. A wrapper,
// such as ccache, has to be asked.
std::string identity_of(const std::string& compiler) {
  std::error_code ignored;
  const fs::path file = fs::canonical(compiler, ignored);
  const std::string name = file.filename().string();
  if (name.find("clang") == name.npos && name.find("g++") == name.npos) {
    return run_process({compiler, "--version"}).output;
  }
  return fmt::format("{} {} {}", file.string(), fs::file_size(file, ignored),
                     fs::last_write_time(file, ignored).time_since_epoch().count());
}

// A processor of the third level of x86-64, whose vectors of four numbers products of matrices use.
bool has_avx2() {
#ifdef __x86_64__
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi2");
#else
  return false;
#endif
}

}  // namespace

Toolchain find_toolchain(const StanOptions& options) {
  Toolchain tools;
  std::vector<std::string> missing;
  const auto rscript = find_program("Rscript");
  const auto rstan = r_package("rstan"), headers = r_package("StanHeaders");
  if (!rscript || !rstan || !headers) missing.emplace_back("r-cran-rstan");
  // Debian's RcppParallel, which rstan loads, asks this program where libraries are.
  if (find_program("dpkg") && !find_program("dpkg-architecture")) missing.emplace_back("dpkg-dev");
  if (!has_header("boost/version.hpp")) missing.emplace_back("libboost-dev");
  if (!has_header("eigen3/Eigen/Core")) missing.emplace_back("libeigen3-dev");
  if (!has_header("tbb/version.h")) missing.emplace_back("libtbb-dev");
  if (!has_header("nlohmann/json.hpp")) missing.emplace_back("nlohmann-json3-dev");
  const auto clang = find_program("clang++"), gcc = find_program("g++");
  if (!clang && !gcc) missing.emplace_back("clang");
  if (!missing.empty()) {
    throw EnvironmentError(fmt::format(
        "compiling a Stan program needs packages that are not installed; install them with\n"
        "  apt-get install --no-install-recommends {}\n"
        "or set BRIDGESTAN to the folder of a BridgeStan of your own",
        fmt::join(missing, " ")));
  }
  const std::string version = r_package_version(*headers);
  tools.stan_minor = minor_version(version);
  if (tools.stan_minor < kOldestStan) {
    throw EnvironmentError(fmt::format(
        "ravi compiles Stan programs with Stan 2.{} or later, but the package StanHeaders in {} is "
        "{}; set BRIDGESTAN to the folder of a BridgeStan of your own",
        kOldestStan, headers->string(), version));
  }
  tools.rscript = *rscript;
  tools.stan = *headers;
  tools.precompiles = clang.has_value();
  tools.compiler = clang ? *clang : *gcc;
  tools.version = fmt::format("StanHeaders {}\n{}", version, identity_of(tools.compiler));
  const std::string root = (tools.stan / "include").string();
  // Warnings are about Stan's own sources. Hidden symbols, so that models do not meet each other.
  tools.flags = {"-std=c++17", "-O3", "-w", "-fPIC", "-fvisibility=hidden", "-D_REENTRANT",
                 "-DEIGEN_NO_DEBUG", "-DBOOST_DISABLE_ASSERTS",
                 // Boost 1.74 warns by an error of its own about a header that moved.
                 "-DBOOST_PENDING_INTEGER_LOG2_HPP",
                 // Stan Math asks TBB for its version where TBB no longer has it.
                 "-DTBB_INTERFACE_NEW", "-isystem", root + "/src", "-isystem", root, "-isystem",
                 "/usr/include/eigen3"};
  if (options.threads) tools.flags.emplace_back("-DSTAN_THREADS");
  if (!options.portable && has_avx2()) tools.flags.emplace_back("-march=x86-64-v3");
  // Every node of an expression asks for the thread's autodiff stack. At a fixed offset, instead of
  // by a call, gradients of radon take three quarters of the time; but the memory for that is
  // short, so that such a library is loaded once for all, which needs what g++ does not do
  // (private_library.cpp).
  if (options.threads && clang && !options.portable) {
    tools.flags.emplace_back("-ftls-model=initial-exec");
  }
  tools.libraries = {(tools.stan / "lib/libStanHeaders.a").string(), "-ltbb"};
  return tools;
}

}  // namespace ravi
