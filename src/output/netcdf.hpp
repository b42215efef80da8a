// fit.nc: the draws and the optimization in ArviZ's InferenceData schema, netCDF-4; and back.
#pragma once

#include <filesystem>

#include "core/files.hpp"
#include "output/variables.hpp"
#include "ravi/fit.hpp"

namespace ravi {

// The quantities as variables of its groups.
std::vector<ArrayVariable> netcdf_variables(const std::vector<std::string>& names);
// The most numbers that the group importance holds of them, 64 MB, and the attribute that says why
// it has none.
inline constexpr Index kMostQuantityNumbers = Index{1} << 23;
inline constexpr const char* kQuantitiesMissing = "quantities_missing";

// The groups, each with attributes that say what it is and which to use:
//   posterior     the draws to use, of equal weight: as draws.csv. When the chains disagree, each
//                 chain's own, with the modes and their mass as attributes
//   sample_stats  of those: lp, log_q, and importance_draw, which of importance they are
//   variational   draws of q, as draws_variational.csv; not where posterior has them
//   sample_stats_variational  of those: lp, log_q, and log_weight among themselves, which is in
//                 sample_stats where posterior has them
//   importance    all draws of q and of the wide t around it: lp, log_q, log_proposal, log_weight,
//                 and the quantities unless they are too many. Not when the chains disagree
//   optimization  the checks, and the ELBO along every chain and search
// Same fit, same bytes. Throws UsageError when the fit has no draws.
void write_netcdf(const Fit& fit, const Sink& sink);

// Puts the draws of a fit.nc back into a fit that was read from the fit.json beside it: quantities,
// log densities, log weights, and the resampled ones that were written; not theta. Of a
// fit whose quantities were too many there are the plain draws only, with their own weights. Throws
// UsageError when the file cannot be read or is not of this fit.
void read_draws(const std::filesystem::path& path, Fit& fit);

}  // namespace ravi
