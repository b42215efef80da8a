// Modes that data make: unknown frequencies, and mixtures whose labels can be exchanged.
#include <cmath>
#include <utility>

#include "grid.hpp"
#include "marginals.hpp"

namespace hostile {

namespace {

struct Series {
  Vector t, y;
};

// 20 points of sin(w t) at irregular times in (0, 10).
Series sine(double w, double noise, std::uint64_t seed) {
  Random random(seed);
  Series out{Vector(20), Vector(20)};
  for (Index i = 0; i < 20; ++i) {
    out.t(i) = 10 * random.uniform();
    out.y(i) = random.normal(std::sin(w * out.t(i)), noise);
  }
  return out;
}

// Quadratures over w need cells that are narrow beside 1 / (10 sqrt(20)): 2000 for each unit.
std::vector<double> units(int from, int to) {
  std::vector<double> out;
  for (int k = from; k <= to; ++k) out.push_back(k);
  return out;
}

// w ~ N(0, prior), amplitude 1 known.
Posterior frequency(std::string name, std::string description, double w, double noise, double prior,
                    std::uint64_t seed) {
  const Series s = sine(w, noise, seed);
  const Line line(
      [=](double x) {
        const Vector e = (s.y - (x * s.t).array().sin().matrix()) / noise;
        const double slope =
            e.cwiseProduct(s.t).dot((x * s.t).array().cos().matrix()) / noise - x / (prior * prior);
        return Term{-0.5 * (e.squaredNorm() + x * x / (prior * prior)), slope};
      },
      0, 1, units(static_cast<int>(-8 * prior), static_cast<int>(8 * prior)));
  return product(std::move(name), "frequencies", std::move(description), 1, line);
}

// y = a sin(w t) + b cos(w t), a and b ~ N(0, 1), w ~ N(center, prior): given w a linear
// regression. Around 0 the signs of w and a can be exchanged.
Posterior phase(std::string name, std::string description, double w, double noise, double center,
                double prior, std::uint64_t seed) {
  const Series s = sine(w, noise, seed);
  Posterior out{std::move(name), "frequencies", std::move(description)};
  out.dimension = 3;
  out.density = [=](const Vector& theta, Vector& gradient) {  // w, a, b
    const Vector sines = (theta(0) * s.t).array().sin().matrix();
    const Vector cosines = (theta(0) * s.t).array().cos().matrix();
    const Vector e = (s.y - theta(1) * sines - theta(2) * cosines) / (noise * noise);
    gradient(0) = e.cwiseProduct(s.t).dot(theta(1) * cosines - theta(2) * sines) -
                  (theta(0) - center) / (prior * prior);
    gradient(1) = e.dot(sines) - theta(1);
    gradient(2) = e.dot(cosines) - theta(2);
    return -0.5 * (noise * noise * e.squaredNorm() + std::pow((theta(0) - center) / prior, 2) +
                   theta.tail(2).squaredNorm());
  };
  struct Given {
    Eigen::Matrix2d cov;
    Eigen::Vector2d mean;
    double log_evidence;
  };
  const auto given = [=](double at) {
    Matrix x(20, 2);
    x.col(0) = (at * s.t).array().sin().matrix();
    x.col(1) = (at * s.t).array().cos().matrix();
    const Eigen::Matrix2d precision =
        x.transpose() * x / (noise * noise) + Eigen::Matrix2d::Identity();
    const double determinant =
        precision(0, 0) * precision(1, 1) - precision(0, 1) * precision(0, 1);
    Given g;
    g.cov << precision(1, 1), -precision(0, 1), -precision(0, 1), precision(0, 0);
    g.cov /= determinant;
    const Eigen::Vector2d shift = x.transpose() * s.y / (noise * noise);
    g.mean = g.cov * shift;
    g.log_evidence = 0.5 * (shift.dot(g.mean) - std::log(determinant));
    return g;
  };
  const Line line(
      [=](double at) {
        return Term{given(at).log_evidence - 0.5 * std::pow((at - center) / prior, 2), 0};
      },
      0, 1, units(static_cast<int>(center - 8 * prior), static_cast<int>(center + 8 * prior)));
  out.draw = [=](Random& random) {
    Vector theta(3);
    theta(0) = line.draw(random);
    const Given g = given(theta(0));
    const double sd = std::sqrt(g.cov(0, 0)), slope = g.cov(0, 1) / g.cov(0, 0);
    theta(1) = random.normal(g.mean(0), sd);
    theta(2) = random.normal(g.mean(1) + slope * (theta(1) - g.mean(0)),
                             std::sqrt(g.cov(1, 1) - slope * g.cov(0, 1)));
    return theta;
  };
  out.truth = [=] {
    NormalMixture a, b;
    for (std::size_t i = 0; i < line.points().size(); ++i) {
      if (line.masses()[i] < 1e-12) continue;
      const Given g = given(line.points()[i]);
      a.add(line.masses()[i], g.mean(0), std::sqrt(g.cov(0, 0)));
      b.add(line.masses()[i], g.mean(1), std::sqrt(g.cov(1, 1)));
    }
    return std::vector<Marginal>{line.marginal(), a.marginal(), b.marginal()};
  };
  return out;
}

// y_i ~ sum_k w_k N(m_k, 1) with known weights, m_k ~ N(0, 5).
Density labels(const Vector& y, const Vector& weight) {
  return [=](const Vector& m, Vector& gradient) {
    double sum = -0.5 * m.squaredNorm() / 25;
    gradient = -m / 25;
    Vector part(m.size());
    for (const double seen : y) {
      part = weight.array() * (-0.5 * (seen - m.array()).square()).exp();
      const double total = part.sum() + 1e-300;  // beyond 37 sds the rest is 0
      sum += std::log(total);
      gradient += (part.array() * (seen - m.array())).matrix() / total;
    }
    return sum;
  };
}

Vector two_groups(Index n, double share, double apart, std::uint64_t seed) {
  Random random(seed);
  Vector y(n);
  for (double& value : y) value = random.normal(random.uniform() < share ? 0 : apart, 1);
  return y;
}

}  // namespace

void add_frequencies(Posteriors& all) {
  all.push_back(
      frequency("sine_p1", "20 points of sin(w t) with noise 0.3, w ~ N(0, 5)", 3.1, 0.3, 5, 11));
  all.push_back(
      frequency("sine_p1_high", "the same with w = 11 and noise 1: many modes", 11, 1, 5, 12));
  all.push_back(
      frequency("sine_p1_weak", "the same with noise 2: modes that hardly differ", 2, 2, 3, 13));
  all.push_back(phase("sine_p3", "frequency, amplitude and phase, noise 0.5, w ~ N(4, 1)", 3.1, 0.5,
                      4, 1, 14));
  all.push_back(phase("sine_p3_weak", "the same with noise 1.5, w ~ N(0, 4)", 5, 1.5, 0, 4, 15));

  const Vector half = Vector::Constant(2, 0.5), third = Vector::Constant(3, 1.0 / 3);
  Vector uneven(2);
  uneven << 0.3, 0.7;
  const auto box = [](Index p, double low, double high, int cells) {
    return Box{Vector::Constant(p, low), Vector::Constant(p, high), cells};
  };
  all.push_back(on_grid("labels_two", "frequencies",
                        "means of two equal components, 40 points 4 sds apart: labels exchange",
                        labels(two_groups(40, 0.5, 4, 21), half), box(2, -3, 7, 1000)));
  all.push_back(on_grid("labels_two_close", "frequencies",
                        "the same 1.5 sds apart with 25 points: the modes touch",
                        labels(two_groups(25, 0.5, 1.5, 22), half), box(2, -8, 9, 1000)));
  all.push_back(on_grid("labels_uneven", "frequencies",
                        "weights 0.3 and 0.7 known, 25 points 3 sds apart: modes of unequal mass",
                        labels(two_groups(25, 0.4, 3, 23), uneven), box(2, -15, 15, 1500)));
  Random random(24);
  Vector y(45);
  for (Index i = 0; i < y.size(); ++i) y(i) = random.normal(5 * static_cast<double>(i % 3) - 5, 1);
  all.push_back(on_grid("labels_three", "frequencies",
                        "means of three equal components, 5 sds apart: six modes", labels(y, third),
                        box(3, -8, 8, 160)));
}

}  // namespace hostile
