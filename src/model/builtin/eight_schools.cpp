// What both forms of the eight schools model share: data and the prior of mu and tau.
#include "model/builtin/eight_schools.hpp"

#include <cmath>
#include <numbers>

#include "core/numeric.hpp"

namespace ravi {

SchoolsData read_schools(const Data& data) {
  if (data.has("J") || data.has("y") || data.has("sigma")) {
    // A table has no place for J beside its columns.
    const Index j = data.is_table() ? data.variables()[0].dimensions[0] : data.integer("J", 1);
    return {data.vector("y", j), data.positive_vector("sigma", j)};
  }
  SchoolsData rubin{Vector(8), Vector(8)};
  rubin.y << 28, 8, -3, 7, -1, 1, 18, 12;
  rubin.sigma << 15, 10, 16, 11, 9, 11, 10, 18;
  return rubin;
}

// log half-Cauchy(tau | 0, s) = log 2 - log pi - log s - log(1 + (tau/s)^2), whose last term is
// log1p_exp(2 (u - log s)); the Jacobian of tau = exp(u) adds u.
HyperPrior schools_hyperprior(double mu, double u) {
  constexpr double scale = 5;
  const double log_scale = std::log(scale);
  const double z = mu / scale;
  const double w = 2 * (u - log_scale);
  return {-0.5 * z * z - log_scale - 0.5 * kLog2Pi  // mu
              + std::log(2 / std::numbers::pi) - log_scale - log1p_exp(w) + u,
          -z / scale, 1 - 2 * inverse_logit(w)};
}

}  // namespace ravi
