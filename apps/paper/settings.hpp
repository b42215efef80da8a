// The settings of the paper's experiments, and how much of them is run.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "paper/runs.hpp"

namespace ravi::paper {

// What --quick and --full differ in.
struct Effort {
  std::string name;
  int seeds = 1;                               // of every row of the tables
  int large_seeds = 1;                         // of Radon and MNIST100
  int realizations = 1;                        // of simulated data
  int simulated_iterations = 0;                // T_max of the linear regressions
  int network_psis_draws = 0;                  // S of MNIST100, whose draws are costly
  int network_iterations = 0;                  // T_max of MNIST100, as the text has it
  int authors_network_iterations = 0;          // the same, as its authors ran it
  int authors_seeds = 1;                       // of their rows, which take less time
  std::vector<Index> dimensions = {};          // P of Figure 1, left
  std::vector<Index> authors_dimensions = {};  // the same, as its authors ran it
  std::vector<Index> dimensions_along = {};    // P of Figure 2 and of the supplement's
  Index dimension_right = 0;                   // P of Figure 1, right
};

Effort quick_effort();
Effort full_effort();
// In a sentence: how this differs from what the paper ran.
std::string description(const Effort& effort);

// Algorithm 1 with the settings of section 4 and one chain, except for what the caller sets.
Options paper_options(const std::string& posterior, const Effort& effort);
// A posterior as the paper's authors ran it, by their public code (paper/README.md).
struct AuthorsSetting {
  std::string_view model;      // of printed.json
  std::string_view posterior;  // of problems.hpp
  Index dimension;             // P
  std::string_view optimizer;  // where it is not that of the table
  std::string_view start;
  double rmsprop_step, adagrad_step;
  int max_iterations;  // T_max
  Index khat_draws;    // one batch of so many
};
std::span<const AuthorsSetting> authors_settings();
// --method authors, with what differs from posterior to posterior.
Run authors_run(const AuthorsSetting& setting, const std::string& optimizer, const Effort& effort);
// Figure 1: no mini-batches, and step sizes that fall with the dimension.
Run authors_simulated_run(Index dimension, const Effort& effort);

// T_max of the paper.
int paper_iterations(const std::string& posterior);

// Of MNIST100 k-hat is that of one batch of so many draws, because ravi's own scores and summaries
// of thousands of parameters take longer than the run; 0 otherwise.
Index network_khat_draws(const std::string& posterior, const Effort& effort);

// A linear regression with simulated data and mini-batches, as in the supplement's section A4.
Run simulated_run(Index dimension, double gamma, const Effort& effort);

// Seeds for rows of the tables.
int seeds_of(const std::string& posterior, const Effort& effort);

// Iterations at which runs are looked at: 200, 500, 1000, 2000, ... and the last one.
std::vector<long> checkpoints_until(long last);

}  // namespace ravi::paper
