// Checks a hostile posterior against itself, without any method of inference.
#pragma once

#include <string>
#include <vector>

#include "posterior.hpp"

namespace hostile {

// Density, gradient, exact draws and exact answers are made apart; each is compared with another
// one: the gradient with differences of the density, the density with the draws (a step of
// Metropolis and Hastings must leave their distribution as it is), the answers with the draws.
// Returns what is wrong, one line each.
std::vector<std::string> check(const Posterior& posterior, int draws);

}  // namespace hostile
