// Numbers that tests compare with.
#pragma once

#include <limits>

#include "core/numeric.hpp"  // kNan

namespace ravi {

inline constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace ravi
