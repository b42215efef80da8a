// Mild members of the same families, on which an alarm is a false one.
#include <algorithm>
#include <cmath>
#include <utility>

#include "gaussians.hpp"
#include "grid.hpp"
#include "hierarchies.hpp"
#include "lines.hpp"
#include "mixtures.hpp"

namespace hostile {

namespace {

struct Regression {
  Matrix x;
  Vector y;
};

// An intercept and a standard normal column; y given its linear predictor.
template <typename Outcome>
Regression regression(Index n, Index p, std::uint64_t seed, Outcome outcome) {
  Random random(seed);
  Regression r{Matrix::Ones(n, p), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    for (Index j = 1; j < p; ++j) r.x(i, j) = random.normal();
    r.y(i) = outcome(0.3 + 0.8 * r.x.row(i).tail(p - 1).sum(), random);
  }
  return r;
}

// Coefficients ~ N(0, 2); log p(y | eta) up to a constant and its slope in eta.
template <typename Likelihood>
Density with_normal_prior(Regression r, Likelihood likelihood) {
  return [r, likelihood](const Vector& beta, Vector& gradient) {
    const Vector eta = r.x * beta;
    double sum = -beta.squaredNorm() / 8;
    Vector slope(eta.size());
    for (Index i = 0; i < eta.size(); ++i) {
      const Term term = likelihood(r.y(i), eta(i));
      sum += term.value;
      slope(i) = term.slope;
    }
    gradient = -beta / 4 + r.x.transpose() * slope;
    return sum;
  };
}

Term bernoulli(double y, double eta) {
  const double e = std::exp(-std::abs(eta)), p = eta > 0 ? 1 / (1 + e) : e / (1 + e);
  return {y * eta - std::max(eta, 0.0) - std::log1p(e), y - p};
}

Term poisson(double y, double eta) { return {y * eta - std::exp(eta), y - std::exp(eta)}; }

double logistic_outcome(double eta, Random& random) {
  return random.uniform() < 1 / (1 + std::exp(-eta)) ? 1 : 0;
}

// By inversion.
double poisson_outcome(double eta, Random& random) {
  double left = random.uniform(), mass = std::exp(-std::exp(eta)), count = 0;
  while (left > mass && count < 1000) {
    left -= mass;
    mass *= std::exp(eta) / ++count;
  }
  return count;
}

Box box(Index p, double low, double high, int cells) {
  return {Vector::Constant(p, low), Vector::Constant(p, high), cells};
}

}  // namespace

void add_easy(Posteriors& all) {
  const auto line = [&](const char* name, const char* description, Index p, const Line& l) {
    all.push_back(product(name, "easy", description, p, l));
  };
  const auto grid = [&](const char* name, const char* description, Density density, Box b) {
    all.push_back(on_grid(name, "easy", description, std::move(density), std::move(b)));
  };
  grid("easy_logistic_p2", "logistic regression, 30 rows",
       with_normal_prior(regression(30, 2, 61, logistic_outcome), bernoulli), box(2, -6, 8, 1000));
  grid("easy_logistic_p3", "logistic regression, 60 rows",
       with_normal_prior(regression(60, 3, 62, logistic_outcome), bernoulli), box(3, -3, 5, 160));
  grid("easy_poisson_p2", "Poisson regression, 20 rows",
       with_normal_prior(regression(20, 2, 63, poisson_outcome), poisson), box(2, -3, 3, 1000));
  line("easy_t10_p3", "Student t with 10 degrees", 3, student_t(10));
  all.push_back(multivariate_t("easy_mvt10_p10", "easy", "multivariate t with 10 degrees", 10, 10));
  all.push_back(normal_mixture(
      "easy_mix_p5", "easy", "two equal components 1.5 sds apart: one mode",
      {component(0.5, Vector::Zero(5), 1), component(0.5, along_diagonal(5, 1.5), 1)}));
  all.push_back(
      normal_mixture("easy_mix_p2", "easy", "30 % of the mass 2 sds away: one mode",
                     {component(0.3, Vector::Zero(2), 1), component(0.7, along_axis(2, 2), 1)}));
  all.push_back(
      normal_mixture("easy_scales_p10", "easy", "half of the mass 1.5 times as wide",
                     {component(0.5, Vector::Zero(10), 1), component(0.5, Vector::Zero(10), 1.5)}));
  line("easy_skew_normal_p5", "skew normals with alpha 2", 5, skew_normal(2));
  line("easy_log_gamma_p3", "logarithm of Gamma(5)", 3, log_gamma(5));
  line("easy_log_gamma_p10", "logarithm of Gamma(20)", 10, log_gamma(20));
  line("easy_logistic_density_p4", "logistic distribution", 4, Line([](double x) {
         const double e = std::exp(-std::abs(x));
         return Term{-std::abs(x) - 2 * std::log1p(e), -std::copysign((1 - e) / (1 + e), x)};
       }));
  line("easy_logit_beta_p2", "logit of Beta(3, 8)", 2, Line([](double x) {
         const double e = std::exp(-std::abs(x));
         const double log_1p_exp = std::max(x, 0.0) + std::log1p(e);
         const double p = x > 0 ? 1 / (1 + e) : e / (1 + e);
         return Term{3 * x - 11 * log_1p_exp, 3 - 11 * p};
       }));
  line("easy_step_p2", "N(0, 1), 1.2 times higher right of 0", 2,
       Line(
           [](double x) {
             return Term{-0.5 * x * x + (x > 0 ? std::log(1.2) : 0), -x};
           },
           0, 1, {-kInf, 0, kInf}));
  all.push_back(gaussian("easy_gaussian_p10", "easy", "a Gaussian with sds 1 to 0.1, rotated",
                         Vector::Constant(10, 1), spread(10, 10), 64));
  all.push_back(funnel("easy_funnel_p5", "easy", "four effects, log variance of sd 0.5", 5, 0.5));
  Random random(65);
  Groups groups{Vector(12), Vector::Constant(12, 0.8), false};
  for (double& value : groups.y) value = random.normal(1, 1.5);
  all.push_back(hierarchy("easy_groups_p14", "easy", "twelve groups, standardized", groups));
  Vector y(30);
  for (double& value : y) value = random.normal(2, 3);
  all.push_back(
      few_observations("easy_normal_p2", "easy", "mean and log sd of 30 observations", y));
}

}  // namespace hostile
