// What drives what, as people read it: "tau drives theta[1..8]".
#pragma once

#include <string>
#include <vector>

#include "ravi/fit.hpp"

namespace ravi {

// A line for every driver of a q that bends; none for others.
std::vector<std::string> drivers_text(const Answer& answer);

// "a, theta[1..8], b": what has consecutive numbers together.
std::string names_in_short(const std::vector<std::string>& names);

}  // namespace ravi
