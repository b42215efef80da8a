// The posteriors as the paper's authors ran them, by their public code: data, truth, and the
// references that are not the truth.
#pragma once

#include "model/data.hpp"
#include "paper/problems.hpp"

namespace ravi::paper {

// Columns with mean 0 and mean square 1, known noise with an sd of 0.2; of Concrete the outcome
// with the other sign.
Data regression_of_authors(const Data& regression, bool negated);
// Pixels as they are, 0 to 255; of the CSV file here, or of posteriordb's arrays.
Data raw_digits(const Data& digits);

// The exact posteriors.
Reference linear_truth(const Data& regression, const Model& model);
Reference radon_truth(const Data& table, const Model& model);

// Centered eight schools: the mean of theta_j is taken to be mean(mu) + mean(eta_j)
// exp(mean(log tau)), from the moments of the non-centered ones; the covariance is right.
Reference plug_in_schools(const Reference& centered, const Reference& noncentered);
// Radon: the last two coordinates, beta and sigma, change places.
Reference reordered_radon(const Reference& truth);
// What the ELBO has here and not in their code: the constants of densities that Stan's log_prob
// drops and P/2 (1 + log 2 pi) of the entropy. Only their rule of Delta-ELBO, a relative change,
// knows.
double regression_constants(const Data& regression);
double schools_constants();
double radon_constants(const Data& table, const Model& model);
double network_constants(const Model& model);
// The network: a mean of zero, where the prior holds nearly all weights, and no covariance.
Reference weights_at_zero(const Model& model);

}  // namespace ravi::paper
