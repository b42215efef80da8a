// ravi diagnose: what an earlier fit found, criterion by criterion, with the advice.
#include <fmt/format.h>

#include "cli/cli.hpp"
#include "cli/flags.hpp"
#include "output/fit_json.hpp"
#include "output/numbers.hpp"
#include "output/run_words.hpp"
#include "output/terminal.hpp"
#include "ravi/error.hpp"

namespace ravi::cli {
namespace {

std::string sources(const Fit& fit) {
  std::string text;
  for (const Finding& f : fit.findings) {
    text += fmt::format("  {:<24}{}\n", words(f.code).name, words(f.code).source);
  }
  return text.empty() ? "" : "\nwhere the criteria come from:\n" + text;
}

std::string how_it_ran(const Fit& fit) {
  std::string text =
      fmt::format("\n{} gradient evaluations ({} draws failed)\n{}, on {} thread{}\n",
                  fit.gradient_evaluations, fit.failed_draws, time_text(fit.timing),
                  fit.timing.threads, fit.timing.threads == 1 ? "" : "s");
  if (const auto averaged = averaged_text(fit)) {
    text += fmt::format("averaged: iterations {}\n", *averaged);
  }
  return text;
}

}  // namespace

int diagnose_command(const Arguments& args, Console& console) {
  CommandLine line("Show what an earlier fit found. Exit status as for 'ravi fit'.",
                   "ravi diagnose");
  std::string path;
  line.option("FIT", path, "a fit.json, or the folder that holds one");
  if (line.parse(args, console.out)) return kTrustworthy;
  if (path.empty()) throw UsageError("which fit? Name a fit.json or the folder that holds one");
  const Fit fit = read_fit(fit_file(path));
  write_summary(console.out, fit, {.width = console.width});
  console.out << how_it_ran(fit) << sources(fit);
  return trustworthy(fit.verdict) ? kTrustworthy : kFinished;
}

}  // namespace ravi::cli
