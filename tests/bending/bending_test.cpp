// Bending: what drives is found, and posteriors with known answers are what a bent q says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bending/bend.hpp"
#include "bending/describe.hpp"
#include "bending/drivers.hpp"
#include "core/numeric.hpp"
#include "core/registry.hpp"
#include "diagnostics/importance.hpp"
#include "scoring/score.hpp"

namespace ravi {
namespace {

std::unique_ptr<Approximation> gaussian_of(const Vector& mean, const Vector& sd) {
  const auto q = entry_of(family_registry(), "full-rank", "family").make(mean.size());
  return q->member(q->lambda_of(mean, sd.asDiagonal().toDenseMatrix()));
}

// v ~ N(0, 3^2), x_i | v ~ N(0, exp(v)).
std::unique_ptr<Model> funnel(Index p) {
  return make_model(p, [](const Vector& theta, Vector& gradient) {
    const double v = theta(0), e = std::exp(-v);
    const auto x = theta.tail(theta.size() - 1);
    const auto n = static_cast<double>(x.size());
    gradient(0) = -v / 9 + 0.5 * e * x.squaredNorm() - 0.5 * n;
    gradient.tail(x.size()) = -e * x;
    return -0.5 * (v * v / 9 + e * x.squaredNorm() + n * v);
  });
}

// x ~ N(0, 1), y | x ~ N(x^2, 0.5^2): E y = 1, var y = 2.25.
std::unique_ptr<Model> banana() {
  return make_model(2, [](const Vector& theta, Vector& gradient) {
    const double x = theta(0), rest = (theta(1) - x * x) / 0.25;
    gradient(0) = -x + 2 * x * rest;
    gradient(1) = -rest;
    return -0.5 * (x * x + (theta(1) - x * x) * rest);
  });
}

// y_j ~ N(theta_j, 1), theta_j ~ N(mu, tau^2), mu ~ N(0, 2^2), log tau ~ N(0, 1).
constexpr Index kGroups = 12;
Vector data_of_groups() { return Vector::LinSpaced(kGroups, -2, 3); }

std::unique_ptr<Model> hierarchy() {
  return make_model(kGroups + 2, [](const Vector& theta, Vector& gradient) {
    const double mu = theta(0), l = theta(1), e = std::exp(-2 * l);
    const Vector effects = theta.tail(kGroups), rest = data_of_groups() - effects;
    const Vector away = effects.array() - mu;
    gradient(0) = -mu / 4 + e * away.sum();
    gradient(1) = -l + e * away.squaredNorm() - static_cast<double>(kGroups);
    gradient.tail(kGroups) = rest - e * away;
    return -0.5 * (mu * mu / 4 + l * l + e * away.squaredNorm() + rest.squaredNorm()) -
           static_cast<double>(kGroups) * l;
  });
}

// Given tau the data are normal: y ~ N(0, (1 + tau^2) I + 4 1 1'), so that p(log tau | y) is known.
struct Known {
  double mean = 0, sd = 0;
};
std::pair<Known, Known> known_of_hierarchy() {  // of log tau and tau
  const Vector y = data_of_groups(), grid = Vector::LinSpaced(12001, -7, 5);
  constexpr auto n = static_cast<double>(kGroups);
  Vector density(grid.size());
  for (Index i = 0; i < grid.size(); ++i) {
    const double l = grid(i), v = 1 + std::exp(2 * l), all = v + 4 * n;
    density(i) = std::exp(-0.5 * (l * l + (n - 1) * std::log(v) + std::log(all) +
                                  (y.squaredNorm() - 4 * y.sum() * y.sum() / all) / v));
  }
  density /= density.sum();
  const Vector tau = grid.array().exp();
  return {{weighted_mean(grid, density), weighted_sd(grid, density)},
          {weighted_mean(tau, density), weighted_sd(tau, density)}};
}

// The Gaussians with the least KL(q || p). For the funnel and the banana they have independent
// coordinates and a closed form: sds s of what drives with 1 / s = s (1 / 9 + 4.5), and with 16 s^4
// + s^2 = 1. For the hierarchy a rough one.
struct Case {
  std::string name;
  std::unique_ptr<Model> (*model)();
  Vector mean, sd;
  std::vector<Index> drivers;
};
std::vector<Case> cases() {
  const double of_v = std::sqrt(1 / (1.0 / 9 + 4.5)), of_x = std::sqrt((std::sqrt(65) - 1) / 32);
  const double of_effects = std::exp(-of_v * of_v / 4);
  return {{"Funnel",
           [] { return funnel(10); },
           Vector::Zero(10),
           (Vector(10) << of_v, Vector::Constant(9, of_effects)).finished(),
           {0}},
          {"Banana", banana, Vector{{0, of_x * of_x}}, Vector{{of_x, 0.5}}, {0}},
          {"Hierarchy",
           hierarchy,
           (Vector(14) << 0.5, 0.4, 0.8 * data_of_groups()).finished(),
           (Vector(14) << 0.5, 0.3, Vector::Constant(12, 0.8)).finished(),
           {1}}};
}

const Options kOptionsOfBends{.seed = 1, .threads = 2};

Bend bent_twice(const Case& c, double* divergence = nullptr) {
  const auto model = c.model();
  const auto q = gaussian_of(c.mean, c.sd);
  const BendPair pair = bend_twice(*model, *q, kOptionsOfBends, nullptr);
  if (!pair.whole()) return {};
  if (divergence) *divergence = distance(*pair.first.q, *pair.second.q);
  return joined(pair.first, pair.second, 2);
}

TEST(Bending, FindsWhatDrives) {
  for (const Case& c : cases()) {
    const Bend found = bent_twice(c);
    ASSERT_TRUE(found.q) << c.name;
    EXPECT_EQ(found.q->frame().driving, c.drivers) << c.name;
  }
}

// Of coordinates; of the scale of the hierarchy below. Its logarithm has a lower tail that no draw
// reaches and no weight shows.
struct Moment {
  Index coordinate;
  double mean, sd;
};
std::vector<Moment> known_moments(const std::string& name) {
  if (name == "Funnel") return {{0, 0, 3}};
  if (name == "Banana") return {{0, 0, 1}, {1, 1, 1.5}};
  return {};
}

TEST(Bending, GivesTheKnownAnswersByItsWeights) {
  for (const Case& c : cases()) {
    double divergence = kInf;
    const Bend found = bent_twice(c, &divergence);
    ASSERT_TRUE(found.q) << c.name;
    EXPECT_LT(divergence, 0.9) << c.name;
    EXPECT_LT(found.gradient_evaluations, 6000) << c.name;
    const Answer answer = score(*c.model(), *found.q, kOptionsOfBends, 0, Detail::summaries);
    EXPECT_GT(answer.perplexity, 0.8) << c.name;
    for (const Moment& of : known_moments(c.name)) {
      const ParameterSummary& x = answer.parameters[static_cast<std::size_t>(of.coordinate)];
      EXPECT_NEAR(x.mean, of.mean, 5 * x.mcse) << c.name << " " << x.name;
      EXPECT_NEAR(x.sd, of.sd, 5 * x.mcse_sd) << c.name << " " << x.name;
    }
  }
}

// A mean within 0.05 sds and an sd within 5 % on the scale of tau, where the standard errors are a
// fifth of that; on that of log tau, what counts as right (docs/method.md).
TEST(Bending, IsRightAboutAScaleOnItsOwnScale) {
  const Case c = cases()[2];
  const Bend found = bent_twice(c);
  ASSERT_TRUE(found.q);
  const Answer answer = score(*c.model(), *found.q, kOptionsOfBends, 0, Detail::summaries);
  const Vector weights = answer.draws.log_weights.array().exp(), l = answer.draws.theta.row(1);
  const auto [of_log, of_tau] = known_of_hierarchy();
  const Vector tau = l.array().exp();
  EXPECT_NEAR(weighted_mean(tau, weights), of_tau.mean, 0.05 * of_tau.sd);
  EXPECT_NEAR(weighted_sd(tau, weights) / of_tau.sd, 1, 0.05);
  EXPECT_NEAR(weighted_mean(l, weights), of_log.mean, 0.3 * of_log.sd);
  EXPECT_NEAR(std::log(weighted_sd(l, weights) / of_log.sd), 0, std::log(1.4));
}

TEST(Bending, SaysWhatDrivesWhat) {
  const Case c = cases()[0];
  const std::vector<Driver> drivers =
      describe_drivers(*bent_twice(c).q, c.model()->unconstrained_names());
  ASSERT_EQ(drivers.size(), 1u);
  EXPECT_EQ(drivers[0].name, "theta[1]");
  ASSERT_EQ(drivers[0].driven.size(), 9u);
  // Between the 10 % and the 90 % quantile of v, 2 * 1.28 * 3 apart, sds grow by exp(3.84).
  for (const Driven& d : drivers[0].driven) EXPECT_NEAR(std::log(d.sd_factor), 3.84, 0.4) << d.name;
}

// Nothing drives anything in a normal distribution, however wrong the first q.
TEST(Bending, LeavesWhatIsStraight) {
  const auto model = make_model(4, [](const Vector& theta, Vector& gradient) {
    gradient = -theta;
    return -0.5 * theta.squaredNorm();
  });
  const Bend found = bend(*model, *gaussian_of(Vector::Constant(4, 0.5), Vector::Constant(4, 0.7)),
                          kOptionsOfBends, 0, nullptr);
  EXPECT_FALSE(found.q);
  EXPECT_EQ(found.gradient_evaluations, 300);
}

TEST(Bending, IsTheSameForAnyNumberOfThreads) {
  const Case c = cases()[2];
  const auto model = c.model();
  const auto q = gaussian_of(c.mean, c.sd);
  const auto of = [&](int threads) {
    const Bend found = bend(*model, *q, {.seed = 3, .threads = threads}, 0, nullptr);
    return found.q->log_density(c.mean);
  };
  EXPECT_EQ(of(1), of(3));
}

}  // namespace
}  // namespace ravi
