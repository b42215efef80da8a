// Compiles a Stan program with the user's BridgeStan.
#include <system_error>

#include "model/stan/build_job.hpp"
#include "ravi/error.hpp"

namespace ravi {

namespace fs = std::filesystem;

fs::path build_with_bridgestan(const BuildJob& job, const std::string& bridgestan,
                               const fs::path& folder) {
  const auto unchanged = [](const std::string& text) { return text; };
  const fs::path source = write_sources(job.program(), folder, unchanged);
  fs::path library = source;
  library.replace_filename(source.stem().string() + "_model.so");
  job.say(fmt::format("compiling with the BridgeStan in {}", bridgestan));
  const ProcessResult result = job.run(
      {"make", "-C", bridgestan, library.string(),
       job.threads() ? "STAN_THREADS=true" : "STAN_THREADS=",
       fmt::format("STANCFLAGS=--include-paths={},{}", folder.string(), job.program().folder)});
  std::error_code ignored;
  if (result.status == 0 && fs::exists(library, ignored)) return library;
  std::string report = result.output;
  replace_all(report, source.string(), job.program().path);
  constexpr std::size_t kShown = 3000;
  const std::string text = fmt::format("{}: BridgeStan could not compile it (status {}):\n{}",
                                       job.program().path, result.status, report.substr(0, kShown));
  // stanc's own words for errors of the program.
  for (const char* rejected : {"Syntax error in", "Semantic error in"}) {
    if (report.find(rejected) != std::string::npos) throw UsageError(text);
  }
  throw EnvironmentError(text);
}

}  // namespace ravi
