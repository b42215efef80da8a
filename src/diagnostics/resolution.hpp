// How finely a log density tells its values apart.
#pragma once

#include "ravi/types.hpp"

namespace ravi {

// The distance from the largest of the finite values to the next number: of single precision where
// all of them are such numbers, else of double precision. Differences below it are lost. 0 without
// finite values.
double resolution_of(const ConstVectorRef& log_densities);

}  // namespace ravi
