// Funnels and hierarchies: given one scale everything else is normal, or a gamma, in closed form.
#include "hierarchies.hpp"

#include <cmath>
#include <utility>

#include "marginals.hpp"

namespace hostile {

Posterior funnel(std::string name, std::string family, std::string description, Index p, double s) {
  Posterior out{std::move(name), std::move(family), std::move(description)};
  const double n = static_cast<double>(p - 1);
  out.dimension = p;
  out.density = [=](const Vector& theta, Vector& gradient) {
    const double v = theta(0), precision = std::exp(-v);
    const auto x = theta.tail(p - 1);
    const double squares = precision * x.squaredNorm();
    gradient(0) = -v / (s * s) - 0.5 * n + 0.5 * squares;
    gradient.tail(p - 1) = -precision * x;
    return -0.5 * (v * v / (s * s) + n * v + squares);
  };
  out.draw = [=](Random& random) {
    Vector theta = random.normals(p);
    theta(0) *= s;
    theta.tail(p - 1) *= std::exp(0.5 * theta(0));
    return theta;
  };
  out.truth = [=] {
    NormalMixture x;
    for (double z = -9; z <= 9 + s; z += 0.002) {
      x.add(std::exp(-0.5 * z * z), 0, std::exp(0.5 * s * z));
    }
    Marginal effect = x.marginal();
    effect.sd = std::exp(s * s / 4);  // E exp(v) = exp(s^2 / 2)
    std::vector<Marginal> truth(static_cast<std::size_t>(p), effect);
    truth[0] = normal_marginal(0, s);
    return truth;
  };
  return out;
}

// Given v, y_i ~ N(0, e^v + noise^2) and x_i is normal with the share e^v / (e^v + noise^2) of y_i
// as its mean.
Posterior funnel_with_data(std::string name, std::string family, std::string description,
                           const Vector& y, double s, double noise) {
  Posterior out{std::move(name), std::move(family), std::move(description)};
  const Index p = y.size() + 1;
  const double n = static_cast<double>(y.size()), noise2 = noise * noise;
  out.dimension = p;
  out.density = [=](const Vector& theta, Vector& gradient) {
    const double v = theta(0), precision = std::exp(-v);
    const Vector x = theta.tail(p - 1), e = (y - x) / noise;
    const double squares = precision * x.squaredNorm();
    gradient(0) = -v / (s * s) - 0.5 * n + 0.5 * squares;
    gradient.tail(p - 1) = -precision * x + e / noise;
    return -0.5 * (v * v / (s * s) + n * v + squares + e.squaredNorm());
  };
  const Line v([=](double at) {
    const double total = std::exp(at) + noise2;
    return Term{-0.5 * (at * at / (s * s) + n * std::log(total) + y.squaredNorm() / total), 0};
  });
  out.draw = [=](Random& random) {
    Vector theta(p);
    theta(0) = v.draw(random);
    const double share = std::exp(theta(0)) / (std::exp(theta(0)) + noise2);
    theta.tail(p - 1) = share * y + noise * std::sqrt(share) * random.normals(p - 1);
    return theta;
  };
  out.truth = [=] {
    std::vector<Marginal> truth{v.marginal()};
    for (const double seen : y) {
      NormalMixture x;
      for (std::size_t i = 0; i < v.points().size(); i += 4) {
        if (v.masses()[i] < 1e-14) continue;
        const double share = std::exp(v.points()[i]) / (std::exp(v.points()[i]) + noise2);
        x.add(v.masses()[i], share * seen, noise * std::sqrt(share));
      }
      truth.push_back(x.marginal());
    }
    return truth;
  };
  return out;
}

namespace {

// y_i ~ Poisson(lambda_i), lambda_i ~ Gamma(2, b), b ~ Gamma(1, 1), all on the log scale. Given b,
// lambda_i ~ Gamma(2 + y_i, 1 + b).
Posterior rates(std::string name, std::string description, const Vector& y) {
  constexpr double a = 2;
  Posterior out{std::move(name), "hierarchies", std::move(description)};
  const double n = static_cast<double>(y.size());
  out.dimension = y.size() + 1;
  out.density = [=](const Vector& theta, Vector& gradient) {
    const double b = std::exp(theta(0));
    const Vector x = theta.tail(y.size());
    const Vector lambda = x.array().exp().matrix();
    gradient(0) = 1 - b + n * a - b * lambda.sum();
    gradient.tail(y.size()) = (y.array() + a - (1 + b) * lambda.array()).matrix();
    return (1 + n * a) * theta(0) - b + (y.array() + a).matrix().dot(x) - (1 + b) * lambda.sum();
  };
  const Line log_b([=](double t) {
    const double b = std::exp(t);
    return Term{(1 + n * a) * t - b - (n * a + y.sum()) * std::log1p(b), 0};
  });
  out.draw = [=](Random& random) {
    Vector theta(y.size() + 1);
    theta(0) = log_b.draw(random);
    for (Index i = 0; i < y.size(); ++i) {
      theta(i + 1) = std::log(random.gamma(a + y(i))) - std::log1p(std::exp(theta(0)));
    }
    return theta;
  };
  out.truth = [=] {
    std::vector<Marginal> truth{log_b.marginal()};
    std::vector<std::pair<double, double>> grid;  // log(1 + b) and mass
    for (std::size_t i = 0; i < log_b.points().size(); i += 8) {
      if (log_b.masses()[i] > 1e-14) {
        grid.emplace_back(std::log1p(std::exp(log_b.points()[i])), log_b.masses()[i]);
      }
    }
    for (const double count : y) {
      const Line x(
          [&](double at) {
            double sum = 0;
            for (const auto& [shift, mass] : grid) {
              sum += mass * std::exp((a + count) * (at + shift) - std::exp(at + shift));
            }
            return Term{std::log(sum), 0};
          },
          0, 1, {-12, 6});
      truth.push_back(x.marginal());
    }
    return truth;
  };
  return out;
}

Vector vec(std::initializer_list<double> values) {
  Vector v(static_cast<Index>(values.size()));
  Index i = 0;
  for (const double value : values) v(i++) = value;
  return v;
}

}  // namespace

Posterior hierarchy(std::string name, std::string family, std::string description,
                    const Groups& groups) {
  constexpr double kPriorOfMean = 5, kPriorOfScale = 2;
  Posterior out{std::move(name), std::move(family), std::move(description)};
  const Index n = groups.y.size();
  const Vector y = groups.y, variance = groups.sigma.cwiseAbs2();
  const bool centered = groups.centered;
  out.dimension = n + 2;
  // theta = (log tau, mu, effects).
  out.density = [=](const Vector& theta, Vector& gradient) {
    const double t = theta(0), tau = std::exp(t), mu = theta(1), r = tau / kPriorOfScale;
    const Vector effects = theta.tail(n);
    double sum = t - std::log1p(r * r) - 0.5 * mu * mu / (kPriorOfMean * kPriorOfMean);
    gradient(0) = 1 - 2 * r * r / (1 + r * r);
    gradient(1) = -mu / (kPriorOfMean * kPriorOfMean);
    if (centered) {
      const Vector z = (effects.array() - mu).matrix() / tau;
      const Vector e = (y - effects).cwiseQuotient(variance);
      sum += -0.5 * z.squaredNorm() - static_cast<double>(n) * t - 0.5 * e.dot(y - effects);
      gradient(0) += z.squaredNorm() - static_cast<double>(n);
      gradient(1) += z.sum() / tau;
      gradient.tail(n) = e - z / tau;
    } else {
      const Vector left = y - (mu + tau * effects.array()).matrix();
      const Vector e = left.cwiseQuotient(variance);
      sum += -0.5 * effects.squaredNorm() - 0.5 * e.dot(left);
      gradient(0) += tau * e.dot(effects);
      gradient(1) += e.sum();
      gradient.tail(n) = tau * e - effects;
    }
    return sum;
  };
  // Given tau: y_j ~ N(mu, v_j) with v_j = sigma_j^2 + tau^2, which leaves mu normal.
  struct Given {
    double mean, precision, log_evidence;
    Vector total;  // v
  };
  const auto given = [=](double t) {
    const double tau2 = std::exp(2 * t);
    Given g;
    g.total = (variance.array() + tau2).matrix();
    g.precision = 1 / (kPriorOfMean * kPriorOfMean) + g.total.cwiseInverse().sum();
    g.mean = y.cwiseQuotient(g.total).sum() / g.precision;
    g.log_evidence =
        -0.5 * (g.total.array().log().sum() + y.cwiseAbs2().cwiseQuotient(g.total).sum() -
                g.mean * g.mean * g.precision + std::log(g.precision));
    return g;
  };
  const Line log_tau([=](double t) {
    if (std::abs(t) > 200) return Term{-kInf, 0};  // exp(2 t) would overflow
    const double r2 = std::exp(2 * t) / (kPriorOfScale * kPriorOfScale);
    return Term{t - std::log1p(r2) + given(t).log_evidence, 0};
  });
  out.draw = [=](Random& random) {
    Vector theta(n + 2);
    theta(0) = log_tau.draw(random);
    const Given g = given(theta(0));
    const double tau = std::exp(theta(0)), tau2 = tau * tau;
    const double mu = theta(1) = random.normal(g.mean, 1 / std::sqrt(g.precision));
    for (Index j = 0; j < n; ++j) {
      const double share = tau2 / g.total(j);
      const double effect =
          random.normal(share * y(j) + (1 - share) * mu, std::sqrt(variance(j) * share));
      theta(j + 2) = centered ? effect : (effect - mu) / tau;
    }
    return theta;
  };
  if (groups.report_tau) out.exponentiated = {0};
  const bool report_tau = groups.report_tau;
  out.truth = [=] {
    std::vector<Marginal> truth{report_tau ? log_tau.marginal([](double t) { return std::exp(t); })
                                           : log_tau.marginal()};
    std::vector<NormalMixture> others(static_cast<std::size_t>(n + 1));
    for (std::size_t i = 0; i < log_tau.points().size(); i += 4) {
      const double mass = log_tau.masses()[i];
      if (mass < 1e-14) continue;
      const Given g = given(log_tau.points()[i]);
      const double tau2 = std::exp(2 * log_tau.points()[i]);
      others[0].add(mass, g.mean, 1 / std::sqrt(g.precision));
      for (Index j = 0; j < n; ++j) {
        const double share = tau2 / g.total(j);
        NormalMixture& effect = others[static_cast<std::size_t>(j + 1)];
        if (centered) {
          effect.add(mass, share * y(j) + (1 - share) * g.mean,
                     std::sqrt(variance(j) * share + (1 - share) * (1 - share) / g.precision));
        } else {
          const double slope = std::sqrt(tau2) / g.total(j);
          effect.add(mass, slope * (y(j) - g.mean),
                     std::sqrt(variance(j) / g.total(j) + slope * slope / g.precision));
        }
      }
    }
    for (const NormalMixture& other : others) truth.push_back(other.marginal());
    return truth;
  };
  return out;
}

void add_hierarchies(Posteriors& all) {
  all.push_back(funnel("funnel_p2", "funnels", "one effect, log variance of sd 3", 2, 3));
  all.push_back(funnel("funnel_p5", "funnels", "four effects, log variance of sd 3", 5, 3));
  all.push_back(funnel("funnel_p10", "funnels", "nine effects, log variance of sd 2", 10, 2));
  const Vector y = vec({-1.3, 0.4, 2.2, 0.1, -0.8, 1.1, 0.3, -2.4, 0.6});
  all.push_back(funnel_with_data("funnel_data_p5", "funnels",
                                 "four effects, each seen with noise 1", y.head(4), 3, 1));
  all.push_back(funnel_with_data("funnel_data_p10", "funnels",
                                 "nine effects, each seen with noise 1", y, 3, 1));
  all.push_back(funnel_with_data("funnel_weak_data_p10", "funnels",
                                 "nine effects, each seen with noise 5", y, 3, 5));

  const Vector effects = vec({12, -3, 5, 8, 1, -6, 3, 15}),
               error = vec({10, 9, 12, 8, 7, 11, 9, 14});
  const auto add = [&](const char* name, const char* description, const Groups& groups) {
    all.push_back(hierarchy(name, "hierarchies", description, groups));
  };
  add("groups_centered_weak", "eight groups with large errors, centered", {effects, error});
  add("groups_standardized_weak", "the same, standardized, tau reported",
      {effects, error, false, true});
  add("groups_centered_strong", "eight groups with errors of a tenth, centered",
      {effects, 0.1 * error});
  add("groups_standardized_strong", "the same, standardized", {effects, 0.1 * error, false});
  const Vector alike = vec({0.2, -0.1, 0.05, 0.3, -0.2, 0.1, 0, 0.15, -0.05, 0.1});
  add("groups_alike_centered", "ten groups that do not differ, centered: tau near 0",
      {alike, Vector::Constant(10, 0.5)});
  Random random(7);
  Groups many{Vector(40), Vector::Ones(40)};
  for (double& value : many.y) value = random.normal(1, 1.2);
  add("groups_forty_centered", "forty groups, tau about as large as the errors", many);
  all.push_back(rates("rates_p7", "six Poisson rates with a gamma of unknown rate",
                      vec({0, 3, 1, 12, 0, 4})));
}

}  // namespace hostile
