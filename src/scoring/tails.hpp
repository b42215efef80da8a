// How heavy the tails of the posterior are, told by the density far out, not by the draws.
#pragma once

#include <vector>

#include "ravi/fit.hpp"

namespace ravi {

// The shape 1 / nu of the heavier tail of each of these quantities, where the mass beyond x falls
// like x^-nu: a mean is a sum over a tail of that shape, a variance over one of twice as much, and
// from 1 on there is none. Next to 0 for tails that fall faster than powers.
//
// No estimate from draws tells that: the largest of them are few, moved draws do not go there at
// all, and those of a Cauchy distribution look harmless. But where the density is known at draws A
// beyond a quantile it can be computed at T(A), much further out, and
//   P(T(A)) = E_A[p(T(x)) |T'(x)| / p(x)] P(A)
// is part of the mass there, whatever the map T. How fast that falls for the map that loses least
// is at least how heavy the tail is. The maps stretch, by a factor, the coordinate that is furthest
// out in A, or all that are far out in a draw, or all there are, as independent tails and those of
// a multivariate t want it; or shift by its logarithm that coordinate, or the line along which A
// lies, for quantities that are exponentials of coordinates. They go further out step by step, as
// long as the tail may be a long one.
std::vector<double> tail_shapes(const Model& model, const WeightedDraws& draws,
                                const std::vector<Index>& quantities, int threads);

// Whether these cannot be draws of the density: it varies among them by more than it could, or most
// of them are in one place. The variance of a log density is P at the most where it is log-concave
// (Fradelizi, Madiman and Wang 2016), and was 20 P for a funnel with a log variance of sd 3. A
// density that rises for ever, or stays where it is, has no draws, whatever was made of it.
bool beyond_any_posterior(const WeightedDraws& draws);

}  // namespace ravi
