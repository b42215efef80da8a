// Shells and ridges: masses that no Gaussian has the shape of.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include "marginals.hpp"

namespace hostile {

namespace {

// log p = -(r - R)^2 / (2 s^2) with r = |theta|: r has the density r^(P-1) times that, the
// direction is uniform.
Posterior shell(std::string name, std::string description, Index p, double radius, double sd) {
  Posterior out{std::move(name), "shells", std::move(description)};
  const Line r(
      [=](double x) {
        const double z = (x - radius) / sd;
        return Term{static_cast<double>(p - 1) * std::log(x) - 0.5 * z * z, 0};
      },
      radius, sd, {0, kInf});
  out.dimension = p;
  out.density = [=](const Vector& theta, Vector& gradient) {
    const double length = theta.norm(), z = (length - radius) / sd;
    gradient = -z / sd * theta / length;
    return -0.5 * z * z;
  };
  out.draw = [=](Random& random) {
    const Vector z = random.normals(p);
    return Vector(r.draw(random) * z.normalized());
  };
  // E x^2 = E r^2 / P. One coordinate of a direction has the density (1 - u^2)^((P-3)/2); with
  // u = sin(a), cos(a)^(P-2) on (-pi/2, pi/2). P(r u < x) by quadrature over both.
  out.truth = [=] {
    double square = 0;
    for (std::size_t i = 0; i < r.points().size(); ++i) {
      square += r.masses()[i] * r.points()[i] * r.points()[i];
    }
    const Line angle(
        [=](double a) {
          return Term{static_cast<double>(p - 2) * std::log(std::cos(a)), 0};
        },
        0, 1, {-0.5 * std::numbers::pi, 0.5 * std::numbers::pi});
    const auto below = [&](double x) {  // P(u < t) by the table, interpolated between midpoints
      double sum = 0;
      std::vector<double> cdf{0};
      for (const double m : angle.masses()) cdf.push_back(cdf.back() + m);
      const std::size_t n = angle.masses().size();
      for (std::size_t i = 0; i < r.points().size(); ++i) {
        if (r.masses()[i] < 1e-12) continue;
        const double u = std::clamp(x / r.points()[i], -1.0, 1.0), a = std::asin(u);
        const auto upper = std::ranges::lower_bound(angle.points(), a) - angle.points().begin();
        const auto k = static_cast<std::size_t>(upper);
        double below_a;
        if (k == 0 || k == n) {
          below_a = k == 0 ? 0 : 1;
        } else {
          const double left = angle.points()[k - 1], right = angle.points()[k];
          const double at_left = 0.5 * (cdf[k - 1] + cdf[k]),
                       at_right = 0.5 * (cdf[k] + cdf[k + 1]);
          below_a = at_left + (a - left) / (right - left) * (at_right - at_left);
        }
        sum += r.masses()[i] * below_a;
      }
      return sum;
    };
    double low = 0, high = radius + 10 * sd;
    while (high - low > 1e-6 * high) {
      const double middle = 0.5 * (low + high);
      (below(middle) < 0.95 ? low : high) = middle;
    }
    const double sd_of_one = std::sqrt(square / static_cast<double>(p));
    return std::vector<Marginal>(static_cast<std::size_t>(p), {0, sd_of_one, -low, 0, low});
  };
  return out;
}

// x ~ N(0, s1), y | x ~ N(f(x), s2), further coordinates N(0, 1).
struct Curve {
  std::function<double(double)> f, slope;
};

Posterior ridge(std::string name, std::string description, Index p, double s1, double s2,
                Curve curve) {
  Posterior out{std::move(name), "ridges", std::move(description)};
  out.dimension = p;
  out.density = [=](const Vector& theta, Vector& gradient) {
    const double z = theta(0) / s1, e = (theta(1) - curve.f(theta(0))) / s2;
    gradient = -theta;
    gradient(0) = -z / s1 + e / s2 * curve.slope(theta(0));
    gradient(1) = -e / s2;
    return -0.5 * (z * z + e * e + theta.tail(theta.size() - 2).squaredNorm());
  };
  out.draw = [=](Random& random) {
    Vector theta = random.normals(p);
    theta(0) *= s1;
    theta(1) = curve.f(theta(0)) + s2 * theta(1);
    return theta;
  };
  out.truth = [=] {
    std::vector<Marginal> truth(static_cast<std::size_t>(p), normal_marginal(0, 1));
    truth[0] = normal_marginal(0, s1);
    NormalMixture y;
    const double step = std::min(0.001, 0.1 * s2 / s1);
    for (double z = -8; z <= 8; z += step) y.add(std::exp(-0.5 * z * z), curve.f(s1 * z), s2);
    truth[1] = y.marginal();
    return truth;
  };
  return out;
}

Curve parabola(double b) {
  return {[b](double x) { return b * x * x; }, [b](double x) { return 2 * b * x; }};
}

// x ~ N(0, 1), y | x ~ N(x^2 / 2, s), z | y ~ N(y^2 / 2, s).
Posterior twice_bent() {
  constexpr double s = 0.5;
  Posterior out{"banana_twice_bent", "ridges", "y bends with x and z bends with y"};
  out.dimension = 3;
  out.density = [](const Vector& theta, Vector& gradient) {
    const double x = theta(0), y = theta(1);
    const double a = (y - 0.5 * x * x) / s, b = (theta(2) - 0.5 * y * y) / s;
    gradient << -x + a / s * x, -a / s + b / s * y, -b / s;
    return -0.5 * (x * x + a * a + b * b);
  };
  out.draw = [](Random& random) {
    Vector theta = random.normals(3);
    theta(1) = 0.5 * theta(0) * theta(0) + s * theta(1);
    theta(2) = 0.5 * theta(1) * theta(1) + s * theta(2);
    return theta;
  };
  // y is x^2 / 2 plus noise; z a mixture over the grid of both.
  out.truth = [] {
    NormalMixture y;
    for (double x = -8; x <= 8; x += 0.005) y.add(std::exp(-0.5 * x * x), 0.5 * x * x, s);
    NormalMixture z;
    constexpr double step = 0.01;
    for (double at = -4; at < 40; at += step) {
      double density = 0;
      for (double x = 0; x <= 8; x += 0.005) {
        const double e = (at - 0.5 * x * x) / s;
        density += (x == 0 ? 0.5 : 1) * std::exp(-0.5 * (x * x + e * e));
      }
      if (density > 0) z.add(density, 0.5 * at * at, s);
    }
    return std::vector<Marginal>{normal_marginal(0, 1), y.marginal(), z.marginal()};
  };
  return out;
}

// y = 1 seen as a b with noise s, a and b ~ N(0, 1): two branches of a hyperbola. Given a, the
// evidence is N(y; 0, a^2 + s^2) and b is normal with precision 1 + a^2 / s^2.
Posterior hyperbola(std::string name, std::string description, double s) {
  Posterior out{std::move(name), "ridges", std::move(description)};
  out.dimension = 2;
  const Line a(
      [s](double x) {
        const double v = x * x + s * s;
        return Term{-0.5 * (x * x + std::log(v) + 1 / v), 0};
      },
      0, 0.1);
  out.density = [s](const Vector& theta, Vector& gradient) {
    const double e = (1 - theta(0) * theta(1)) / s;
    gradient << -theta(0) + e / s * theta(1), -theta(1) + e / s * theta(0);
    return -0.5 * (theta.squaredNorm() + e * e);
  };
  out.draw = [a, s](Random& random) {
    Vector theta(2);
    theta(0) = a.draw(random);
    const double precision = 1 + theta(0) * theta(0) / (s * s);
    theta(1) = random.normal(theta(0) / (s * s) / precision, 1 / std::sqrt(precision));
    return theta;
  };
  out.truth = [a] { return std::vector<Marginal>(2, a.marginal()); };
  return out;
}

}  // namespace

void add_shapes(Posteriors& all) {
  all.push_back(shell("shell_p2_thin", "radius 5, thickness 0.3", 2, 5, 0.3));
  all.push_back(shell("shell_p2_mild", "radius 3, thickness 1", 2, 3, 1));
  all.push_back(shell("shell_p5", "radius 5, thickness 0.5", 5, 5, 0.5));
  all.push_back(shell("shell_p10", "radius 10, thickness 1", 10, 10, 1));

  all.push_back(ridge("banana_thin", "y = x^2 with sd 0.1 around it", 2, 1, 0.1, parabola(1)));
  all.push_back(ridge("banana_long", "y = 0.03 x^2 with x of sd 10 (Haario and others, 1999)", 2,
                      10, 1, parabola(0.03)));
  all.push_back(ridge("banana_sharp", "y = 3 x^2 with sd 0.3 around it", 2, 1, 0.3, parabola(3)));
  all.push_back(
      ridge("banana_p10", "y = x^2 with sd 0.5, and eight normals", 10, 1, 0.5, parabola(1)));
  all.push_back(
      ridge("banana_p30", "y = x^2 / 2 with sd 1, and 28 normals", 30, 1, 1, parabola(0.5)));
  all.push_back(
      ridge("ridge_cubic", "y = x^3 / 4 with sd 0.3 around it", 2, 1, 0.3,
            {[](double x) { return 0.25 * x * x * x; }, [](double x) { return 0.75 * x * x; }}));
  all.push_back(ridge("ridge_wave", "y = 2 sin(2 x) with sd 0.2 around it", 2, 1, 0.2,
                      {[](double x) { return 2 * std::sin(2 * x); },
                       [](double x) { return 4 * std::cos(2 * x); }}));
  all.push_back(
      ridge("ridge_exponential", "y = exp(x) with sd 0.2 around it", 2, 1, 0.2,
            {[](double x) { return std::exp(x); }, [](double x) { return std::exp(x); }}));
  all.push_back(twice_bent());
  all.push_back(hyperbola("hyperbola_wide", "a b = 1 with noise 0.5: two branches", 0.5));
  all.push_back(hyperbola("hyperbola_thin", "a b = 1 with noise 0.05: two branches", 0.05));
}

}  // namespace hostile
