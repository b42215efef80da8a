// What the claims are judged by: the runs of all tables and figures, and a few more.
#pragma once

#include <utility>
#include <vector>

#include "paper/claims.hpp"
#include "paper/figures.hpp"
#include "paper/tables.hpp"

namespace ravi::paper {

inline constexpr double kKhatLimit = 0.7;

struct Evidence {
  TableRuns table1, table2;
  std::vector<Dimension> dimensions;
  std::vector<AuthorsDimension> authors_dimensions;
  Evolution strong, mild;
  std::vector<Chain1> chains;
  std::vector<Oscillation> oscillations;
  NetworkRuns network;
  Group bimodal_one, bimodal_four;                        // J = 1 and 4
  std::vector<std::pair<double, Group>> elbo_thresholds;  // Boston, linear
};

// Claims about averages and about stopping, each judged by what was measured.
std::vector<Claim> claims_on_averaging(const Evidence& evidence);
std::vector<Claim> claims_on_stopping(const Evidence& evidence, const Printed& printed);

// Delta-ELBO with ever smaller thresholds.
std::vector<std::pair<double, Group>> elbo_threshold_runs(Lab& lab, const Effort& effort);

// held when all do, in part when at least half do.
Judgement judged(std::size_t holding, std::size_t all);

}  // namespace ravi::paper
