// Made-up data whose posterior is known exactly.
#pragma once

#include <cstdint>

#include "ravi/model.hpp"

namespace ravi {

struct SimulatedRegression {
  Matrix X;  // n x p
  Vector y;
  double sigma;
  Vector beta;  // the truth
  Vector mean;  // of the posterior
  Matrix cov;   // of the posterior
  double log_evidence;
};

// The linear regression of the paper: rows of X ~ N(0, K) with K_ij = gamma^|i-j|, beta ~ N(0, I),
// y ~ N(X beta, 0.4). Throws UsageError unless n >= 1, p >= 1 and |gamma| < 1.
SimulatedRegression simulate_linear_regression(Index n, Index p, double gamma, std::uint64_t seed);

}  // namespace ravi
