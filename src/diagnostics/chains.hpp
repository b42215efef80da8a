// What R-hat and ESS share: draws as iterations x chains, split in halves, and their variances.
#pragma once

#include "ravi/types.hpp"

namespace ravi {

// Every chain becomes two, its first and its last floor(n/2) draws; an odd n loses the middle one.
Matrix split_chains(const ConstMatrixRef& draws);

// All finite and not all equal. Where this is false R-hat, ESS and MCSE are NaN.
bool carries_information(const ConstMatrixRef& draws);

// within: mean over chains of the variance of a chain (divisor n - 1); NaN below two iterations.
// between: variance of the chain means (divisor chains - 1); NaN for a single chain.
// A constant chain counts with a variance of exactly zero.
struct ChainVariances {
  double within, between;
};
ChainVariances chain_variances(const ConstMatrixRef& draws);

}  // namespace ravi
