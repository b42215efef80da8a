// Fits a posterior of your own: a log density with its gradient is all that ravi asks for.
#include <Eigen/LU>
#include <cstdio>

#include "ravi/ravi.hpp"

int main() {
  // A Gaussian with means 3 and -1, standard deviations 2 and 1, and correlation 0.5.
  const Eigen::Vector2d mean(3, -1);
  const Eigen::Matrix2d covariance{{4, 1}, {1, 1}};
  const Eigen::Matrix2d precision = covariance.inverse();

  const auto model = ravi::make_model(2, [&](const ravi::Vector& theta, ravi::Vector& gradient) {
    gradient = precision * (mean - theta);
    return -0.5 * (theta - mean).dot(precision * (theta - mean));
  });

  const ravi::Fit fit = ravi::fit(*model);

  std::printf("%s", ravi::summary(fit).c_str());
  if (!fit.average) return 1;
  const ravi::ParameterSummary& first = fit.average->parameters.front();
  std::printf("\n%s is %.2f, give or take %.2f\n", first.name.c_str(), first.mean, first.sd);
  return ravi::trustworthy(fit.verdict) ? 0 : 1;
}
