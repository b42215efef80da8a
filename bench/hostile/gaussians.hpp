// Gaussians of any conditioning, for the families that spoil or shift them.
#pragma once

#include <string>

#include "posterior.hpp"

namespace hostile {

// Principal axes by `seed`, or those of the coordinates where it is 0.
Posterior gaussian(std::string name, std::string family, std::string description,
                   const Vector& mean, const Vector& axis_sds, std::uint64_t seed);

// n sds from 1 down to 1 / ratio, their logarithms equally spaced.
Vector spread(Index n, double ratio);

}  // namespace hostile
