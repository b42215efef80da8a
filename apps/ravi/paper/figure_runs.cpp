// The runs behind the figures.
#include "ravi/paper/figures.hpp"

namespace ravi::paper {
namespace {

// Of the Delta-ELBO rule on simulated data; the paper does not give it.
constexpr double kElboThreshold = 0.01;
constexpr int kChainIterations = 10000;  // of the autocorrelation plots

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
  // The paper gives neither M nor the batch size of this figure: one noisy and one precise
  // gradient.
  Run linear = simulated_run(10, kStrong, effort);
  linear.options.family = "mean-field";
  const std::vector<std::string> coefficients = {"beta[1]", "beta[2]", "beta[3]"};
  add("Linear regression, mini-batches, M = 10", "autocorrelation_linear_noisy.svg", linear,
      coefficients, {"β1", "β2", "β3"}, printed.tail_index_linear);
  linear.options.minibatch = 0;
  linear.options.draws = 100;
  add("Linear regression, all rows, M = 100", "autocorrelation_linear.svg", linear, coefficients,
      {"β1", "β2", "β3"}, printed.tail_index_linear);
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
