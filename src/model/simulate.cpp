// Made-up data whose posterior is known exactly.
#include "model/simulate.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/rng.hpp"
#include "model/linear_posterior.hpp"
#include "ravi/error.hpp"

namespace ravi {

SimulatedRegression simulate_linear_regression(Index n, Index p, double gamma, std::uint64_t seed) {
  if (n < 1) throw UsageError(fmt::format("n = {}, but it must be at least 1", n));
  if (p < 1) throw UsageError(fmt::format("p = {}, but it must be at least 1", p));
  if (!(std::abs(gamma) < 1)) {
    throw UsageError(fmt::format("gamma = {}, but it must lie in (-1, 1)", gamma));
  }
  SimulatedRegression result;
  result.sigma = std::sqrt(0.4);
  RandomStream random(seed, Purpose::simulate, 0, 0);

  result.beta.resize(p);
  random.fill_normal(result.beta);
  // An AR(1) process with unit variance has exactly the correlations gamma^|i-j|.
  result.X.resize(n, p);
  const double innovation = std::sqrt((1 - gamma) * (1 + gamma));
  for (Index i = 0; i < n; ++i) {
    result.X(i, 0) = random.normal();
    for (Index j = 1; j < p; ++j) {
      result.X(i, j) = gamma * result.X(i, j - 1) + innovation * random.normal();
    }
  }
  result.y = result.X * result.beta;
  for (Index i = 0; i < n; ++i) result.y(i) += result.sigma * random.normal();

  LinearPosterior posterior = linear_regression_posterior(result.X, result.y, result.sigma);
  result.mean = std::move(posterior.mean);
  result.cov = std::move(posterior.cov);
  result.log_evidence = posterior.log_evidence;
  return result;
}

}  // namespace ravi
