// Every run of the evaluation as a line of CSV, for readers who want more than medians.
#pragma once

#include <string>

#include "paper/lab.hpp"

namespace ravi::paper {

std::string runs_csv(const Lab& lab);

}  // namespace ravi::paper
