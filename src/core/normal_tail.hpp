// The distribution function of the standard normal and its inverse, in logarithms.
#pragma once

namespace ravi {

// log Phi(z), also where Phi underflows.
double log_normal_cdf(double z);

// The z with log Phi(z) = log_p, for log_p <= 0.
double normal_quantile_of_log(double log_p);

}  // namespace ravi
