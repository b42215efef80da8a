// Densities that jump, end in a wall, or cannot be computed in a region.
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "marginals.hpp"

namespace hostile {

namespace {

Term normal(double x) { return {-0.5 * x * x, -x}; }

// A density in the plane on a support of which the chords are known: for every x, f(x, y) is N(0,
// 1) in x and y, or constant, on a set of intervals of y.
using Chords = std::function<std::vector<std::pair<double, double>>(double)>;

double standard_normal_draw_between(Random& random, double low, double high) {
  // By rejection from the normal: the intervals here hold a hundredth of it or more.
  for (;;) {
    const double z = random.normal();
    if (z > low && z < high) return z;
  }
}

// N(0, I) in the plane, but `outside` where the chords do not reach.
Posterior cut_plane(std::string name, std::string description, Chords chords,
                    std::vector<double> breaks, double outside) {
  Posterior out{std::move(name), "jumps", std::move(description)};
  out.dimension = 2;
  out.density = [chords, outside](const Vector& theta, Vector& gradient) {
    for (const auto& [low, high] : chords(theta(0))) {
      if (theta(1) > low && theta(1) < high) {
        gradient = -theta;
        return -0.5 * theta.squaredNorm();
      }
    }
    gradient.setConstant(outside);
    return outside;
  };
  const auto mass = [chords](double x) {
    double sum = 0;
    for (const auto& [low, high] : chords(x)) sum += normal_cdf(high) - normal_cdf(low);
    return sum;
  };
  const Line x(
      [mass](double at) {
        return Term{-0.5 * at * at + std::log(mass(at)), 0};
      },
      0, 1, std::move(breaks));
  out.draw = [chords, x, mass](Random& random) {
    Vector theta(2);
    theta(0) = x.draw(random);
    double left = random.uniform() * mass(theta(0));
    const auto pieces = chords(theta(0));
    std::size_t k = 0;
    for (; k + 1 < pieces.size(); ++k) {
      const double here = normal_cdf(pieces[k].second) - normal_cdf(pieces[k].first);
      if (left < here) break;
      left -= here;
    }
    theta(1) = standard_normal_draw_between(random, pieces[k].first, pieces[k].second);
    return theta;
  };
  // All of them are symmetric in x and y.
  out.truth = [x] { return std::vector<Marginal>(2, x.marginal()); };
  return out;
}

// Constant on the triangle x, y > 0, x + y < 1; -inf outside. x has the density 2 (1 - x).
Posterior triangle() {
  Posterior out{"triangle", "jumps", "constant on a triangle, -inf outside"};
  out.dimension = 2;
  out.density = [](const Vector& theta, Vector& gradient) {
    gradient.setZero();
    return theta(0) > 0 && theta(1) > 0 && theta.sum() < 1 ? 0.0 : -kInf;
  };
  out.draw = [](Random& random) {
    Vector theta(2);
    do {
      theta << random.uniform(), random.uniform();
    } while (theta.sum() >= 1);
    return theta;
  };
  const Line x([](double at) { return Term{std::log1p(-at), 0}; }, 0.5, 1, {0, 1});
  out.truth = [x] { return std::vector<Marginal>(2, x.marginal()); };
  return out;
}

}  // namespace

void add_jumps(Posteriors& all) {
  const auto add = [&](const char* name, const char* description, Index p, const Line& line) {
    all.push_back(product(name, "jumps", description, p, line));
  };
  const auto step = [](double nats) {
    return Line(
        [nats](double x) {
          return Term{normal(x).value + (x > 0 ? nats : 0), -x};
        },
        0, 1, {-kInf, 0, kInf});
  };
  add("step_five_p1", "N(0, 1), five times higher right of 0", 1, step(std::log(5)));
  add("step_five_p5", "the same in five coordinates", 5, step(std::log(5)));
  add("step_three_nats_p2", "N(0, 1), exp(3) times higher right of 0", 2, step(3));
  add("stairs_p2", "N(0, 1) times exp(floor(x)), x in two coordinates", 2,
      Line(
          [](double x) {
            return Term{normal(x).value + std::floor(x), -x};
          },
          0, 1, {-kInf, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, kInf}));
  add("box_p3", "uniform on the unit cube, -inf outside", 3,
      Line(
          [](double x) {
            return x > 0 && x < 1 ? Term{0, 0} : Term{-kInf, 0};
          },
          0.5, 1, {0, 1}));
  add("cliff_p2", "exponential on x > 0, NaN below, in two coordinates", 2,
      Line(
          [](double x) {
            return x > 0 ? Term{-x, -1} : Term{kNaN, kNaN};
          },
          0, 1, {0, kInf}));
  add("cut_tail_p2", "N(0, 1) beyond 1, -inf below, in two coordinates", 2,
      Line(
          [](double x) {
            return x > 1 ? normal(x) : Term{-kInf, 0};
          },
          1, 1, {1, kInf}));
  add("plateau_p2", "flat from -3 to 3 with shoulders of sd 0.5, in two coordinates", 2,
      Line(
          [](double x) {
            const double z = std::max(std::abs(x) - 3, 0.0) / 0.5;
            return Term{-0.5 * z * z, (x > 0 ? -1 : 1) * z / 0.5};
          },
          0, 1, {-kInf, -3, 3, kInf}));
  add("drop_in_tails_p5", "N(0, 1), 3 nats lower beyond 2, in five coordinates", 5,
      Line(
          [](double x) {
            return Term{normal(x).value - (std::abs(x) > 2 ? 3 : 0), -x};
          },
          0, 1, {-kInf, -2, 2, kInf}));
  all.push_back(triangle());
  all.push_back(cut_plane(
      "disc_nan", "N(0, I) inside a disc of radius 1.5, NaN outside",
      [](double x) -> std::vector<std::pair<double, double>> {
        const double h = std::sqrt(std::max(2.25 - x * x, 0.0));
        return {{-h, h}};
      },
      {-1.5, 1.5}, kNaN));
  all.push_back(cut_plane(
      "quadrant_nan", "N(0, I), NaN where both coordinates are positive",
      [](double x) -> std::vector<std::pair<double, double>> {
        return {{-kInf, x > 0 ? 0 : kInf}};
      },
      {-kInf, 0, kInf}, kNaN));
  all.push_back(cut_plane(
      "hole_nan", "N(0, I), NaN inside a disc of radius 0.5 in the middle",
      [](double x) -> std::vector<std::pair<double, double>> {
        if (std::abs(x) >= 0.5) return {{-kInf, kInf}};
        const double h = std::sqrt(0.25 - x * x);
        return {{-kInf, -h}, {h, kInf}};
      },
      {-kInf, -0.5, 0.5, kInf}, kNaN));
  all.push_back(cut_plane(
      "corner_inf", "N(0, I), -inf unless both coordinates are above -0.5",
      [](double x) -> std::vector<std::pair<double, double>> {
        if (x <= -0.5) return {};
        return {{-0.5, kInf}};
      },
      {-0.5, kInf}, -kInf));
}

}  // namespace hostile
