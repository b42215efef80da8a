// How heavy the two tails of a sample are: the shape k of a generalized Pareto fit to each.
#pragma once

#include "ravi/types.hpp"

namespace ravi {

// A tail without shape has index -inf, so that a maximum over many components passes it by: fewer
// than five values beyond the cutoff (always so below 21 draws), all draws equal, or a tail no
// longer than a few roundings. Draws that are not finite have index +inf: nothing is heavier.
struct TailIndex {
  double lower, upper;
};

// Fitted to what the tail_length(n) most extreme draws exceed the next one by; ties with that next
// one are no excesses. 1/k moments are finite: k > 1/2 means infinite variance, k > 1 no mean.
TailIndex tail_index(const ConstVectorRef& draws);

}  // namespace ravi
