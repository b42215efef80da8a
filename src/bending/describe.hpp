// Which parameters drive which, and how strongly, by a bent q.
#pragma once

#include <string>
#include <vector>

#include "family/bent.hpp"

namespace ravi {

// By the names of the coordinates.
std::vector<Driver> describe_drivers(const Bent& q, const std::vector<std::string>& names);

}  // namespace ravi
