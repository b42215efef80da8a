// Funnels and hierarchies with normal groups, hostile and mild.
#pragma once

#include <string>

#include "posterior.hpp"

namespace hostile {

// v ~ N(0, s), x_i | v ~ N(0, exp(v / 2)), P - 1 of them.
Posterior funnel(std::string name, std::string family, std::string description, Index p, double s);

// The same with an observation y_i ~ N(x_i, noise) of each x_i.
Posterior funnel_with_data(std::string name, std::string family, std::string description,
                           const Vector& y, double s, double noise);

// y_j ~ N(theta_j, sigma_j), theta_j ~ N(mu, tau), mu ~ N(0, 5), tau ~ half-Cauchy(2), searched
// over log tau, mu and theta, or over theta standardized by mu and tau.
struct Groups {
  Vector y, sigma;
  bool centered = true;
  bool report_tau = false;  // and not its logarithm
};
Posterior hierarchy(std::string name, std::string family, std::string description,
                    const Groups& groups);

}  // namespace hostile
