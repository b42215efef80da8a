// ravi fit: model and options in; table, verdict and a folder of files out.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <exception>
#include <optional>

#include "algorithm/methods.hpp"
#include "algorithm/validate.hpp"
#include "cli/cli.hpp"
#include "cli/flags.hpp"
#include "core/memory.hpp"
#include "core/safe_text.hpp"
#include "model/open_model.hpp"
#include "model/reference.hpp"
#include "output/draws.hpp"
#include "output/fit_json.hpp"
#include "output/terminal.hpp"
#include "ravi/error.hpp"
#include "ravi/output.hpp"

namespace ravi::cli {
namespace {

constexpr const char* kFooter = R"(
How it works: searches from several starts find the Gaussians nearest to the posterior; optima that
hold none of its mass are left; J chains move around the best and are averaged, until R-hat, the
effective sample sizes and the average's error say that this will do (Dhaka et al. 2020). Then k-hat
and the weights tell how well q matches the posterior, and correct it; where they cannot, draws are
moved until they stand for the posterior. Nothing needs to be chosen; --method paper is the paper's
own algorithm.

Verdicts: accurate (use q), usable (use the corrected results), unreliable (neither can be trusted),
not-converged, failed. Exit status 0 for the first two, 1 for the others.

Examples:
  ravi fit eight-schools-noncentered
  ravi fit linear-regression --data data.json --reference reference.json --output results
  ravi fit schools.stan --data schools.json
  ravi fit linear-regression --data data.json --config results/fit.json --seed 2)";

struct Request {
  std::string model, data, reference, output, config;
  bool overwrite = false, quiet = false, json = false;
  GivenFlags given;
};

// What --output writes, for the help.
std::string files_text() {
  std::string text = "\nFiles in DIR:\n";
  for (const OutputKind& kind : output_kinds()) {
    text += fmt::format("  {:<21}  {}\n", kind.name, kind.what);
  }
  return text;
}

bool parse_request(const Arguments& args, Console& console, Request& r) {
  CommandLine line(
      "Fit a variational approximation q to a posterior, and judge it.\n"
      "In brackets: the symbol in the paper, and the value unless given.\n",
      "ravi fit");
  line.option("MODEL", r.model,
              "a built-in model ('ravi list' names them), a .stan program, or a .so library of "
              "BridgeStan");
  line.option("--data", r.data, "data of the model: .json (as for Stan), .csv, or .npy (of numpy)",
              "F");
  add_flags(line, r.given);
  line.option("--output", r.output, "folder to write the results to", "DIR");
  line.flag("--overwrite", r.overwrite, "replace the fit that is already in DIR");
  line.option("--reference", r.reference, "posterior moments to compare with", "F");
  line.option("--config", r.config, "options from a .toml or .json file, or an earlier fit.json",
              "F");
  line.flag("--quiet", r.quiet, "print nothing but errors");
  line.flag("--json", r.json, "print fit.json instead of the table");
  line.footer(files_text() + kFooter);
  return line.parse(args, console.out);
}

Options options_of(const Request& r) {
  Options options;
  if (!r.config.empty()) apply_config(r.config, options);
  apply_flags(r.given, options);
  return options;
}

std::unique_ptr<Model> model_of(const Request& r, const Options& options, Console& console) {
  if (r.model.empty()) {
    throw UsageError("which model? 'ravi list' names them, 'ravi fit --help' explains");
  }
  StanOptions stan = stan_options(console, r.quiet);
  stan.seed = static_cast<std::uint32_t>(options.seed);
  // A compilation has processes to end and a folder to remove.
  std::optional<CleanEnd> while_compiling;
  if (r.model.ends_with(".stan")) while_compiling.emplace(console);
  std::unique_ptr<Model> model = open_model(r.model, r.data, stan);
  if (console.stop_requested != nullptr && console.stop_requested->load()) {
    throw EnvironmentError("interrupted before the fit began");
  }
  return model;
}

Fit run_fit(const Arguments& args, const Request& r, const Model& model, const Options& options,
            const Reference* reference, Console& console) {
  ProgressDisplay display(console.err, options, console.err_is_terminal, console.width);
  Observer observer{.stop_requested = console.stop_requested};
  if (!r.quiet) observer.progress = [&](const Progress& p) { display.show(p); };
  Fit result = fit(model, options, observer, reference);
  result.model = r.model;
  result.provenance.interface = "command line";
  result.provenance.command = {"ravi", "fit"};
  result.provenance.command.insert(result.provenance.command.end(), args.begin(), args.end());
  result.provenance.program = program_source(r.model);
  result.provenance.data = data_source(r.data);
  return result;
}

struct Saved {
  Fit fit;
  std::vector<std::string> files = {};
  std::exception_ptr problem = {};  // why not all of them are there
};

// Files come first: nothing that happens to a terminal or a pipe can cost a fit.
Saved fit_and_save(const Arguments& args, const Request& r, const Model& model,
                   const Options& options, const Reference* reference,
                   std::optional<OutputFolder>& folder, Console& console) {
  const CleanEnd until_saved(console);
  Saved saved{.fit = run_fit(args, r, model, options, reference, console)};
  if (!folder) return saved;
  // A fit that was interrupted is saved; a second signal ends the program.
  const bool stopped = console.stop_requested != nullptr && console.stop_requested->load();
  try {
    saved.files = folder->write(saved.fit, reference, stopped ? nullptr : console.stop_requested);
  } catch (...) {
    saved.problem = std::current_exception();
  }
  return saved;
}

std::string written_text(const Fit& fit, const std::string& folder,
                         const std::vector<std::string>& files) {
  return fmt::format(
      "\nwritten: {}{} {}\n{}\n", safe_line(folder), folder.ends_with('/') ? "" : "/",
      fmt::join(files, " "),
      drawn_answers(fit).empty() ? "no draws: there is no answer to draw from" : which_draws(fit));
}

}  // namespace

int fit_command(const Arguments& args, Console& console) {
  Request r;
  if (parse_request(args, console, r)) return kTrustworthy;
  const Options given = options_of(r);
  validate(given, r.model);
  const std::unique_ptr<Model> model = model_of(r, given, console);
  validate(given, *model);
  std::optional<Reference> read;
  if (!r.reference.empty()) read = read_reference(r.reference, *model);
  const Reference* const reference = read ? &*read : nullptr;
  const Options options = filled_in(given, *model);
  std::optional<OutputFolder> folder;
  if (!r.output.empty()) folder.emplace(r.output, r.overwrite);

  const auto [result, files, problem] =
      fit_and_save(args, r, *model, options, reference, folder, console);
  // What was found is shown also when it could not be saved.
  if (r.json) {
    console.out << fit_to_json(result, memory_peak_mb());
  } else if (!r.quiet) {
    write_summary(console.out, result, {.width = console.width});
  }
  console.out.flush();
  if (problem) std::rethrow_exception(problem);
  if (folder && !r.quiet) console.err << written_text(result, r.output, files);
  return trustworthy(result.verdict) ? kTrustworthy : kFinished;
}

}  // namespace ravi::cli
