// Posteriors whose shape no weights make up for, so that draws have to move: through necks, along
// ridges, between modes that are near, and in all of these beside something else.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include "gaussians.hpp"
#include "hierarchies.hpp"
#include "lines.hpp"
#include "mixtures.hpp"

namespace hostile {

namespace {

// x ~ N(0, s1), and for every bend f, y | x ~ N(f(x), s2).
struct Bend {
  std::function<double(double)> f, slope;
};

Posterior along(std::string name, std::string description, double s1, double s2,
                std::vector<Bend> bends) {
  Posterior out{std::move(name), "long ridges", std::move(description)};
  const Index p = static_cast<Index>(bends.size()) + 1;
  out.dimension = p;
  out.density = [=](const Vector& theta, Vector& gradient) {
    const double x = theta(0);
    double sum = -0.5 * x * x / (s1 * s1);
    gradient(0) = -x / (s1 * s1);
    for (Index i = 1; i < p; ++i) {
      const Bend& bend = bends[static_cast<std::size_t>(i - 1)];
      const double e = (theta(i) - bend.f(x)) / s2;
      sum -= 0.5 * e * e;
      gradient(0) += e / s2 * bend.slope(x);
      gradient(i) = -e / s2;
    }
    return sum;
  };
  out.draw = [=](Random& random) {
    Vector theta = random.normals(p);
    theta(0) *= s1;
    for (Index i = 1; i < p; ++i) {
      theta(i) = bends[static_cast<std::size_t>(i - 1)].f(theta(0)) + s2 * theta(i);
    }
    return theta;
  };
  out.truth = [=] {
    std::vector<Marginal> truth{normal_marginal(0, s1)};
    for (const Bend& bend : bends) {
      NormalMixture y;
      for (double z = -8; z <= 8; z += 0.001) y.add(std::exp(-0.5 * z * z), bend.f(s1 * z), s2);
      truth.push_back(y.marginal());
    }
    return truth;
  };
  return out;
}

Bend wave(double height, double frequency, double phase = 0) {
  return {[=](double x) { return height * std::sin(frequency * x + phase); },
          [=](double x) { return height * frequency * std::cos(frequency * x + phase); }};
}

Bend parabola(double b) {
  return {[=](double x) { return b * x * x; }, [=](double x) { return 2 * b * x; }};
}

// Independent of one another.
Posterior side_by_side(std::string name, std::string description,
                       const std::vector<Posterior>& parts) {
  Posterior out{std::move(name), "side by side", std::move(description)};
  for (const Posterior& part : parts) out.dimension += part.dimension;
  const Index p = out.dimension;
  out.density = [=](const Vector& theta, Vector& gradient) {
    double sum = 0;
    Index first = 0;
    for (const Posterior& part : parts) {
      Vector slope = Vector::Zero(part.dimension);
      sum += part.density(theta.segment(first, part.dimension), slope);
      gradient.segment(first, part.dimension) = slope;
      first += part.dimension;
    }
    return sum;
  };
  out.draw = [=](Random& random) {
    Vector theta(p);
    Index first = 0;
    for (const Posterior& part : parts) {
      theta.segment(first, part.dimension) = part.draw(random);
      first += part.dimension;
    }
    return theta;
  };
  out.truth = [=] {
    std::vector<Marginal> truth;
    for (const Posterior& part : parts) {
      const std::vector<Marginal> of_part = part.truth();
      truth.insert(truth.end(), of_part.begin(), of_part.end());
    }
    return truth;
  };
  return out;
}

// log(1 + exp(x)).
double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

// y ~ N(b, 1), b ~ N(0, lambda), lambda ~ half-Cauchy(1): a coefficient under a horseshoe, over
// t = log lambda and b, or over t and b / lambda. Given t, with the share 1 / (1 + exp(-2t)) of y,
// b is normal.
Posterior horseshoe(double y, bool centered) {
  Posterior out{.dimension = 2};
  out.density = [=](const Vector& theta, Vector& gradient) {
    const double t = theta(0), prior = t - softplus(2 * t), slope = -std::tanh(t);
    if (centered) {
      const double precision = std::exp(-2 * t), b = theta(1);
      gradient << slope - 1 + precision * b * b, -precision * b + y - b;
      return prior - t - 0.5 * (precision * b * b + (y - b) * (y - b));
    }
    const double lambda = std::exp(t), z = theta(1), left = y - lambda * z;
    gradient << slope + left * lambda * z, -z + left * lambda;
    return prior - 0.5 * (z * z + left * left);
  };
  const auto share = [](double t) { return 1 / (1 + std::exp(-2 * t)); };
  const Line t([=](double at) {
    const double log_total = softplus(2 * at);
    return Term{at - log_total - 0.5 * log_total - 0.5 * y * y * std::exp(-log_total), 0};
  });
  const auto other = [=](double at) {  // mean and sd
    const double s = share(at), scale = centered ? 1 : std::exp(-at);
    return std::pair(scale * s * y, scale * std::sqrt(s));
  };
  out.draw = [=](Random& random) {
    Vector theta(2);
    theta(0) = t.draw(random);
    const auto [mean, sd] = other(theta(0));
    theta(1) = random.normal(mean, sd);
    return theta;
  };
  out.truth = [=] {
    NormalMixture b;
    for (std::size_t i = 0; i < t.points().size(); i += 2) {
      if (t.masses()[i] < 1e-14) continue;
      const auto [mean, sd] = other(t.points()[i]);
      b.add(t.masses()[i], mean, sd);
    }
    return std::vector<Marginal>{t.marginal(), b.marginal()};
  };
  return out;
}

Posterior horseshoes(std::string name, std::string description, bool centered) {
  std::vector<Posterior> parts;
  for (const double y : {0.2, -1.1, 0.6, 4.0, -2.3}) parts.push_back(horseshoe(y, centered));
  return side_by_side(std::move(name), std::move(description), parts);
}

// What a Gaussian is nowhere near, two coordinates of it.
Posterior bent() { return along("", "", 1, 0.1, {parabola(1)}); }

Posterior beside_a_ridge(std::string name, std::string description, const Posterior& other) {
  return side_by_side(std::move(name), std::move(description) + ", beside y = x^2 with sd 0.1",
                      {other, bent()});
}

Posterior modes(Index p, double share, double distance) {
  return normal_mixture(
      "", "", "",
      {component(1 - share, Vector::Zero(p), 1), component(share, along_diagonal(p, distance), 1)});
}

}  // namespace

void add_moves(Posteriors& all) {
  Random random(11);
  const auto normals = [&](Index n, double sd) { return Vector(sd * random.normals(n)); };

  all.push_back(funnel_with_data("neck_p8", "necks", "seven effects, each seen with noise 2",
                                 normals(7, 2.2), 3, 2));
  all.push_back(funnel_with_data("neck_p21", "necks", "twenty effects, seen with noise 1",
                                 normals(20, 1.1), 3, 1));
  all.push_back(funnel_with_data("neck_narrow_p5", "necks", "four effects near 0, noise 0.3",
                                 normals(4, 0.2), 3, 0.3));
  const auto groups = [&](const char* name, const char* description, const Groups& data) {
    all.push_back(hierarchy(name, "necks", description, data));
  };
  Vector six(6), three(3), precise = normals(15, 5);
  six << 4.1, -1.2, 2.5, 0.3, -3.4, 6.0;
  three << -4, 0.5, 5;
  groups("groups_three_centered", "three groups, centered: a long tail of tau",
         {three, Vector::Ones(3)});
  groups("groups_six_centered", "six groups with errors as large as their differences",
         {six, Vector::Constant(6, 3)});
  Vector errors = Vector::Constant(15, 5);
  errors(0) = 0.05;
  precise(0) = 1;
  groups("groups_one_precise", "fifteen groups, one of which is known, centered",
         {precise, errors});
  groups("groups_twenty_centered", "twenty groups, tau half of the errors, centered",
         {normals(20, 1.12), Vector::Ones(20)});
  groups("groups_sixty_centered", "sixty groups, tau a third of the errors, centered",
         {normals(60, 1.05), Vector::Ones(60)});

  all.push_back(along("helix", "three turns of a helix of radius 3, sd 0.3 around it", 3, 0.3,
                      {wave(3, 1), wave(3, 1, 0.5 * std::numbers::pi)}));
  all.push_back(
      along("wave_long", "y = 3 sin(x) with x of sd 4 and sd 0.5 around it", 4, 0.5, {wave(3, 1)}));
  all.push_back(along("wave_short", "y = sin(3 x), sd 0.1 around it", 1, 0.1, {wave(1, 3)}));
  all.push_back(along("bent_p6", "five coordinates that bend with one", 1, 0.3,
                      {parabola(1), parabola(-0.5), wave(2, 1), wave(1, 2, 1), parabola(0.7)}));

  all.push_back(side_by_side("two_necks", "two funnels, of four and of six effects with data",
                             {funnel_with_data("", "", "", normals(4, 1.5), 3, 1),
                              funnel_with_data("", "", "", normals(6, 1.5), 2, 1)}));
  all.push_back(horseshoes("horseshoes_centered", "five coefficients under horseshoes", true));
  all.push_back(horseshoes("horseshoes_standardized", "the same, standardized", false));
  all.push_back(beside_a_ridge("modes_near", "30 % of the mass 4 sds away", modes(3, 0.3, 4)));
  all.push_back(beside_a_ridge("modes_apart", "20 % of the mass 7 sds away", modes(3, 0.2, 7)));
  all.push_back(beside_a_ridge(
      "core", "half of the mass ten times narrower, P = 3",
      normal_mixture("", "", "",
                     {component(0.5, Vector::Zero(3), 1), component(0.5, Vector::Zero(3), 0.1)})));
  all.push_back(beside_a_ridge("axes_1e4", "a Gaussian of condition 1e4",
                               gaussian("", "", "", Vector::Zero(5), spread(5, 1e4), 5)));
  all.push_back(beside_a_ridge("t3_beside", "three t with 3 degrees",
                               product("", "", "", std::vector<Line>(3, student_t(3)))));
}

}  // namespace hostile
