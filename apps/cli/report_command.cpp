// ravi report: the page of an earlier fit, from its fit.json and the fit.nc beside it.
#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "cli/cli.hpp"
#include "cli/flags.hpp"
#include "core/files.hpp"
#include "core/safe_text.hpp"
#include "model/reference.hpp"
#include "output/fit_json.hpp"
#include "output/netcdf.hpp"
#include "output/report.hpp"
#include "ravi/error.hpp"

namespace ravi::cli {

int report_command(const Arguments& args, Console& console) {
  CommandLine line(
      "Make report.html, a page that shows an earlier fit. Exit status as for 'ravi fit'.",
      "ravi report");
  std::string fit_path, output, reference_path;
  line.option("FIT", fit_path, "a fit.json, or the folder that holds one");
  line.option("--output", output, "the page to write  [report.html beside the fit]", "F");
  line.option("--reference", reference_path, "posterior moments to draw beside the marginals", "F");
  if (line.parse(args, console.out)) return kTrustworthy;
  if (fit_path.empty()) throw UsageError("which fit? Name a fit.json or the folder that holds one");
  const std::filesystem::path path = fit_file(fit_path);
  Fit fit = read_fit(path.string());
  const std::filesystem::path draws = path.parent_path() / "fit.nc";
  std::error_code ignored;
  if (std::filesystem::exists(draws, ignored)) read_draws(draws, fit);
  std::optional<Reference> reference;
  if (!reference_path.empty()) reference = read_reference(reference_path);

  const std::filesystem::path page =
      output.empty() ? path.parent_path() / "report.html" : std::filesystem::path(output);
  write_atomically(page, report_html(fit, reference ? &*reference : nullptr));
  console.out << fmt::format("written: {}\n", safe_line(page.string()));
  return trustworthy(fit.verdict) ? kTrustworthy : kFinished;
}

}  // namespace ravi::cli
