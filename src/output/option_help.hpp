// What help says of an option, in the program and in Python.
#pragma once

#include <string>
#include <string_view>

namespace ravi {

// "step size  [eta = 0.01]": meaning, choices, the paper's symbol and the default.
std::string option_help(std::string_view name);

}  // namespace ravi
