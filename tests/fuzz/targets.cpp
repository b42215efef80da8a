// The readers that fuzzing tries, and libFuzzer's entry.
#include "targets.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/flags.hpp"
#include "core/json_file.hpp"
#include "model/data.hpp"
#include "model/data_formats.hpp"
#include "model/npy.hpp"
#include "model/reference.hpp"
#include "model/stan/array_syntax.hpp"
#include "options/from_text.hpp"
#include "output/fit_json.hpp"
#include "output/netcdf.hpp"
#include "output/report.hpp"
#include "output/terminal.hpp"
#include "ravi/ravi.hpp"
#include "ravi/stan.hpp"
#include "temporary_folder.hpp"
#ifdef RAVI_FUZZ_STAN_JSON
#include "model/stan/shim/json_context.hpp"
#endif

namespace ravi::fuzz {
namespace {

// Readers of files find the input in one.
std::string in_file(const char* name, std::string_view input) {
  static const TemporaryFolder folder;
  return folder.write(name, std::string(input));
}

void demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

// Looks at every number.
void use(const Data& data) {
  for (const Variable& variable : data.variables()) {
    std::size_t count = 1;
    for (const Index n : variable.dimensions) count *= static_cast<std::size_t>(n);
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += variable.at(i);
    demand(sum == sum || count > 1, "data are finite");
    describe_shape(variable.dimensions);
    if (count > 0) element_name(variable.name, variable.dimensions, count - 1);
  }
}

void json_data(std::string_view input) {
  use(data_from_json(parse_json(std::string(input), "input.json"), "input.json"));
}

void csv_data(std::string_view input) { use(data_from_csv(input, "input.csv")); }

void npy_data(std::string_view input) { use(data_from_npy(in_file("input.npy", input))); }

void stan_program(std::string_view input) {
  const std::string rewritten = with_old_arrays(input);
  demand(std::ranges::count(rewritten, '\n') == std::ranges::count(input, '\n'),
         "rewriting a program leaves its lines");
  line_of_late_include(input);
  included_files(input);
}

// Lines of an option and its value.
void option_text(std::string_view input) {
  Options options;
  std::istringstream lines{std::string(input)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) continue;
    set_option(options, line.substr(0, equals), line.substr(equals + 1), "input");
  }
}

void config_toml(std::string_view input) {
  Options options;
  cli::apply_config(in_file("input.toml", input), options);
}

void config_json(std::string_view input) {
  Options options;
  cli::apply_config(in_file("input.json", input), options);
}

// As `ravi diagnose` and `ravi report` go on from it.
void fit_json(std::string_view input) {
  const Fit fit = read_fit(in_file("fit.json", input));
  summary(fit, {});
  report_html(fit);
}

// With few draws, so that its file is small.
const Fit& small_fit() {
  static const Fit fit = ravi::fit(*make_model(1,
                                               [](const Vector& theta, Vector& gradient) {
                                                 gradient = -theta;
                                                 return -0.5 * theta.squaredNorm();
                                               }),
                                   {.psis_draws = 100, .threads = 1});
  return fit;
}

std::string small_netcdf() {
  std::string bytes;
  write_netcdf(small_fit(), [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

void fit_netcdf(std::string_view input) {
  Fit fit = small_fit();
  fit.average->draws = {};
  read_draws(in_file("fit.nc", input), fit);
  report_html(fit);
}

void reference(std::string_view input) { read_reference(in_file("reference.json", input)); }

void library(std::string_view input) { stan_model(in_file("input.so", input)); }

#ifdef RAVI_FUZZ_STAN_JSON
// What is compiled with each Stan program reports by other exceptions, which its interface turns
// into messages.
void stan_json(std::string_view input) {
  try {
    const ravi_shim::JsonContext context{std::string(input)};
    std::vector<std::string> names;
    context.names_r(names);
    context.names_i(names);
    for (const std::string& name : names) {
      const std::vector<std::size_t> dims = context.dims_r(name);
      std::size_t count = 1;
      for (const std::size_t n : dims) count *= n;
      demand(context.vals_r(name).size() == count, "as many values as the dimensions say");
      context.vals_i(name);
    }
  } catch (const std::exception& e) {
    throw UsageError(e.what());
  }
}
#endif

constexpr Target kTargets[] = {
    {"config_json", config_json},
    {"config_toml", config_toml},
    {"csv_data", csv_data},
    {"fit_json", fit_json},
    {"fit_netcdf", fit_netcdf, small_netcdf},
    {"json_data", json_data},
    {"library", library},
    {"npy_data", npy_data},
    {"option_text", option_text},
    {"reference", reference},
#ifdef RAVI_FUZZ_STAN_JSON
    {"stan_json", stan_json},
#endif
    {"stan_program", stan_program},
};

}  // namespace

std::span<const Target> targets() { return kTargets; }

bool accepts(const Target& target, std::string_view input) {
  try {
    target.read(input);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace ravi::fuzz

namespace {

// The reader that RAVI_FUZZ_TARGET names.
const ravi::fuzz::Target& chosen() {
  using namespace ravi::fuzz;
  const char* name = std::getenv("RAVI_FUZZ_TARGET");
  const auto found =
      std::ranges::find(targets(), std::string_view(name ? name : ""), &Target::name);
  if (found == targets().end()) {
    std::fprintf(stderr, "RAVI_FUZZ_TARGET must be one of:");
    for (const Target& t : targets()) std::fprintf(stderr, " %s", std::string(t.name).c_str());
    std::fprintf(stderr, "\n");
    std::exit(2);
  }
  return *found;
}

}  // namespace

// libFuzzer calls this before it reads the corpus: what is made goes to the file RAVI_FUZZ_MADE.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* file = std::getenv("RAVI_FUZZ_MADE");
  if (file != nullptr && chosen().made != nullptr) std::ofstream(file) << chosen().made();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const ravi::fuzz::Target& target = chosen();
  ravi::fuzz::accepts(target, {reinterpret_cast<const char*>(bytes), size});
  return 0;
}
