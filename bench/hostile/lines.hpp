// Densities on the line that several families use, hostile and mild.
#pragma once

#include <string>

#include "marginals.hpp"

namespace hostile {

Line student_t(double nu);
Marginal student_t_marginal(double nu);
Line skew_normal(double alpha);
Line log_gamma(double shape);  // of x = log of a Gamma(shape, 1)

Posterior multivariate_t(std::string name, std::string family, std::string description, Index p,
                         double nu);

// Mean and log sd of a few normal observations, flat priors.
Posterior few_observations(std::string name, std::string family, std::string description,
                           const Vector& y);

}  // namespace hostile
