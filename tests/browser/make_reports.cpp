// Makes the reports that the browser test opens: one folder for each kind of fit, with report.html
// and fit.json. Usage: make_reports FOLDER
#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "core/files.hpp"
#include "model/registry.hpp"
#include "model/simulate.hpp"
#include "output/fit_json.hpp"
#include "output/report.hpp"

namespace ravi {
namespace {

Fit fit_of(const std::string& model, const Options& options = {}) {
  Fit result = fit(*make_builtin(model, nullptr), options);
  result.model = model;
  return result;
}

Fit failed_fit() { return fit_of("gaussian", {.method = "paper", .step_size = 1e6}); }

// Every text that a user's files can bring into a fit, as markup that would show itself by an
// alert.
Fit hostile_fit() {
  Fit fit = fit_of("eight-schools-noncentered");
  fit.model = "</script><script>alert('model')</script>";
  const auto rename = [](std::vector<ParameterSummary>& parameters) {
    parameters[0].name = "<img src=x onerror=alert(1)>";
    parameters[1].name = "</script><script>alert('name')</script>";
    parameters[2].name = "<!--<script>";
    parameters[3].name = "'\"&lt;b&gt;\\u003c{{data}}";
  };
  rename(fit.average->parameters);
  rename(fit.average->unweighted_parameters);
  for (Component& c : fit.components) c.name = "<svg onload=alert('component')>";
  fit.rhat_parameter = "<iframe srcdoc='<script>alert(3)</script>'>";
  fit.findings.push_back({.code = FindingCode::few_draws_failed,
                          .parameter = "<a href='javascript:alert(4)'>",
                          .detail = "<script>alert('detail')</script>"});
  return fit;
}

// As many parameters as a report has to stay quick with.
Fit large_fit() {
  Fit fit = fit_of("gaussian");
  const auto repeat = [](std::vector<ParameterSummary>& parameters) {
    const ParameterSummary first = parameters.front();
    parameters.assign(10000, first);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      parameters[i].name = fmt::format("theta[{}]", i + 1);
      parameters[i].mean = std::sin(static_cast<double>(i));
    }
  };
  repeat(fit.average->parameters);
  repeat(fit.average->unweighted_parameters);
  return fit;
}

void write(const std::filesystem::path& folder, const Fit& fit, const Reference* reference) {
  std::filesystem::create_directories(folder);
  write_atomically(folder / "fit.json", fit_to_json(fit, 0));
  write_atomically(folder / "report.html", report_html(fit, reference));
}

void write_all(const std::filesystem::path& folder) {
  const SimulatedRegression s = simulate_linear_regression(300, 10, 0.9, 1);
  Data data;
  data.add("N", 300.0).add("P", 10.0).add("sigma", s.sigma).add("X", s.X).add("y", s.y);
  const auto regression = make_builtin("linear-regression", &data);
  const Reference reference{regression->unconstrained_names(), s.mean, s.cov};
  Fit accurate = fit(*regression, {}, {}, &reference);
  accurate.model = "linear-regression";
  write(folder / "accurate", accurate, &reference);
  write(folder / "usable", fit_of("eight-schools-noncentered"), nullptr);
  write(folder / "moved", fit_of("gaussian", {.family = "mean-field"}), nullptr);
  write(folder / "unreliable", fit_of("cauchy"), nullptr);
  write(folder / "modes", fit_of("bimodal"), nullptr);
  write(folder / "multimodal",
        fit_of("bimodal", {.method = "paper", .stop = "fixed", .max_iterations = 2000}), nullptr);
  write(folder / "failed", failed_fit(), nullptr);
  write(folder / "hostile", hostile_fit(), nullptr);
  write(folder / "large", large_fit(), nullptr);
}

}  // namespace
}  // namespace ravi

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: make_reports FOLDER\n";
    return 2;
  }
  ravi::write_all(argv[1]);
}
