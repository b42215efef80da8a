// The settings of the paper's experiments, and how much of them is run.
#pragma once

#include <string>
#include <vector>

#include "paper/runs.hpp"

namespace ravi::paper {

// What --quick and --full differ in.
struct Effort {
  std::string name;
  int seeds = 1;                             // of every row of the tables
  int large_seeds = 1;                       // of Radon and MNIST100
  int realizations = 1;                      // of simulated data
  int simulated_iterations = 0;              // T_max of the linear regressions
  int network_psis_draws = 0;                // S of MNIST100, whose draws are costly
  int network_iterations = 0;                // T_max of MNIST100
  std::vector<Index> dimensions = {};        // P of Figure 1, left
  std::vector<Index> dimensions_along = {};  // P of Figure 2 and of the supplement's
  Index dimension_right = 0;                 // P of Figure 1, right
};

Effort quick_effort();
Effort full_effort();
// In a sentence: how this differs from what the paper ran.
std::string description(const Effort& effort);

// Algorithm 1 with the settings of section 4 and one chain, except for what the caller sets.
Options paper_options(const std::string& posterior, const Effort& effort);
// The default method, with nothing set but the family; on MNIST100 its four chains have as many
// iterations together as the one of the paper.
Options robust_options(const std::string& posterior, const Effort& effort);
// T_max of the paper.
int paper_iterations(const std::string& posterior);

// A linear regression with simulated data and mini-batches, as in the supplement's section A4.
Run simulated_run(Index dimension, double gamma, const Effort& effort);

// Seeds for rows of the tables.
int seeds_of(const std::string& posterior, const Effort& effort);

// Iterations at which runs are looked at: 200, 500, 1000, 2000, ... and the last one.
std::vector<long> checkpoints_until(long last);

}  // namespace ravi::paper
