// The exact posterior of linear regression with known noise.
#pragma once

#include "ravi/model.hpp"

namespace ravi {

struct LinearPosterior {
  Vector mean;
  Matrix cov;
  double log_evidence;  // log p(y), every constant kept
};

// y ~ N(X beta, sigma^2 I), beta ~ N(0, I); X has one row per observation.
LinearPosterior linear_regression_posterior(const ConstMatrixRef& X, const ConstVectorRef& y,
                                            double sigma);

}  // namespace ravi
