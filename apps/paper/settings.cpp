// The settings of the paper's experiments.
#include "paper/settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ravi::paper {
namespace {

constexpr int kPaperRealizations = 50, kPaperSimulatedIterations = 120000;
constexpr int kPaperNetworkIterations = 10000, kPaperIterations = 15000;
constexpr int kPaperBatch = 50;
constexpr const char* kNetwork = "mnist100";

bool is_large(const std::string& posterior) {
  return posterior == kNetwork || posterior == "radon";
}

}  // namespace

Effort quick_effort() {
  return {.name = "quick",
          .seeds = 3,
          .large_seeds = 1,
          .realizations = 3,
          .simulated_iterations = 20000,
          .network_psis_draws = 500,
          .network_iterations = 1000,
          .dimensions = {10, 20, 40, 70},
          .dimensions_along = {10, 30, 60},
          .dimension_right = 70};
}

Effort full_effort() {
  return {.name = "full",
          .seeds = 10,
          .large_seeds = 3,
          .realizations = kPaperRealizations,
          .simulated_iterations = kPaperSimulatedIterations,
          .network_psis_draws = 4000,
          .network_iterations = kPaperNetworkIterations,
          .dimensions = {10, 20, 30, 40, 50, 60, 70, 80, 90, 100},
          .dimensions_along = {10, 20, 40, 60, 100},
          .dimension_right = 70};
}

std::string description(const Effort& e) {
  return fmt::format(
      "Effort: {}. Table rows are medians over {} seeds ({} for Radon and MNIST100; the paper does "
      "not say how many it used). Simulated regressions are medians over {} data realizations (the "
      "paper: {}) of at most {} iterations (the paper: {}), MNIST100 runs for at most {} (the "
      "paper: {}), everything else for at most {} as in the paper. M = 10 draws per gradient, "
      "which the paper does not give; eta = 0.01, W = 100, tau = 1.1, e = 20 as in the paper.",
      e.name, e.seeds, e.large_seeds, e.realizations, kPaperRealizations, e.simulated_iterations,
      kPaperSimulatedIterations, e.network_iterations, kPaperNetworkIterations, kPaperIterations);
}

int paper_iterations(const std::string& posterior) {
  return posterior == kNetwork ? kPaperNetworkIterations : kPaperIterations;
}

// What is left open here are the method's own values, which are those of the paper.
Options paper_options(const std::string& posterior, const Effort& effort) {
  Options options;
  options.method = "paper";
  options.chains = 1;
  options.family = posterior == kNetwork ? "mean-field" : "full-rank";
  options.max_iterations =
      posterior == kNetwork ? effort.network_iterations : paper_iterations(posterior);
  if (posterior == kNetwork) options.psis_draws = effort.network_psis_draws;
  return options;
}

Options robust_options(const std::string& posterior, const Effort& effort) {
  Options options;
  if (posterior == kNetwork) {
    const Options paper = paper_options(posterior, effort);
    options.family = paper.family;
    options.psis_draws = paper.psis_draws;
    options.max_iterations = paper.max_iterations / options.chains;
  }
  return options;
}

Run simulated_run(Index dimension, double gamma, const Effort& effort) {
  Run run{.posterior = "simulated", .dimension = dimension, .gamma = gamma};
  run.options = paper_options(run.posterior, effort);
  run.options.max_iterations = effort.simulated_iterations;
  run.options.minibatch = kPaperBatch;
  return run;
}

int seeds_of(const std::string& posterior, const Effort& effort) {
  return is_large(posterior) ? effort.large_seeds : effort.seeds;
}

std::vector<long> checkpoints_until(long last) {
  std::vector<long> points;
  for (long power = 100; power < last; power *= 10) {
    for (const long front : {1, 2, 5}) {
      const long point = front * power;
      if (point >= 200 && point < last) points.push_back(point);
    }
  }
  points.push_back(last);
  return points;
}

}  // namespace ravi::paper
