// fit.nc: the draws and the optimization in ArviZ's InferenceData schema, netCDF-4; and back.
#include "output/netcdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "output/draws.hpp"
#include "output/netcdf_file.hpp"
#include "output/variables.hpp"
#include "ravi/error.hpp"
#include "ravi/version.hpp"

namespace ravi {
namespace {

// The most numbers that the group importance holds of quantities: 32 MB.
constexpr Index kMostNumbers = Index{1} << 22;

// Names that a quantity cannot have, in one group or another.
constexpr std::array<std::string_view, 7> kReserved = {
    "chain", "draw", "lp", "log_q", "log_proposal", "log_weight", "importance_draw"};

constexpr const char* kMissing = "quantities_missing";

// Draws of one chain of a group.
struct ChainDraws {
  const WeightedDraws* draws;
  std::vector<Index> columns;
};

void describe_group(const NetcdfGroup& group, const Fit& fit, std::string_view what) {
  group.add_attribute("description", what);
  group.add_attribute("which_draws", which_draws(fit));
  group.add_attribute("verdict", name(fit.verdict));
  group.add_attribute("verdict_meaning", meaning(fit.verdict));
  if (fit.average) group.add_attribute("khat", fit.average->khat);
  group.add_attribute("model", fit.model);
  for (const char* role : {"inference_library", "creation_library"}) {
    group.add_attribute(role, "ravi");
    group.add_attribute((std::string(role) + "_version").c_str(), version());
  }
  group.add_attribute("creation_library_language", "C++");
}

// The dimensions chain and draw with their coordinates.
std::vector<int> add_samples(const NetcdfGroup& group, const std::vector<ChainDraws>& chains) {
  group.add_attribute("sample_dims", std::vector<std::string>{"chain", "draw"});
  return {group.add_coordinate("chain", static_cast<Index>(chains.size())),
          group.add_coordinate("draw", static_cast<Index>(chains.front().columns.size()))};
}

void add_quantities(const NetcdfGroup& group, const std::vector<std::string>& names,
                    const std::vector<ChainDraws>& chains, const std::vector<int>& samples) {
  for (const ArrayVariable& variable : array_variables(names, kReserved)) {
    std::vector<int> dimensions = samples;
    for (std::size_t d = 0; d < variable.shape.size(); ++d) {
      dimensions.push_back(group.add_coordinate(variable.dimension(d), variable.shape[d]));
    }
    std::vector<double> values;
    values.reserve(chains.size() * chains.front().columns.size() * variable.quantities.size());
    for (const ChainDraws& chain : chains) {
      for (const Index s : chain.columns) {
        for (const Index i : variable.quantities) values.push_back(chain.draws->quantities(i, s));
      }
    }
    const int id = group.add_variable(variable.name, dimensions, values);
    if (variable.name != variable.original) group.describe(id, "quantity", variable.original);
  }
}

// One number per draw.
void add_statistic(const NetcdfGroup& group, const char* name, const char* meaning,
                   const std::vector<ChainDraws>& chains, const std::vector<int>& samples,
                   const std::function<Vector(const WeightedDraws&)>& of) {
  std::vector<double> values;
  for (const ChainDraws& chain : chains) {
    const Vector all = of(*chain.draws);
    for (const Index s : chain.columns) values.push_back(all(s));
  }
  group.describe(group.add_variable(name, samples, values), "long_name", meaning);
}

void add_densities(const NetcdfGroup& group, const std::vector<ChainDraws>& chains,
                   const std::vector<int>& samples) {
  add_statistic(group, "lp", "log density of the posterior, unnormalized, unconstrained", chains,
                samples, [](const WeightedDraws& d) { return d.log_density; });
  add_statistic(group, "log_q", "log density of q", chains, samples,
                [](const WeightedDraws& d) { return d.log_q; });
}

void write_posterior(const NetcdfGroup& root, const Fit& fit,
                     const std::vector<const Answer*>& answers) {
  std::vector<ChainDraws> chains;
  for (const Answer* answer : answers) chains.push_back({&answer->draws, plain_draws(*answer)});
  std::size_t count = chains.front().columns.size();
  for (const ChainDraws& chain : chains) count = std::min(count, chain.columns.size());
  for (ChainDraws& chain : chains) chain.columns.resize(count);

  const NetcdfGroup posterior = root.add_group("posterior");
  describe_group(posterior, fit,
                 fit.average
                     ? "Draws of q, all of equal weight, as in draws.csv; their means are "
                       "unweighted_parameters of fit.json."
                     : "Draws of each chain's own q. The chains disagree: these are answers "
                       "to choose from, not draws of one posterior.");
  if (!fit.average) {
    std::vector<std::int64_t> modes;
    std::vector<double> weights;
    for (const Answer* answer : answers) {
      modes.push_back(answer->mode);
      weights.push_back(answer->mode_weight);
    }
    posterior.add_attribute("mode_of_chain", modes);
    posterior.add_attribute("mode_weight_of_chain", weights);
  }
  const std::vector<int> samples = add_samples(posterior, chains);
  add_quantities(posterior, quantity_names(*answers.front()), chains, samples);

  const NetcdfGroup stats = root.add_group("sample_stats");
  describe_group(stats, fit, "Log densities and log weights of the draws in posterior.");
  const std::vector<int> stats_samples = add_samples(stats, chains);
  add_densities(stats, chains, stats_samples);
  add_statistic(stats, "log_weight",
                "log importance weight among the draws of this chain, Pareto smoothed; exp() sums "
                "to one",
                chains, stats_samples, [&](const WeightedDraws& d) {
                  return log_weights_of_q(d, static_cast<Index>(count));
                });
}

void write_resampled(const NetcdfGroup& root, const Fit& fit, const Answer& answer) {
  const std::vector<ChainDraws> chains = {{&answer.draws, resampled_draws(answer)}};
  if (chains.front().columns.empty()) return;
  const NetcdfGroup group = root.add_group("posterior_resampled");
  describe_group(group, fit,
                 "Draws chosen by importance weight, with replacement, as in draws_resampled.csv: "
                 "all count the same.");
  const std::vector<int> samples = add_samples(group, chains);
  add_quantities(group, quantity_names(answer), chains, samples);
  const std::vector<std::int64_t> places(chains.front().columns.begin(),
                                         chains.front().columns.end());
  group.describe(group.add_variable("importance_draw", samples, places), "long_name",
                 "which draw of the group importance this is");
}

void write_importance(const NetcdfGroup& root, const Fit& fit, const Answer& answer) {
  const Index size = answer.draws.log_weights.size();
  std::vector<Index> all(static_cast<std::size_t>(size));
  std::iota(all.begin(), all.end(), Index{0});
  const std::vector<ChainDraws> chains = {{&answer.draws, all}};
  const NetcdfGroup group = root.add_group("importance");
  const std::string means =
      answer.weighted ? "Means weighted by exp(log_weight) are parameters of fit.json."
                      : "The weights are not to be trusted, and fit.json does not use them.";
  describe_group(group, fit, "All draws: of q, then of a wide t around it. " + means);
  group.add_attribute("draws_of_q", static_cast<std::int64_t>(answer.draws.from_q));
  const std::vector<int> samples = add_samples(group, chains);
  add_densities(group, chains, samples);
  add_statistic(group, "log_proposal", "log density of the mixture of q and t they are draws from",
                chains, samples, [](const WeightedDraws& d) { return d.log_proposal; });
  add_statistic(group, "log_weight", "log importance weight, Pareto smoothed; exp() sums to one",
                chains, samples, [](const WeightedDraws& d) { return d.log_weights; });
  const Index numbers = answer.draws.quantities.size();
  if (numbers <= kMostNumbers) {
    add_quantities(group, quantity_names(answer), chains, samples);
  } else {
    group.add_attribute(kMissing,
                        fmt::format("{} numbers would be too many (the limit is {}); posterior and "
                                    "posterior_resampled have some of the draws",
                                    numbers, kMostNumbers));
  }
}

// ELBO traces as the rows of a matrix; shorter ones end in NaN.
void add_traces(const NetcdfGroup& group, const std::string& name, const std::string& row,
                const std::vector<ElboTrace>& traces) {
  std::size_t points = 0;
  for (const ElboTrace& trace : traces) points = std::max(points, trace.elbo.size());
  if (points == 0) return;
  std::vector<double> values;
  std::vector<std::int64_t> every;
  for (const ElboTrace& trace : traces) {
    values.insert(values.end(), trace.elbo.begin(), trace.elbo.end());
    values.resize(values.size() + points - trace.elbo.size(), kUnknown);
    every.push_back(trace.every);
  }
  const int rows = group.add_coordinate(row, static_cast<Index>(traces.size()));
  const int columns = group.add_coordinate(name + "_point", static_cast<Index>(points));
  group.describe(group.add_variable(name, {rows, columns}, values), "long_name",
                 "ELBO, mean over as many iterations as " + name + "_every says");
  group.add_variable(name + "_every", {rows}, every);
}

void write_optimization(const NetcdfGroup& root, const Fit& fit) {
  const NetcdfGroup group = root.add_group("optimization");
  describe_group(group, fit, "How the answer was found: the checks, and the ELBO along the way.");
  group.add_attribute("iterations", static_cast<std::int64_t>(fit.iterations));
  group.add_attribute("averaging_started_at", static_cast<std::int64_t>(fit.averaging_started_at));
  if (!fit.trace.empty()) {
    const int check = group.add_coordinate("check", static_cast<Index>(fit.trace.size()));
    std::vector<std::int64_t> iterations;
    for (const Check& c : fit.trace) iterations.push_back(c.iteration);
    group.add_variable("iteration", {check}, iterations);
    const auto add = [&](const char* name, double Check::*member) {
      std::vector<double> values;
      for (const Check& c : fit.trace) values.push_back(c.*member);
      group.add_variable(name, {check}, values);
    };
    add("elbo", &Check::elbo);
    add("rhat_max", &Check::rhat_max);
    add("mcse_median", &Check::mcse_median);
    add("ess_min", &Check::ess_min);
    add("error", &Check::error);
  }
  add_traces(group, "chain_elbo", "optimizer_chain", fit.chain_elbo);
  add_traces(group, "search_elbo", "search", fit.search_elbo);
}

// A statistic of one chain, as the rows are stored.
Vector read_statistic(const NetcdfGroup& group, const std::string& name, Index chain, Index draws) {
  const std::vector<double> values = group.values(name);
  if (static_cast<Index>(values.size()) < (chain + 1) * draws) {
    throw UsageError(fmt::format("{} has too few values", name));
  }
  return Eigen::Map<const Vector>(values.data() + chain * draws, draws);
}

Matrix read_quantities(const NetcdfGroup& group, const std::vector<std::string>& names, Index chain,
                       Index draws) {
  Matrix quantities(static_cast<Index>(names.size()), draws);
  for (const ArrayVariable& variable : array_variables(names, kReserved)) {
    const auto n = static_cast<Index>(variable.quantities.size());
    const std::vector<double> values = group.values(variable.name);
    if (static_cast<Index>(values.size()) < (chain + 1) * draws * n) {
      throw UsageError(fmt::format("{} has too few values", variable.name));
    }
    const double* at = values.data() + chain * draws * n;
    for (Index s = 0; s < draws; ++s) {
      for (const Index i : variable.quantities) quantities(i, s) = *at++;
    }
  }
  return quantities;
}

// Draws of q alone, from posterior and sample_stats.
WeightedDraws read_plain(const NetcdfGroup& root, const std::vector<std::string>& names,
                         Index chain) {
  const NetcdfGroup posterior = root.group("posterior"), stats = root.group("sample_stats");
  const Index n = posterior.dimension("draw");
  WeightedDraws draws;
  draws.from_q = draws.plain = n;
  draws.quantities = read_quantities(posterior, names, chain, n);
  draws.log_density = read_statistic(stats, "lp", chain, n);
  draws.log_q = read_statistic(stats, "log_q", chain, n);
  draws.log_proposal = draws.log_q;
  draws.log_weights = read_statistic(stats, "log_weight", chain, n);
  return draws;
}

WeightedDraws read_all(const NetcdfGroup& root, const std::vector<std::string>& names) {
  const NetcdfGroup group = root.group("importance");
  const Index n = group.dimension("draw");
  WeightedDraws draws;
  draws.from_q = static_cast<Index>(group.attribute("draws_of_q"));
  draws.plain = root.group("posterior").dimension("draw");
  draws.quantities = read_quantities(group, names, 0, n);
  draws.log_density = read_statistic(group, "lp", 0, n);
  draws.log_q = read_statistic(group, "log_q", 0, n);
  draws.log_proposal = read_statistic(group, "log_proposal", 0, n);
  draws.log_weights = read_statistic(group, "log_weight", 0, n);
  if (root.has_group("posterior_resampled")) {
    for (const double place : root.group("posterior_resampled").values("importance_draw")) {
      draws.resampled.push_back(static_cast<Index>(place));
    }
  }
  return draws;
}

}  // namespace

void write_netcdf(const Fit& fit, const Sink& sink) {
  const std::vector<const Answer*> answers = drawn_answers(fit);
  NetcdfFile file;
  const NetcdfGroup root = file.root();
  describe_group(root, fit, "A fit of ravi in ArviZ's InferenceData schema.");
  write_posterior(root, fit, answers);
  if (fit.average) {
    write_resampled(root, fit, *fit.average);
    write_importance(root, fit, *fit.average);
  }
  write_optimization(root, fit);
  file.finish(sink);
}

void read_draws(const std::filesystem::path& path, Fit& fit) {
  const NetcdfFile file(path);
  const NetcdfGroup root = file.root();
  try {
    if (fit.average) {
      const std::vector<std::string> names = quantity_names(*fit.average);
      const bool some = root.group("importance").has_attribute(kMissing);
      fit.average->draws = some ? read_plain(root, names, 0) : read_all(root, names);
    }
    for (std::size_t j = 0; j < fit.chains.size(); ++j) {
      fit.chains[j].draws = read_plain(root, quantity_names(fit.chains[j]), static_cast<Index>(j));
    }
  } catch (const Error& e) {
    throw UsageError(fmt::format("{}: not the draws of this fit: {}", path.string(), e.what()));
  }
}

}  // namespace ravi
