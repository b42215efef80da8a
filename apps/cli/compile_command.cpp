// ravi compile: a Stan program in, a shared library out.
#include <fmt/format.h>

#include <filesystem>

#include "cli/cli.hpp"
#include "cli/flags.hpp"
#include "core/files.hpp"
#include "core/json_file.hpp"
#include "core/safe_text.hpp"
#include "output/terminal.hpp"
#include "ravi/error.hpp"
#include "ravi/stan.hpp"

namespace ravi::cli {
namespace {

constexpr const char* kCompileFooter = R"(
'ravi fit PROGRAM' compiles by itself; this command is for doing it ahead, or for keeping the
library, which has the BridgeStan interface and works with other clients of it.

Compiled with Debian's Stan, 2.21 or 2.32 (packages r-cran-rstan, libboost-dev, and clang or g++),
or, when the environment variable BRIDGESTAN names a folder, with the BridgeStan there. Libraries are
kept in XDG_CACHE_HOME/ravi/stan, or ~/.cache/ravi/stan, and made anew when the program, the compiler
or Stan change.

Examples:
  ravi compile schools.stan
  ravi compile schools.stan --output schools.so
  ravi compile --clean)";

}  // namespace

int compile_command(const Arguments& args, Console& console) {
  CommandLine line("Compile a Stan program into a shared library, and print its path.",
                   "ravi compile");
  std::string program, output;
  bool clean = false, quiet = false;
  line.option("PROGRAM", program, "a .stan file");
  line.option("--output", output, "also write the library to this file", "F");
  line.flag("--clean", clean, "remove every compiled library and header from the cache");
  line.flag("--quiet", quiet, "print nothing but the path and errors");
  line.footer(kCompileFooter);
  if (line.parse(args, console.out)) return kTrustworthy;
  if (clean) {
    const double megabytes = static_cast<double>(clean_stan_cache()) / 1e6;
    if (!quiet) {
      console.err << fmt::format("{}: removed {:.1f} MB\n", stan_cache_folder(), megabytes);
    }
    if (program.empty()) return kTrustworthy;
  }
  if (program.empty()) throw UsageError("which program? 'ravi compile --help' explains");
  if (std::filesystem::path(program).extension() != ".stan") {
    throw UsageError(
        fmt::format("{}: a Stan program is told by its extension, .stan", safe_line(program)));
  }
  const CleanEnd while_compiling(console);
  std::string library = compile_stan(program, stan_options(console, quiet));
  if (!output.empty()) {
    write_atomically(output, read_text(library));
    library = output;
  }
  console.out << library << "\n";
  return kTrustworthy;
}

StanOptions stan_options(Console& console, bool quiet) {
  StanOptions options = quiet ? StanOptions{} : stan_messages(console.err, console.err_is_terminal);
  options.stop_requested = console.stop_requested;
  return options;
}

}  // namespace ravi::cli
