// Heavy tails, skewed ones, and tails on one side.
#include <cmath>
#include <numbers>
#include <utility>

#include "lines.hpp"

namespace hostile {

Line student_t(double nu) {
  return Line([nu](double x) {
    return Term{-0.5 * (nu + 1) * std::log1p(x * x / nu), -(nu + 1) * x / (nu + x * x)};
  });
}

Line skew_normal(double alpha) {
  return Line([alpha](double x) {
    // log Phi(z) and its slope, by the continued fraction's first terms where Phi would underflow.
    const double z = alpha * x;
    double log_cdf, ratio;  // ratio = phi(z) / Phi(z)
    if (z > -20) {
      const double cdf = normal_cdf(z);
      log_cdf = std::log(cdf);
      ratio = std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi) / cdf;
    } else {
      const double mills = (1 - 1 / (z * z) + 3 / (z * z * z * z)) / -z;
      log_cdf = -0.5 * z * z - 0.5 * std::log(2 * std::numbers::pi) + std::log(mills);
      ratio = 1 / mills;
    }
    return Term{-0.5 * x * x + log_cdf, -x + alpha * ratio};
  });
}

Line log_gamma(double shape) {
  return Line(
      [shape](double x) {
        return Term{shape * x - std::exp(x), shape - std::exp(x)};
      },
      std::log(shape), 1 / std::sqrt(shape));
}

Posterior multivariate_t(std::string name, std::string family, std::string description, Index p,
                         double nu) {
  Posterior out{std::move(name), std::move(family), std::move(description)};
  out.dimension = p;
  const double power = 0.5 * (nu + static_cast<double>(p));
  out.density = [=](const Vector& theta, Vector& gradient) {
    const double square = theta.squaredNorm();
    gradient = -2 * power / (nu + square) * theta;
    return -power * std::log1p(square / nu);
  };
  out.draw = [=](Random& random) {
    const Vector z = random.normals(p);
    return Vector(z / std::sqrt(random.gamma(0.5 * nu) / (0.5 * nu)));
  };
  out.truth = [=] {
    return std::vector<Marginal>(static_cast<std::size_t>(p), student_t_marginal(nu));
  };
  return out;
}

// Quantiles by quadrature, moments in closed form.
Marginal student_t_marginal(double nu) {
  Marginal m = student_t(nu).marginal();
  m.mean = nu > 1 ? 0 : kNaN;
  m.sd = nu > 2 ? std::sqrt(nu / (nu - 2)) : kNaN;
  return m;
}

namespace {

Posterior independent_t(std::string name, std::string description, Index p, double nu) {
  Posterior out = product(std::move(name), "tails", std::move(description), p, student_t(nu));
  out.truth = [=] {
    return std::vector<Marginal>(static_cast<std::size_t>(p), student_t_marginal(nu));
  };
  return out;
}

// n observations y ~ N(mu, exp(t)), flat in mu and t. With mean m and sum of squares S around it:
// given t, mu ~ N(m, exp(t) / sqrt(n)); exp(-2t) is Gamma((n - 1) / 2, rate S / 2), so that mu is a
// t with n - 1 degrees.
Posterior few_points(std::string name, std::string family, std::string description, const Vector& y,
                     bool report_scale) {
  Posterior out{std::move(name), std::move(family), std::move(description)};
  const double n = static_cast<double>(y.size()), m = y.mean();
  const double sum_of_squares = (y.array() - m).square().sum();
  out.dimension = 2;
  out.density = [=](const Vector& theta, Vector& gradient) {
    const double precision = std::exp(-2 * theta(1)), d = theta(0) - m;
    const double squares = precision * (sum_of_squares + n * d * d);
    gradient << -precision * n * d, -n + squares;
    return -n * theta(1) - 0.5 * squares;
  };
  out.draw = [=](Random& random) {
    Vector theta(2);
    theta(1) = -0.5 * std::log(random.gamma(0.5 * (n - 1)) / (0.5 * sum_of_squares));
    theta(0) = random.normal(m, std::exp(theta(1)) / std::sqrt(n));
    return theta;
  };
  if (report_scale) out.exponentiated = {1};
  out.truth = [=] {
    const double scale = std::sqrt(sum_of_squares / (n - 1) / n);
    Marginal mu = student_t_marginal(n - 1);
    mu = {m, mu.sd * scale, m + scale * mu.q5, m, m + scale * mu.q95};
    const Line t([=](double x) {
      return Term{-(n - 1) * x - 0.5 * sum_of_squares * std::exp(-2 * x), 0};
    });
    if (!report_scale) return std::vector<Marginal>{mu, t.marginal()};
    Marginal sigma = t.marginal([](double x) { return std::exp(x); });
    if (n <= 3) sigma = without_sd(sigma);  // E sigma^2 is that of 1 / Gamma((n - 1) / 2)
    return std::vector<Marginal>{mu, sigma};
  };
  return out;
}

}  // namespace

Posterior few_observations(std::string name, std::string family, std::string description,
                           const Vector& y) {
  return few_points(std::move(name), std::move(family), std::move(description), y, false);
}

void add_tails(Posteriors& all) {
  all.push_back(independent_t("t1.5_p1", "Student t with 1.5 degrees: no variance", 1, 1.5));
  all.push_back(independent_t("t1.5_p3", "three of them: no variances", 3, 1.5));
  all.push_back(independent_t("t2.2_p1", "Student t with 2.2 degrees: sd 3.3", 1, 2.2));
  all.push_back(independent_t("t2.2_p2", "two of them", 2, 2.2));
  all.push_back(independent_t("t3_p5", "five Student t with 3 degrees", 5, 3));
  all.push_back(independent_t("t5_p10", "ten Student t with 5 degrees", 10, 5));
  all.push_back(multivariate_t("mvt2.2_p5", "tails", "multivariate t with 2.2 degrees", 5, 2.2));
  all.push_back(multivariate_t("mvt3_p20", "tails", "multivariate t with 3 degrees", 20, 3));
  all.push_back(multivariate_t("mvt5_p10", "tails", "multivariate t with 5 degrees", 10, 5));

  // exp(t) / (1 + exp(2t)); exp(t) has the quantiles tan(pi p / 2).
  const Line half_cauchy([](double t) { return Term{-std::log(2 * std::cosh(t)), -std::tanh(t)}; });
  Posterior prior =
      product("half_cauchy_scale", "tails",
              "a half-Cauchy scale, searched as its logarithm, reported as it is", 1, half_cauchy);
  prior.exponentiated = {0};
  prior.truth = [] {
    const auto q = [](double p) { return std::tan(0.5 * std::numbers::pi * p); };
    return std::vector<Marginal>{{kNaN, kNaN, q(0.05), q(0.5), q(0.95)}};
  };
  all.push_back(std::move(prior));
  // One observation 2 ~ N(0, tau): tau^-2 from the prior and tau^-1 from the data: no variance.
  const Line one_point([](double t) {
    const double square = 4 * std::exp(-2 * t);
    return Term{-std::log(2 * std::cosh(t)) - t - 0.5 * square, -std::tanh(t) - 1 + square};
  });
  Posterior posterior =
      product("half_cauchy_one_point", "tails",
              "the same with one observation: a mean, but no variance", 1, one_point);
  posterior.exponentiated = {0};
  posterior.truth = [one_point] {
    return std::vector<Marginal>{
        without_sd(one_point.marginal([](double t) { return std::exp(t); }))};
  };
  all.push_back(std::move(posterior));

  all.push_back(product("log_normal_p2", "tails",
                        "log-normal with sigma 1 on its own scale, NaN below 0, two of them", 2,
                        Line(
                            [](double x) {
                              if (x <= 0) return Term{kNaN, kNaN};
                              const double l = std::log(x);
                              return Term{-l - 0.5 * l * l, -(1 + l) / x};
                            },
                            0, 0.5, {0, kInf})));
  const Line normal([](double x) { return Term{-0.5 * x * x, -x}; });
  const Line wide([](double x) { return Term{-0.5 * x * x / 2.25, -x / 2.25}; });
  Posterior lognormal =
      product("exp_of_normal", "tails",
              "two normals with sds 1 and 1.5, reported as their exponentials", {normal, wide});
  lognormal.exponentiated = {0, 1};
  lognormal.truth = [=] {
    const auto e = [](double x) { return std::exp(x); };
    return std::vector<Marginal>{normal.marginal(e), wide.marginal(e)};
  };
  all.push_back(std::move(lognormal));
  all.push_back(product("skew_normal_10_p3", "tails", "skew normals with alpha 10, three of them",
                        3, skew_normal(10)));
  all.push_back(product("skew_normal_100_p2", "tails",
                        "skew normals with alpha 100, nearly half normals, two of them", 2,
                        skew_normal(100)));
  all.push_back(product("gumbel_p5", "tails", "Gumbel, five of them", 5, Line([](double x) {
                          return Term{-x - std::exp(-x), -1 + std::exp(-x)};
                        })));
  all.push_back(
      product("one_sided_t_p2", "tails",
              "normal to the left, t with 2.5 degrees to the right, two of them", 2,
              Line(
                  [](double x) {
                    if (x < 0) return Term{-0.5 * x * x * 3.5 / 2.5, -x * 3.5 / 2.5};
                    return Term{-1.75 * std::log1p(x * x / 2.5), -3.5 * x / (2.5 + x * x)};
                  },
                  0, 1, {-kInf, 0, kInf})));
  all.push_back(product("log_gamma_half_p3", "tails",
                        "logarithm of Gamma(0.3): a long tail to the left, three of them", 3,
                        log_gamma(0.3)));
  all.push_back(product("stretched_p2", "tails", "exp(-3 (1 + x^2)^(1/4)), two of them", 2,
                        Line([](double x) {
                          const double r = 1 + x * x;
                          return Term{-3 * std::pow(r, 0.25), -1.5 * x * std::pow(r, -0.75)};
                        })));
  all.push_back(product("asymmetric_laplace_p2", "tails",
                        "slopes 3 to the left and 0.5 to the right, two of them", 2,
                        Line(
                            [](double x) {
                              return x < 0 ? Term{3 * x, 3} : Term{-0.5 * x, -0.5};
                            },
                            0, 1, {-kInf, 0, kInf})));
  Vector three(3), four(4);
  three << 1.2, 0.1, 2.9;
  four << 1.2, 0.1, 2.9, 3.3;
  all.push_back(few_points("normal_three_points", "tails",
                           "mean and sd of three observations, flat priors: t with 2 degrees",
                           three, true));
  all.push_back(few_points("normal_four_points", "tails",
                           "mean and log sd of four observations: t with 3 degrees", four, false));
}

}  // namespace hostile
