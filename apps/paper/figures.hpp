// The figures of the paper and of its supplement, from runs of ravi.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "paper/document.hpp"
#include "paper/lab.hpp"
#include "paper/printed.hpp"
#include "paper/settings.hpp"

namespace ravi::paper {

// D of the last iterate and of the average, for medians over runs.
inline double last_d(const Result& r) { return r.last.d(); }
inline double average_d(const Result& r) { return r.average.d(); }

// Correlations of neighboring columns: the paper names 0.9 "strong" and shows it in Figure 2; the
// supplement repeats that with 0.5. Figure 1 is taken to be the milder case.
inline constexpr double kStrong = 0.9, kMild = 0.5;

// Figure 1, left: the rules at each P.
struct Dimension {
  Index p = 0;
  Group elbo, mcse, second_half;
};
std::vector<Dimension> dimension_runs(Lab& lab, const Effort& effort);

// The same as the authors ran it, on one data set.
struct AuthorsDimension {
  Index p = 0;
  Group elbo, mcse;
};
std::vector<AuthorsDimension> authors_dimension_runs(Lab& lab, const Effort& effort);

// Figure 1, right: one realization along the run, and where the rules would have stopped.
struct Stopping {
  Group along, elbo, mcse;
};
Stopping stopping_runs(Lab& lab, const Effort& effort);
Stopping authors_stopping_runs(Lab& lab, const Effort& effort);

// Figure 2 and the supplement's: four chains along the run at each P.
struct Evolution {
  double gamma = 0;
  std::vector<std::pair<Index, Group>> runs;
  std::vector<long> checkpoints;
};
Evolution evolution_runs(Lab& lab, const Effort& effort, double gamma);

// Supplement, Figure 1: autocorrelations of the locations; with them the tail indices.
struct Chain1 {
  std::string title, file;
  std::vector<std::string> names;  // as the paper calls them
  Group group;
  double printed_tail_index = kUnknown;
};
std::vector<Chain1> autocorrelation_runs(Lab& lab, const Effort& effort, const Printed& printed);

// The settings that the paper leaves open behind the first of those plots, all of them tried.
struct Oscillation {
  double gamma = 0;
  int batch = 0;  // 0: all rows
  int draws = 0;  // M
  Group group;

  double at_lag(Index lag) const;  // mean over the three locations; unknown without a run
};
std::vector<Oscillation> oscillation_runs(Lab& lab, const Effort& effort);

Section figure1_section(Lab& lab, const Effort& effort);
Section evolution_section(const std::string& title, const std::string& file, Lab& lab,
                          const Effort& effort, double gamma);
Section autocorrelation_section(Lab& lab, const Effort& effort, const Printed& printed);

}  // namespace ravi::paper
