// The numbers behind a verdict, each with its limit: the same rows in the terminal and the report.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ravi/fit.hpp"

namespace ravi {

struct Criterion {
  std::string_view label;
  double value;
  bool holds;
  std::string limit;         // "< 1.1"; empty where there is none
  std::string note;          // where it is worst, or how much it varies; may be empty
  std::string_view meaning;  // what the number is, in one sentence
};

// k-hat where it says something; otherwise, that the weights hardly vary.
std::string khat_text(const Answer& answer);

// Those that were computed, in the order in which a fit comes to them.
std::vector<Criterion> criteria(const Fit& fit);

}  // namespace ravi
