// The version of the library that a program runs with.
#pragma once

#include <string_view>

namespace ravi {

std::string_view version();  // "0.2.0"

}  // namespace ravi
