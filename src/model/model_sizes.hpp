// Whether the sizes that a model gives of itself fit together: they are those of memory that it,
// and everybody else, writes to.
#pragma once

#include <string>
#include <vector>

#include "ravi/model.hpp"

namespace ravi {

// Up to which the P (P + 3) / 2 numbers of a full-rank Gaussian can be counted.
inline constexpr Index kMostParameters = Index{1} << 31;

// A sentence for each that does not.
std::vector<std::string> size_problems(const Model& model);

}  // namespace ravi
