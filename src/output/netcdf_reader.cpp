// Reads fit.nc.
#include <fmt/format.h>

#include "output/draws.hpp"
#include "output/netcdf.hpp"
#include "output/netcdf_file.hpp"
#include "ravi/error.hpp"

namespace ravi {
namespace {

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
  for (const ArrayVariable& variable : netcdf_variables(names)) {
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

// The groups that draws of q are in: their own where the posterior has others.
struct GroupsOfQ {
  bool own;
  NetcdfGroup samples, stats;
  explicit GroupsOfQ(const NetcdfGroup& root)
      : own(root.has_group("variational")),
        samples(root.group(own ? "variational" : "posterior")),
        stats(root.group(own ? "sample_stats_variational" : "sample_stats")) {}
};

WeightedDraws read_plain(const NetcdfGroup& root, const std::vector<std::string>& names,
                         Index chain) {
  const auto& [own, samples, stats] = GroupsOfQ(root);
  const Index n = samples.dimension("draw");
  WeightedDraws draws;
  draws.from_q = draws.plain = n;
  draws.quantities = read_quantities(samples, names, chain, n);
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
  const GroupsOfQ of_q(root);
  draws.plain = of_q.samples.dimension("draw");
  draws.quantities = read_quantities(group, names, 0, n);
  draws.log_density = read_statistic(group, "lp", 0, n);
  draws.log_q = read_statistic(group, "log_q", 0, n);
  draws.log_proposal = read_statistic(group, "log_proposal", 0, n);
  draws.log_weights = read_statistic(group, "log_weight", 0, n);
  if (of_q.own) {
    for (const double place : root.group("sample_stats").values("importance_draw")) {
      draws.resampled.push_back(static_cast<Index>(place));
    }
  }
  return draws;
}

// Each draw's mode as one that has all of it, as the file has one number for it.
Matrix read_modes(const NetcdfGroup& group, Index modes, Index draws) {
  const Vector mode = read_statistic(group, "mode_of_draw", 0, draws);
  Matrix shares = Matrix::Zero(draws, modes);
  for (Index i = 0; i < draws; ++i) {
    const auto of = static_cast<Index>(mode(i)) - 1;
    if (!(of >= 0 && of < modes)) throw UsageError("a draw is in a mode that there is not");
    shares(i, of) = 1;
  }
  return shares;
}

}  // namespace

void read_draws(const std::filesystem::path& path, Fit& fit) {
  NetcdfFile file(path);
  const NetcdfGroup root = file.root();
  try {
    if (fit.average) {
      const std::vector<std::string> names = quantity_names(*fit.average);
      const bool some = root.group("importance").has_attribute(kQuantitiesMissing);
      WeightedDraws& draws = fit.average->draws;
      draws = some ? read_plain(root, names, 0) : read_all(root, names);
      if (const Index modes = std::ssize(fit.average->modes); modes > 1) {
        const NetcdfGroup group = some ? GroupsOfQ(root).stats : root.group("importance");
        draws.share_of_mode = read_modes(group, modes, draws.quantities.cols());
      }
    }
    for (std::size_t j = 0; j < fit.chains.size(); ++j) {
      fit.chains[j].draws = read_plain(root, quantity_names(fit.chains[j]), static_cast<Index>(j));
    }
  } catch (const Error& e) {
    throw UsageError(fmt::format("{}: not the draws of this fit: {}", path.string(), e.what()));
  }
}

}  // namespace ravi
