// Fits a dose-response curve whose gradient nobody had to write: Stan Math differentiates the code.
#include <cstdio>

#include "ravi/autodiff.hpp"
#include "ravi/ravi.hpp"

namespace {

// Simulated with bottom 0.05, top 0.95, ec50 3, hill 1.2 and sigma 0.03: the response as a share of
// the largest possible one, measured three times at each dose.
const double kDoses[] = {0.1, 0.3, 1, 3, 10, 30, 100};
const double kResponses[][3] = {{0.059, 0.080, 0.150}, {0.130, 0.015, 0.125}, {0.195, 0.222, 0.254},
                                {0.534, 0.515, 0.509}, {0.762, 0.788, 0.733}, {0.886, 0.947, 0.917},
                                {0.951, 0.920, 0.977}};

// The response rises from bottom to top, and is half way at the dose ec50:
//   y ~ Student-t with 4 degrees of freedom, at bottom + (top - bottom) / (1 + (ec50 / dose)^hill)
// Positive parameters are taken as logarithms, with a prior there: ravi works on all of R^P.
struct DoseResponse {
  template <typename T>
  T operator()(const Eigen::Matrix<T, Eigen::Dynamic, 1>& theta) const {
    using stan::math::inv_logit, stan::math::normal_lpdf, stan::math::student_t_lpdf;
    using std::exp, std::log;
    const T bottom = theta(0), top = theta(1), log_ec50 = theta(2);
    const T hill = exp(theta(3)), sigma = exp(theta(4));

    T log_density = normal_lpdf(bottom, 0, 0.2) + normal_lpdf(top, 1, 0.2) +
                    normal_lpdf(log_ec50, 0, 2) + normal_lpdf(theta(3), 0, 1) +
                    normal_lpdf(theta(4), -3, 1);
    for (int i = 0; i < 7; ++i) {
      const T share = inv_logit(hill * (log(kDoses[i]) - log_ec50));
      const T expected = bottom + (top - bottom) * share;
      for (const double y : kResponses[i]) log_density += student_t_lpdf(y, 4, expected, sigma);
    }
    return log_density;
  }
};

}  // namespace

int main() {
  const auto model = ravi::autodiff_model(5, DoseResponse{},
                                          {"bottom", "top", "log_ec50", "log_hill", "log_sigma"});

  const ravi::Fit fit = ravi::fit(*model);

  std::printf("%s\n", std::string(ravi::meaning(fit.verdict)).c_str());
  for (const ravi::Finding& finding : fit.findings) {
    std::printf("  %s\n", ravi::describe(finding).c_str());
  }
  if (!fit.average) return 1;
  for (const ravi::ParameterSummary& p : fit.average->parameters) {
    std::printf("%-10s mean %6.3f  sd %5.3f\n", p.name.c_str(), p.mean, p.sd);
  }
  return ravi::trustworthy(fit.verdict) ? 0 : 1;
}
