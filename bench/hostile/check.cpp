// Checks hostile posteriors by differences, by detailed balance and by exact draws.
#include "check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hostile {

namespace {

// Some 10 000 statistics are compared in all, each with a probability of 6e-7 of exceeding this.
constexpr double kSds = 5;

// A direction and length that fit the posterior: the shortest of ten differences of draws.
Vector short_difference(const std::vector<Vector>& draws, Random& random) {
  const auto n = static_cast<Index>(draws.size());
  Vector best;
  for (int k = 0; k < 10; ++k) {
    const Vector d = draws[static_cast<std::size_t>(random.index(n))] -
                     draws[static_cast<std::size_t>(random.index(n))];
    if (d.squaredNorm() > 0 && (best.size() == 0 || d.squaredNorm() < best.squaredNorm())) best = d;
  }
  return best;
}

void check_gradient(const Posterior& p, const std::vector<Vector>& draws, Random& random,
                    std::vector<std::string>& wrong) {
  constexpr double step = 1e-5;
  int off = 0, tried = 0;
  double worst = 0;
  Vector gradient(p.dimension), unused(p.dimension);
  for (std::size_t i = 0; i < 200 && i < draws.size(); ++i) {
    const Vector d = short_difference(draws, random);
    const double value = p.density(draws[i], gradient);
    const double slope = gradient.dot(d);
    const double difference =
        (p.density(draws[i] + step * d, unused) - p.density(draws[i] - step * d, unused)) /
        (2 * step);
    // The terms cancel where curvature is large, as in thin ridges: their size is what counts.
    const double size = 1 + gradient.cwiseProduct(d).lpNorm<1>();
    const double allowed = 1e-3 * size + p.resolution * std::max(1.0, std::abs(value)) / step;
    ++tried;
    if (!(std::abs(slope - difference) <= allowed)) {
      ++off;
      worst = std::max(worst, std::abs(slope - difference) / size);
    }
  }
  // A jump lies within 1e-5 sds of one of 200 draws in 1 of 100 runs.
  if (off > 1) {
    wrong.push_back(
        fmt::format("gradient off at {} of {} draws, at the most by {:.3g}", off, tried, worst));
  }
}

struct Sum {
  double n = 0, first = 0, second = 0;
  void add(double x) {
    n += 1;
    first += x;
    second += x * x;
  }
  double mean() const { return first / n; }
  double error() const { return std::sqrt(std::max(second / n - mean() * mean(), 0.0) / n); }
};

// x' = x + g (y - z) with y and z other draws is symmetric. After accepting by the density,
// indicators and the log density have the same means as before.
void check_density(const Posterior& p, const std::vector<Vector>& draws,
                   const std::vector<Marginal>& truth, Random& random,
                   std::vector<std::string>& wrong) {
  const auto n = static_cast<Index>(draws.size());
  const std::size_t coordinates = truth.size();
  const double in_all = 1.68 / std::sqrt(static_cast<double>(p.dimension));
  std::vector<Sum> sums(3 * coordinates);
  Sum moved, climbed, up_or_down;
  Vector gradient(p.dimension);
  for (const Vector& x : draws) {
    const Vector d = draws[static_cast<std::size_t>(random.index(n))] -
                     draws[static_cast<std::size_t>(random.index(n))];
    const double choice = random.uniform();
    const double length = choice < 0.3 ? 1 : choice < 0.7 ? in_all : 0.1 * in_all;
    const Vector proposal = x + length * d;
    const double value = p.density(proposal, gradient);
    double accept = 0;
    if (std::isfinite(value)) {
      const double rise = value - p.density(x, gradient);
      accept = std::min(1.0, std::exp(rise));
      climbed.add(accept * rise);
      up_or_down.add(accept * (rise > 0 ? 1 : rise < 0 ? -1 : 0));
    }
    moved.add(accept);
    const Vector before = reported(p, x), after = reported(p, proposal);
    for (std::size_t i = 0; i < coordinates; ++i) {
      const Marginal& t = truth[i];
      const double a = before(static_cast<Index>(i)), b = after(static_cast<Index>(i));
      const double limits[] = {t.q5, t.q50, t.q95};
      for (std::size_t k = 0; k < 3; ++k) {
        sums[3 * i + k].add(accept * ((b < limits[k] ? 1 : 0) - (a < limits[k] ? 1 : 0)));
      }
    }
  }
  if (moved.mean() < 0.01) {
    wrong.push_back(
        fmt::format("density not tested: {:.2g} of the proposals accepted", moved.mean()));
  }
  for (const Sum& sum : {climbed, up_or_down}) {
    if (std::abs(sum.mean()) > kSds * sum.error()) {
      wrong.push_back(fmt::format("density and draws differ: the log density moves by {:.1f} sds",
                                  sum.mean() / sum.error()));
    }
  }
  for (std::size_t k = 0; k < sums.size(); ++k) {
    if (std::abs(sums[k].mean()) > kSds * sums[k].error()) {
      wrong.push_back(fmt::format(
          "density and draws differ in coordinate {}, {} % quantile: {:.1f} sds", k / 3 + 1,
          k % 3 == 0   ? 5
          : k % 3 == 1 ? 50
                       : 95,
          sums[k].mean() / sums[k].error()));
    }
  }
}

void check_answers(const Posterior& p, const std::vector<Vector>& draws,
                   const std::vector<Marginal>& truth, std::vector<std::string>& wrong) {
  const auto compare = [&](std::size_t i, const char* what, const Sum& sum, double want) {
    const double z = (sum.mean() - want) / sum.error();
    if (!(std::abs(z) <= kSds)) {
      wrong.push_back(fmt::format("{} of coordinate {} is {:.6g}, draws say {:.6g} ({:.1f} sds)",
                                  what, i + 1, want, sum.mean(), z));
    }
  };
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const Marginal& t = truth[i];
    Sum q5, q50, q95, mean, square, fourth;
    for (const Vector& theta : draws) {
      const double x = reported(p, theta)(static_cast<Index>(i));
      q5.add(x < t.q5 ? 1 : 0);
      q50.add(x < t.q50 ? 1 : 0);
      q95.add(x < t.q95 ? 1 : 0);
      if (!t.has_sd()) continue;
      const double z = (x - t.mean) / t.sd;
      mean.add(z);
      square.add(z * z);
      fourth.add(z * z * z * z);
    }
    compare(i, "5 % quantile's level", q5, 0.05);
    compare(i, "median's level", q50, 0.5);
    compare(i, "95 % quantile's level", q95, 0.95);
    if (!t.has_sd()) continue;
    compare(i, "standardized mean", mean, 0);
    // Where fourth moments are large or missing, or tails hold the variance, draws cannot tell it.
    if (fourth.mean() < 30 && t.sd < 1.5 * (t.q95 - t.q5) / 3.29)
      compare(i, "standardized variance", square, 1);
  }
}

}  // namespace

std::vector<std::string> check(const Posterior& p, int n) {
  std::vector<std::string> wrong;
  if (p.kind == Kind::must_be_told) return wrong;
  Random random(12345);
  std::vector<Vector> draws;
  for (int i = 0; i < n; ++i) draws.push_back(p.draw(random));
  const std::vector<Marginal> truth = p.truth();
  if (truth.size() != static_cast<std::size_t>(p.dimension))
    return {"answers of another dimension"};
  check_gradient(p, draws, random, wrong);
  check_density(p, draws, truth, random, wrong);
  check_answers(p, draws, truth, wrong);
  return wrong;
}

}  // namespace hostile
