// The settings of the paper's experiments.
#include "paper/settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace ravi::paper {
namespace {

constexpr int kPaperRealizations = 50, kPaperSimulatedIterations = 120000;
constexpr int kPaperNetworkIterations = 10000, kPaperIterations = 15000;
constexpr int kPaperBatch = 50;

// Where the code has a range of step sizes, the middle of it.
constexpr std::array kAuthors = {
    AuthorsSetting{"Boston", "authors-boston", 13, "", "wide", 0.01, 0.01, 11000, 20000},
    AuthorsSetting{"Wine", "authors-wine", 11, "", "wide", 0.006, 0.005, 11000, 20000},
    AuthorsSetting{"Concrete", "authors-concrete", 8, "", "wide", 0.0075, 0.005, 11000, 20000},
    AuthorsSetting{"8-school (CP)", "authors-eight-schools-centered", 10, "", "unit", 0.009, 0.009,
                   10000, 40000},
    AuthorsSetting{"8-school (NCP)", "authors-eight-schools-noncentered", 10, "", "unit", 0.008,
                   0.008, 8500, 40000},
    AuthorsSetting{"Radon", "authors-radon", 87, "", "wide", 0.0165, 0.01, 15000, 20000},
    AuthorsSetting{"MNIST100", "authors-mnist100", 7951, "adagrad-windowed", "ones", 0, 0.0004,
                   10000, 20000},
    AuthorsSetting{"MNIST100", "authors-mnist100-other", 7951, "adagrad-windowed", "ones", 0,
                   0.0004, 10000, 20000},
};
constexpr const char* kNetwork = "mnist100";

bool is_large(const std::string& posterior) {
  return posterior.find(kNetwork) != std::string::npos || posterior.ends_with("radon");
}

bool is_network(std::string_view posterior) {
  return posterior.find(kNetwork) != std::string_view::npos;
}

}  // namespace

Effort quick_effort() {
  return {.name = "quick",
          .seeds = 1,
          .large_seeds = 1,
          .realizations = 1,
          .simulated_iterations = 20000,
          .network_psis_draws = 500,
          .network_iterations = 1200,
          .authors_network_iterations = 1200,
          .authors_seeds = 5,
          .dimensions = {10, 20, 40, 70},
          .authors_dimensions = {10, 40},
          .dimensions_along = {10, 30, 60},
          .dimension_right = 70};
}

Effort full_effort() {
  return {.name = "full",
          .seeds = 3,
          .large_seeds = 1,
          .realizations = 1,
          .simulated_iterations = 40000,
          .network_psis_draws = 1000,
          .network_iterations = 1500,
          .authors_network_iterations = kPaperNetworkIterations,
          .authors_seeds = 5,
          .dimensions = {10, 20, 30, 40, 50, 60, 70, 80, 90, 100},
          .authors_dimensions = {10, 20, 40, 60, 80},
          .dimensions_along = {10, 20, 40, 60, 100},
          .dimension_right = 70};
}

std::string description(const Effort& e) {
  return fmt::format(
      "Effort: {}. Rows of the tables are medians over seeds: {} as the text has them, {} as the "
      "authors ran them, {} of Radon and MNIST100 in both; the paper does not say how many it "
      "used. Simulated regressions are medians over data realizations, {} of them (the paper: {}), "
      "of at most {} iterations (the paper: {}), MNIST100 runs as the text has them for at most {} "
      "and as the authors ran them for at most {} (the paper: {}), everything else for as many as "
      "in "
      "the paper. As the text has them means eta = 0.01, W = "
      "100, tau = 1.1, e = 20, and M = 10 draws per gradient, of which the text says nothing.",
      e.name, e.seeds, e.authors_seeds, e.large_seeds, e.realizations, kPaperRealizations,
      e.simulated_iterations, kPaperSimulatedIterations, e.network_iterations,
      e.authors_network_iterations, kPaperNetworkIterations);
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

Index network_khat_draws(const std::string& posterior, const Effort& effort) {
  return is_network(posterior) ? effort.network_psis_draws : 0;
}

std::span<const AuthorsSetting> authors_settings() { return kAuthors; }

Run authors_run(const AuthorsSetting& setting, const std::string& optimizer, const Effort& effort) {
  Run run{.posterior = std::string(setting.posterior), .khat_draws = setting.khat_draws};
  Options& o = run.options;
  o.method = "authors";
  o.optimizer = setting.optimizer.empty() ? optimizer : std::string(setting.optimizer);
  o.start = setting.start;
  o.step_size = o.optimizer == "rmsprop" ? setting.rmsprop_step : setting.adagrad_step;
  o.max_iterations = setting.max_iterations;
  if (is_network(setting.posterior)) {
    o.family = "mean-field";
    o.max_iterations = effort.authors_network_iterations;
  }
  return run;
}

// N = 230 rows; eta from 0.018 at P = 10 to 0.010 at P = 80.
Run authors_simulated_run(Index dimension, const Effort& /*effort*/) {
  constexpr double kGamma = 0.7, kFirstEta = 0.018, kLastEta = 0.010, kFirst = 10, kLast = 80;
  Run run{.posterior = "simulated-authors", .dimension = dimension, .gamma = kGamma};
  run.options.method = "authors";
  run.options.start = "wide";
  run.options.step_size = kFirstEta + (kLastEta - kFirstEta) *
                                          (static_cast<double>(dimension) - kFirst) /
                                          (kLast - kFirst);
  run.khat_draws = 20000;
  return run;
}

Run simulated_run(Index dimension, double gamma, const Effort& effort) {
  Run run{.posterior = "simulated", .dimension = dimension, .gamma = gamma};
  run.options = paper_options(run.posterior, effort);
  run.options.max_iterations = effort.simulated_iterations;
  run.options.minibatch = kPaperBatch;
  return run;
}

int seeds_of(const std::string& posterior, const Effort& effort) {
  if (is_large(posterior)) return effort.large_seeds;
  return posterior.starts_with("authors") ? effort.authors_seeds : effort.seeds;
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
