// Writes fit.nc.
#include "output/netcdf.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <type_traits>
#include <utility>

#include "output/criteria.hpp"
#include "output/draws.hpp"
#include "output/fields.hpp"
#include "output/netcdf_file.hpp"
#include "ravi/error.hpp"
#include "ravi/version.hpp"

namespace ravi {
namespace {

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
  std::vector<std::string_view> findings;
  for (const Finding& f : fit.findings) findings.push_back(words(f.code).name);
  group.add_attribute("findings", fmt::format("{}", fmt::join(findings, " ")));
  if (fit.average) group.add_attribute("khat", khat_text(*fit.average));
  group.add_attribute("model", fit.model);
  if (!fit.provenance.created_at.empty()) {
    group.add_attribute("created_at", fit.provenance.created_at);
  }
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
  for (const ArrayVariable& variable : netcdf_variables(names)) {
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
    const int id = group.add_variable(variable.name, dimensions, std::move(values));
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
  group.describe(group.add_variable(name, samples, std::move(values)), "long_name", meaning);
}

void add_densities(const NetcdfGroup& group, const std::vector<ChainDraws>& chains,
                   const std::vector<int>& samples) {
  add_statistic(group, "lp", "log density of the posterior, unnormalized, unconstrained", chains,
                samples, [](const WeightedDraws& d) { return d.log_density; });
  add_statistic(group, "log_q", "log density of q", chains, samples,
                [](const WeightedDraws& d) { return d.log_q; });
  if (chains.front().draws->share_of_mode.cols() < 2) return;
  add_statistic(group, "mode_of_draw", "mode of the posterior that the draw is in, from 1", chains,
                samples, [](const WeightedDraws& d) {
                  Vector modes(d.share_of_mode.rows());
                  for (Index i = 0; i < modes.size(); ++i) {
                    modes(i) = static_cast<double>(mode_of(d, i));
                  }
                  return modes;
                });
}

// The quantities of draws, a chain for each answer, in one group, and in another what else is known
// of each: of those of q their weights, of others where they come from.
struct SampleGroups {
  const char *samples, *stats;
  DrawSet (*set_of)(const Answer&);
  bool of_q;
};

void write_samples(const NetcdfGroup& root, const SampleGroups& groups, const Fit& fit,
                   const std::vector<const Answer*>& answers) {
  std::vector<ChainDraws> chains;
  for (const Answer* answer : answers) {
    chains.push_back({&answer->draws, groups.set_of(*answer).columns});
  }
  std::size_t count = chains.front().columns.size();
  for (const ChainDraws& chain : chains) count = std::min(count, chain.columns.size());
  for (ChainDraws& chain : chains) chain.columns.resize(count);

  const NetcdfGroup group = root.add_group(groups.samples);
  describe_group(group, fit,
                 fit.average ? groups.set_of(*answers.front()).what
                             : "Draws of each chain's own answer. The chains disagree: these are "
                               "answers to choose from, not draws of one posterior.");
  if (!fit.average) {
    std::vector<std::int64_t> modes;
    std::vector<double> weights;
    for (const Answer* answer : answers) {
      modes.push_back(answer->mode);
      weights.push_back(answer->mode_weight);
    }
    group.add_attribute("mode_of_chain", modes);
    group.add_attribute("mode_weight_of_chain", weights);
  }
  const std::vector<int> samples = add_samples(group, chains);
  add_quantities(group, quantity_names(*answers.front()), chains, samples);

  const NetcdfGroup stats = root.add_group(groups.stats);
  describe_group(stats, fit, fmt::format("Of the draws in {}.", groups.samples));
  const std::vector<int> stats_samples = add_samples(stats, chains);
  add_densities(stats, chains, stats_samples);
  if (groups.of_q) {
    add_statistic(stats, "log_weight",
                  "log importance weight among the draws of this chain, Pareto smoothed; exp() "
                  "sums to one",
                  chains, stats_samples, [&](const WeightedDraws& d) {
                    return log_weights_of_q(d, static_cast<Index>(count));
                  });
  } else if (fit.average) {
    const std::vector<std::int64_t> places(chains.front().columns.begin(),
                                           chains.front().columns.end());
    stats.describe(stats.add_variable("importance_draw", stats_samples, places), "long_name",
                   "which draw of the group importance this is");
  }
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
  const std::string after = answer.moved() ? "without weight, then moved ones"
                                           : "then of wide distributions and of other optima";
  describe_group(group, fit, fmt::format("All draws: of q, {}. {}", after, means));
  group.add_attribute("draws_of_q", static_cast<std::int64_t>(answer.draws.from_q));
  const std::vector<int> samples = add_samples(group, chains);
  add_densities(group, chains, samples);
  add_statistic(group, "log_proposal", "log density of the mixture they are draws from", chains,
                samples, [](const WeightedDraws& d) { return d.log_proposal; });
  add_statistic(group, "log_weight", "log importance weight, Pareto smoothed; exp() sums to one",
                chains, samples, [](const WeightedDraws& d) { return d.log_weights; });
  const Index numbers = answer.draws.quantities.size();
  if (numbers <= kMostQuantityNumbers) {
    add_quantities(group, quantity_names(answer), chains, samples);
  } else {
    group.add_attribute(kQuantitiesMissing,
                        fmt::format("{} numbers would be too many (the limit is {}); posterior and "
                                    "variational have some of the draws",
                                    numbers, kMostQuantityNumbers));
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
  group.describe(group.add_variable(name, {rows, columns}, std::move(values)), "long_name",
                 "ELBO, mean over as many iterations as " + name + "_every says");
  group.add_variable(name + "_every", {rows}, every);
}

// Of a check, what visit_check() calls so.
template <typename Number>
Number member_of(const Check& check, const Key& key) {
  Number found{};
  visit_check(check, [&](const Key& other, const auto& value) {
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, Number>) {
      if (other.name == key.name) found = value;
    }
  });
  return found;
}

void write_optimization(const NetcdfGroup& root, const Fit& fit) {
  const NetcdfGroup group = root.add_group("optimization");
  describe_group(group, fit, "How the answer was found: the checks, and the ELBO along the way.");
  group.add_attribute("iterations", static_cast<std::int64_t>(fit.iterations));
  group.add_attribute("averaging_started_at", static_cast<std::int64_t>(fit.averaging_started_at));
  if (!fit.trace.empty()) {
    const int check = group.add_coordinate("check", static_cast<Index>(fit.trace.size()));
    visit_check(fit.trace.front(), [&](const Key& key, const auto& first) {
      using Number = std::decay_t<decltype(first)>;
      std::vector<std::conditional_t<std::is_integral_v<Number>, std::int64_t, double>> values;
      for (const Check& c : fit.trace) values.push_back(member_of<Number>(c, key));
      group.add_variable(std::string(key.name), {check}, std::move(values));
    });
  }
  add_traces(group, "chain_elbo", "optimizer_chain", fit.chain_elbo);
  add_traces(group, "search_elbo", "search", fit.search_elbo);
}

}  // namespace

std::vector<ArrayVariable> netcdf_variables(const std::vector<std::string>& names) {
  // What the groups call their own.
  constexpr std::array<std::string_view, 8> reserved = {
      "chain",           "draw",        "lp", "log_q", "log_proposal", "log_weight",
      "importance_draw", "mode_of_draw"};
  return array_variables(names, reserved);
}

void write_netcdf(const Fit& fit, const Sink& sink) {
  const std::vector<const Answer*> answers = drawn_answers(fit);
  if (answers.empty()) throw UsageError("the fit has no draws to write");
  NetcdfFile file;
  const NetcdfGroup root = file.root();
  describe_group(root, fit, "A fit of ravi in ArviZ's InferenceData schema.");
  const bool some_corrected =
      std::ranges::any_of(answers, [](const Answer* answer) { return corrected(*answer); });
  write_samples(root, {"posterior", "sample_stats", draws_to_use, !some_corrected}, fit, answers);
  if (some_corrected) {
    write_samples(root, {"variational", "sample_stats_variational", draws_of_q, true}, fit,
                  answers);
  }
  if (fit.average) write_importance(root, fit, *fit.average);
  write_optimization(root, fit);
  file.finish(sink);
}

}  // namespace ravi
