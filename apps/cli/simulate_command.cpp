// ravi simulate: data with a known posterior, as data.json and reference.json.
#include <fmt/format.h>

#include <filesystem>

#include "cli/cli.hpp"
#include "cli/flags.hpp"
#include "core/files.hpp"
#include "core/registry.hpp"
#include "model/simulate.hpp"
#include "output/json_values.hpp"

namespace ravi::cli {
namespace {

constexpr const char* kDataFile = "data.json";
constexpr const char* kReferenceFile = "reference.json";

std::string data_text(const SimulatedRegression& s) {
  return layout({{"N", s.X.rows()},
                 {"P", s.X.cols()},
                 {"sigma", s.sigma},
                 {"X", matrix_to_json(s.X)},
                 {"y", vector_to_json(s.y)}});
}

std::string reference_text(const SimulatedRegression& s, double gamma, std::uint64_t seed) {
  const Index p = s.mean.size();
  std::vector<std::string> names;
  for (Index i = 0; i < p; ++i) names.push_back(fmt::format("beta[{}]", i + 1));
  return layout({{"model", "linear_regression"},
                 {"description", fmt::format("simulated: y ~ N(X beta, 0.4 I), beta ~ N(0, I), "
                                             "corr(x_i, x_j) = {}^|i-j|, seed {}",
                                             gamma, seed)},
                 {"N", s.X.rows()},
                 {"P", p},
                 {"parameters", names},
                 {"transform", std::vector<std::string>(names.size(), "identity")},
                 {"mean", vector_to_json(s.mean)},
                 {"cov", matrix_to_json(s.cov)},
                 {"sd", vector_to_json(s.cov.diagonal().array().sqrt().matrix())},
                 {"mcse_mean", vector_to_json(Vector::Zero(p))},
                 {"n_draws", 0},
                 {"how_obtained", "exact: closed form"},
                 {"log_evidence", s.log_evidence},
                 {"simulated_beta", vector_to_json(s.beta)}});
}

}  // namespace

int simulate_command(const Arguments& args, Console& console) {
  CommandLine line("Make data with a known posterior: DIR/data.json and DIR/reference.json.",
                   "ravi simulate");
  std::string what, output;
  std::string n = "300", p = "10", gamma = "0.9", seed = "1";
  bool overwrite = false;
  line.option("MODEL", what, "linear-regression");
  line.option("--n", n, "rows of data  [300]");
  line.option("--p", p, "coefficients  [10]");
  line.option("--gamma", gamma, "correlation of neighboring columns of X  [0.9]");
  line.option("--seed", seed, "same seed, same data  [1]");
  line.option("--output", output, "folder to write to", "DIR");
  line.flag("--overwrite", overwrite, "replace what is already there");
  if (line.parse(args, console.out)) return kTrustworthy;

  const std::vector<std::string> choices = {"linear-regression"};
  if (what.empty()) throw UsageError("data of which model? 'ravi simulate linear-regression'");
  if (what != choices.front()) throw UsageError(no_such_name("simulation", what, choices));
  if (output.empty()) throw UsageError("where to? --output DIR names the folder");
  const auto seed_value = parse_number<std::uint64_t>(seed, "--seed");
  const auto gamma_value = parse_number<double>(gamma, "--gamma");
  const SimulatedRegression simulated = simulate_linear_regression(
      parse_number<int>(n, "--n"), parse_number<int>(p, "--p"), gamma_value, seed_value);

  const std::filesystem::path folder = output;
  const auto lock = prepare_folder(folder, {kDataFile, kReferenceFile}, overwrite);
  write_atomically(folder / kDataFile, data_text(simulated));
  write_atomically(folder / kReferenceFile, reference_text(simulated, gamma_value, seed_value));
  console.out << fmt::format(
      "written: {0} and {1}\nnext: ravi fit linear-regression --data {0} --reference {1}\n",
      (folder / kDataFile).string(), (folder / kReferenceFile).string());
  return kTrustworthy;
}

}  // namespace ravi::cli
