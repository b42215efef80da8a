// draws.csv: draws in the layout of CmdStan's method variational, which cmdstanr, cmdstanpy, rstan
// and posterior read.
#pragma once

#include "core/files.hpp"
#include "output/draws.hpp"
#include "ravi/fit.hpp"

namespace ravi {

// Comments, then a line of column names lp__, log_p__, log_g__ and the quantities, then their means
// in the summaries, which readers take for the estimate, then the draws. log_p__ and log_g__ are
// the log densities of the posterior, unnormalized, and of q; lp__ is 0, as CmdStan has it. Numbers
// read back bit for bit. The number of the chain counts from 1.
void write_stan_csv(const Fit& fit, const Answer& answer, const DrawSet& set, std::size_t chain,
                    const Sink& sink);

}  // namespace ravi
