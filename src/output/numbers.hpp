// Numbers as people read them: no more digits than are known.
#pragma once

#include <string>

namespace ravi {

// As many decimals as the Monte Carlo error supports: those above it and one more.
std::string with_error(double x, double mcse);

// Three digits; "?" for NaN.
std::string short_number(double x);

}  // namespace ravi
