// The runs behind the figures.
#include "paper/figures.hpp"

namespace ravi::paper {
namespace {

// Of the Delta-ELBO rule on simulated data; the paper does not give it.
constexpr double kElboThreshold = 0.01;
constexpr int kChainIterations = 10000;  // of the autocorrelation plots

const std::vector<std::string> kCoefficients = {"beta[1]", "beta[2]", "beta[3]"};

// A chain of mean-field linear regression, P = 10, for its autocorrelation.
Run linear_chain(double gamma, int batch, int draws, const Effort& effort) {
  Run run = simulated_run(10, gamma, effort);
  run.kind = Kind::autocorrelation;
  run.parameters = kCoefficients;
  run.options.family = "mean-field";
  run.options.minibatch = batch;
  run.options.draws = draws;
  run.options.max_iterations = kChainIterations;
  return run;
}

Run with_rule(Run run, const char* rule) {
  run.options.stop = rule;
  if (run.options.stop == "delta-elbo") run.options.elbo_threshold = kElboThreshold;
  return run;
}

}  // namespace

std::vector<Dimension> dimension_runs(Lab& lab, const Effort& effort) {
  std::vector<Dimension> all;
  for (const Index p : effort.dimensions) {
    const Run run = simulated_run(p, kMild, effort);
    all.push_back({p, lab.ask(with_rule(run, "delta-elbo"), effort.realizations),
                   lab.ask(with_rule(run, "mcse"), effort.realizations),
                   lab.ask(with_rule(run, "fixed"), effort.realizations)});
  }
  return all;
}

std::vector<AuthorsDimension> authors_dimension_runs(Lab& lab, const Effort& effort) {
  std::vector<AuthorsDimension> all;
  for (const Index p : effort.authors_dimensions) {
    const Run run = authors_simulated_run(p, effort);
    all.push_back(
        {p, lab.ask(with_rule(run, "delta-elbo"), 1), lab.ask(with_rule(run, "mcse"), 1)});
  }
  return all;
}

Stopping authors_stopping_runs(Lab& lab, const Effort& effort) {
  const Run run = authors_simulated_run(effort.authors_dimensions.back(), effort);
  Run along = run;
  along.kind = Kind::evolution;
  along.khat_draws = 0;
  along.options.max_iterations = 10000;
  along.checkpoints = checkpoints_until(along.options.max_iterations);
  return {lab.ask(along, 1), lab.ask(with_rule(run, "delta-elbo"), 1),
          lab.ask(with_rule(run, "mcse"), 1)};
}

Stopping stopping_runs(Lab& lab, const Effort& effort) {
  const Run run = simulated_run(effort.dimension_right, kMild, effort);
  Run along = run;
  along.kind = Kind::evolution;
  along.checkpoints = checkpoints_until(effort.simulated_iterations);
  return {lab.ask(along, 1), lab.ask(with_rule(run, "delta-elbo"), 1),
          lab.ask(with_rule(run, "mcse"), 1)};
}

Evolution evolution_runs(Lab& lab, const Effort& effort, double gamma) {
  Evolution evolution{gamma, {}, checkpoints_until(effort.simulated_iterations)};
  for (const Index p : effort.dimensions_along) {
    Run run = simulated_run(p, gamma, effort);
    run.kind = Kind::evolution;
    run.options.chains = 4;
    run.checkpoints = evolution.checkpoints;
    evolution.runs.emplace_back(p, lab.ask(run, effort.realizations));
  }
  return evolution;
}

double Oscillation::at_lag(Index lag) const {
  if (group.empty() || group.first().autocorrelation.rows() <= lag) return kUnknown;
  return group.first().autocorrelation.row(lag).mean();
}

std::vector<Oscillation> oscillation_runs(Lab& lab, const Effort& effort) {
  std::vector<Oscillation> all;
  for (const double gamma : {kMild, kStrong}) {
    for (const int batch : {50, 0}) {
      for (const int draws : {1, 10, 100}) {
        all.push_back({gamma, batch, draws, lab.ask(linear_chain(gamma, batch, draws, effort), 1)});
      }
    }
  }
  return all;
}

std::vector<Chain1> autocorrelation_runs(Lab& lab, const Effort& effort, const Printed& printed) {
  std::vector<Chain1> all;
  const auto add = [&](const char* title, const char* file, Run run,
                       std::vector<std::string> parameters, std::vector<std::string> names,
                       double tail_index) {
    run.kind = Kind::autocorrelation;
    run.parameters = std::move(parameters);
    run.options.max_iterations = kChainIterations;
    all.push_back({title, file, std::move(names), lab.ask(run, 1), tail_index});
  };
  // Two of oscillation_runs(): with the noise of the other figures, and with little.
  add("Linear regression, mini-batches, M = 10", "autocorrelation_linear_noisy.svg",
      linear_chain(kStrong, 50, 10, effort), kCoefficients, {"β1", "β2", "β3"},
      printed.tail_index_linear);
  add("Linear regression, all rows, M = 100", "autocorrelation_linear.svg",
      linear_chain(kStrong, 0, 100, effort), kCoefficients, {"β1", "β2", "β3"},
      printed.tail_index_linear);
  const auto schools = [&](const char* posterior) {
    return Run{.posterior = posterior, .options = paper_options(posterior, effort)};
  };
  add("8-school (CP), full rank", "autocorrelation_cp.svg", schools("eight-schools-centered"),
      {"mu", "tau", "theta[1]"}, {"μ", "log τ", "θ1"}, printed.tail_index_cp);
  add("8-school (NCP), full rank", "autocorrelation_ncp.svg", schools("eight-schools-noncentered"),
      {"mu", "tau", "theta_tilde[1]"}, {"μ", "log τ", "θ1 (standardized)"}, printed.tail_index_ncp);
  return all;
}

}  // namespace ravi::paper
