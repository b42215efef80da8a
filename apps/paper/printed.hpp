// What the paper printed: the numbers of paper/printed.json.
#pragma once

#include <string>
#include <vector>

#include "ravi/fit.hpp"

namespace ravi::paper {

struct PrintedPair {
  double last = kUnknown, average = kUnknown;
};

// A row of Table 1 or 2.
struct PrintedRow {
  std::string model;                    // "8-school (CP)"
  std::vector<std::string> posteriors;  // the ways to read it, of problems.hpp
  long size = 0;                        // K
  std::string rule;                     // "delta-elbo" or "mcse"
  double epsilon = kUnknown;
  long iterations = 0;    // T
  bool converged = true;  // false where the paper has an asterisk
  PrintedPair d_mu, d_sigma, khat;
};

struct Printed {
  std::vector<PrintedRow> table1, table2;
  double tail_index_linear = kUnknown, tail_index_cp = kUnknown, tail_index_ncp = kUnknown;
  double network_rhat = kUnknown;  // largest R-hat of MNIST100 with J = 4
};

// Throws UsageError that names the file and what is wrong with it.
Printed read_printed(const std::string& path);

}  // namespace ravi::paper
