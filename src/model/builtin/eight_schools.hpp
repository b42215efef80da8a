// What both forms of the eight schools model share: data and the prior of mu and tau.
#pragma once

#include "model/data.hpp"

namespace ravi {

struct SchoolsData {
  Vector y, sigma;  // estimated effect of each school, and its standard error
};

// J, y, sigma, or the eight schools of Rubin (1981) when none of them is given.
SchoolsData read_schools(const Data& data);

// mu ~ N(0, 5), tau ~ half-Cauchy(0, 5), in mu and u = log tau.
struct HyperPrior {
  double log_density, d_mu, d_u;
};
HyperPrior schools_hyperprior(double mu, double u);

}  // namespace ravi
