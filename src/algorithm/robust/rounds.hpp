// First-order steps in rounds of halved step size, for what second-order steps cannot do.
#pragma once

#include "algorithm/chains/chains.hpp"

namespace ravi {

// A round runs every chain at a constant step size eta until its iterates are stationary, and the
// next one starts from each chain's average with eta / 2. Large steps forget the start soon but
// leave a bias, which falls with eta: the search is over when the averages of two rounds differ by
// no more than they must, and the last one is known precisely enough.
//
// Steps are moves in units of q (family/approximation.hpp). Chains that settled on different
// answers are judged one by one and never averaged with each other. options.step_size is eta of the
// first round, or what is safe if that is less.
ChainRun search_in_rounds(Chains& chains, const Approximation& prototype, const Options& options,
                          Monitor& monitor);

}  // namespace ravi
