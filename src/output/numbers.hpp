// Numbers as people read them: no more digits than are known.
#pragma once

#include <string>

#include "ravi/fit.hpp"

namespace ravi {

// As many digits as the Monte Carlo error supports: down to the first of the error's own, so that
// 1234 with an error of 50 is 1230. One digit where the error is not known, "-" for NaN.
std::string with_error(double x, double mcse);

// Three digits; "?" for NaN.
std::string short_number(double x);

// Seconds, and how much of them every part took: "2.1 s: search 0.3, averaging 0.2, ..."; parts
// that took nothing are left out.
std::string time_text(const Timing& timing);

// "search 1200, averaging 900, ...", likewise; empty where nothing is known.
std::string cost_text(const Cost& cost);

}  // namespace ravi
