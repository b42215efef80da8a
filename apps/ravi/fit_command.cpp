// ravi fit: model and options in; table, verdict and fit.json out.
#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>
#include <filesystem>
#include <optional>

#include "algorithm/methods.hpp"
#include "algorithm/validate.hpp"
#include "core/files.hpp"
#include "core/registry.hpp"
#include "model/data.hpp"
#include "model/reference.hpp"
#include "model/registry.hpp"
#include "output/fit_json.hpp"
#include "output/terminal.hpp"
#include "ravi/cli.hpp"
#include "ravi/flags.hpp"

namespace ravi::cli {
namespace {

constexpr const char* kFitFile = "fit.json";

constexpr const char* kFooter = R"(
How it works: searches from several starts find the Gaussians nearest to the posterior; optima that
hold none of its mass are left; J chains move around the best and are averaged, until R-hat, the
effective sample sizes and the average's error say that this will do (Dhaka et al. 2020). Then k-hat
and the weights tell how well q matches the posterior. Nothing needs to be chosen; --method paper is
the paper's own algorithm.

Verdicts: accurate (use q), usable (use the importance-weighted results), unreliable (q cannot
represent the posterior), not-converged, failed. Exit status 0 for the first two, 1 for the others.

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

// Peak resident memory, rounded up to 32 MB: less than that is the noise of allocator and threads.
double memory_peak_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 32 * std::ceil(static_cast<double>(usage.ru_maxrss) / 1024 / 32);
}

bool parse_request(const Arguments& args, Console& console, Request& r) {
  CLI::App app(
      "Fit a variational approximation q to a posterior, and judge it.\n"
      "In brackets: the symbol in the paper, and the value unless given.\n",
      "ravi fit");
  app.add_option("MODEL", r.model,
                 "a built-in model ('ravi list' names them), a .stan program, or a .so library of "
                 "BridgeStan")
      ->type_name("");
  app.add_option("--data", r.data,
                 "data of the model: .json (as for Stan), .csv, or .npy (of numpy)")
      ->type_name("F");
  add_flags(app, r.given);
  app.add_option("--output", r.output, "folder to write fit.json to")->type_name("DIR");
  app.add_flag("--overwrite", r.overwrite, "replace a fit that is already there");
  app.add_option("--reference", r.reference, "posterior moments to compare with")->type_name("F");
  app.add_option("--config", r.config, "options from a .toml or .json file, or an earlier fit.json")
      ->type_name("F");
  app.add_flag("--quiet", r.quiet, "print nothing but errors");
  app.add_flag("--json", r.json, "print fit.json instead of the table");
  app.footer(kFooter);
  return parse(app, args, console.out);
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
  if (is_stan_path(r.model)) {
    StanOptions stan = stan_options(console, r.quiet);
    stan.seed = static_cast<std::uint32_t>(options.seed);
    return stan_model(r.model, r.data, stan);
  }
  // An unknown name is reported before a missing file.
  entry_of(model_registry(), r.model, "model");
  if (r.data.empty()) return make_builtin(r.model, nullptr);
  const Data data = read_data(r.data);
  return make_builtin(r.model, &data);
}

std::optional<Reference> reference_of(const Request& r, const Model& model) {
  if (r.reference.empty()) return std::nullopt;
  const Reference reference = read_reference(r.reference);
  try {
    check_reference(reference, model);
  } catch (const UsageError& e) {
    throw UsageError(fmt::format("{}: {}", r.reference, e.what()));
  }
  return reference;
}

Fit run_fit(const Request& r, const Model& model, const Options& options,
            const Reference* reference, Console& console) {
  ProgressDisplay display(console.err, options, console.err_is_terminal, console.width);
  Observer observer{.stop_requested = console.stop_requested};
  if (!r.quiet) observer.progress = [&](const Progress& p) { display.show(p); };
  Fit result = fit(model, options, observer, reference);
  result.model = r.model;
  return result;
}

}  // namespace

int fit_command(const Arguments& args, Console& console) {
  Request r;
  if (parse_request(args, console, r)) return kTrustworthy;
  const Options given = options_of(r);
  validate(given);
  const std::unique_ptr<Model> model = model_of(r, given, console);
  const std::optional<Reference> reference = reference_of(r, *model);
  validate(given, *model);
  const Options options = filled_in(given, *model);
  const std::filesystem::path folder = r.output;
  if (!r.output.empty()) prepare_folder(folder, kFitFile, r.overwrite);

  const Fit result = run_fit(r, *model, options, reference ? &*reference : nullptr, console);

  const std::string text = fit_to_json(result, memory_peak_mb());
  if (r.json) {
    console.out << text;
  } else if (!r.quiet) {
    console.out << summary(result, {.color = console.out_is_terminal, .width = console.width});
  }
  console.out.flush();
  // Last, so that what was found has been shown even when it cannot be saved.
  if (!r.output.empty()) {
    write_atomically(folder / kFitFile, text);
    if (!r.quiet) console.err << fmt::format("\nwritten: {}\n", (folder / kFitFile).string());
  }
  return trustworthy(result.verdict) ? kTrustworthy : kFinished;
}

}  // namespace ravi::cli
