// Mixtures of normals: modes apart, modes on a ring, and dense cores in wide slabs.
#include "mixtures.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "marginals.hpp"

namespace hostile {

Posterior normal_mixture(std::string name, std::string family, std::string description,
                         std::vector<Component> components) {
  Posterior p{std::move(name), std::move(family), std::move(description)};
  p.dimension = components.front().mean.size();
  p.density = [components](const Vector& theta, Vector& gradient) {
    const auto n = static_cast<Index>(components.size());
    Vector log_density(n);
    for (Index k = 0; k < n; ++k) {
      const Component& c = components[static_cast<std::size_t>(k)];
      log_density(k) = std::log(c.weight) - c.sd.array().log().sum() -
                       0.5 * (theta - c.mean).cwiseQuotient(c.sd).squaredNorm();
    }
    const double largest = log_density.maxCoeff();
    const Vector share = (log_density.array() - largest).exp().matrix();
    gradient.setZero();
    for (Index k = 0; k < n; ++k) {
      const Component& c = components[static_cast<std::size_t>(k)];
      gradient -=
          share(k) / share.sum() * (theta - c.mean).cwiseQuotient(c.sd.cwiseAbs2()).matrix();
    }
    return largest + std::log(share.sum());
  };
  double total = 0;
  for (const Component& c : components) total += c.weight;
  p.draw = [components, total](Random& random) {
    double left = random.uniform() * total;
    std::size_t k = 0;
    while (k + 1 < components.size() && left > components[k].weight) left -= components[k++].weight;
    const Component& c = components[k];
    return Vector(c.mean + c.sd.cwiseProduct(random.normals(c.mean.size())));
  };
  p.truth = [components] {
    std::vector<Marginal> out;
    for (Index i = 0; i < components.front().mean.size(); ++i) {
      NormalMixture marginal;
      for (const Component& c : components) marginal.add(c.weight, c.mean(i), c.sd(i));
      out.push_back(marginal.marginal());
    }
    return out;
  };
  return p;
}

Component component(double weight, const Vector& mean, double sd) {
  return {weight, mean, Vector::Constant(mean.size(), sd)};
}

Vector along_axis(Index p, double length) { return length * Vector::Unit(p, 0); }

Vector along_diagonal(Index p, double length) {
  return Vector::Constant(p, length / std::sqrt(static_cast<double>(p)));
}

namespace {

// Two modes, the smaller of the given weight and sd, the larger of sd 1; the distance is that of
// their means, in sds of the wider one.
std::vector<Component> pair(double weight, double sd, const Vector& from_small_to_large) {
  return {component(weight, -0.5 * from_small_to_large, sd),
          component(1 - weight, 0.5 * from_small_to_large, 1)};
}

// `share` of the mass at `sd` in the middle of the rest at sd 1, or `away` from it.
std::vector<Component> core(double share, double sd, const Vector& away) {
  return {component(share, away, sd), component(1 - share, Vector::Zero(away.size()), 1)};
}

// Modes at equal angles in the first two of P coordinates.
std::vector<Component> ring(Index p, int modes, double radius, double sd, double growth = 1) {
  std::vector<Component> out;
  double weight = 1;
  for (int k = 0; k < modes; ++k, weight *= growth) {
    const double angle = 2 * std::numbers::pi * k / modes + 0.3;
    Vector mean = Vector::Zero(p);
    mean(0) = radius * std::cos(angle);
    mean(1) = radius * std::sin(angle);
    out.push_back(component(weight, mean, sd));
  }
  return out;
}

}  // namespace

void add_mixtures(Posteriors& all) {
  const auto two = [&](const char* name, const char* description, double weight, double sd,
                       const Vector& apart) {
    all.push_back(normal_mixture(name, "mixtures", description, pair(weight, sd, apart)));
  };
  two("mix_p1_even", "two modes of equal mass, 6 sds apart", 0.5, 1, along_axis(1, 6));
  two("mix_p1_rare", "2 % of the mass 8 sds away", 0.02, 1, along_axis(1, 8));
  two("mix_p1_narrow", "30 % of the mass ten times narrower, 5 wide sds away", 0.3, 0.1,
      along_axis(1, 5));
  two("mix_p2_touching", "two modes of equal mass, 3 sds apart along the diagonal", 0.5, 1,
      along_diagonal(2, 3));
  two("mix_p2_fifth", "20 % of the mass 4 sds away along the diagonal", 0.2, 1,
      along_diagonal(2, 4));
  two("mix_p2_rare", "5 % of the mass 10 sds away along an axis", 0.05, 1, along_axis(2, 10));
  two("mix_p2_needle", "half of the mass a hundred times narrower, 5 wide sds away", 0.5, 0.01,
      along_diagonal(2, 5));
  two("mix_p5_fifth", "20 % of the mass 6 sds away along the diagonal", 0.2, 1,
      along_diagonal(5, 6));
  two("mix_p5_narrow", "10 % of the mass ten times narrower, 5 wide sds away", 0.1, 0.1,
      along_diagonal(5, 5));
  two("mix_p5_far", "35 % of the mass 15 sds away along an axis", 0.35, 1, along_axis(5, 15));
  two("mix_p10_fifth", "20 % of the mass 6 sds away along an axis", 0.2, 1, along_axis(10, 6));
  two("mix_p10_rare", "5 % of the mass 8 sds away along the diagonal", 0.05, 1,
      along_diagonal(10, 8));
  two("mix_p10_touching", "two modes of equal mass, 3 sds apart along the diagonal", 0.5, 1,
      along_diagonal(10, 3));
  two("mix_p10_close", "30 % of the mass 4.5 sds away along an axis, half as wide", 0.3, 0.5,
      along_axis(10, 4.5));
  two("mix_p20_third", "30 % of the mass 7 sds away along an axis", 0.3, 1, along_axis(20, 7));
  two("mix_p20_far", "10 % of the mass 12 sds away along the diagonal", 0.1, 1,
      along_diagonal(20, 12));
  two("mix_p50_even", "40 % of the mass 5 sds away along an axis", 0.4, 1, along_axis(50, 5));
  two("mix_p50_far", "20 % of the mass 10 sds away along the diagonal", 0.2, 1,
      along_diagonal(50, 10));

  Vector a = Vector::Zero(3), b = a, c = a;
  a << 4, 1, 0;
  b << -3, 4, 2;
  c << -1, -4, -3;
  all.push_back(normal_mixture("mix_p3_three", "mixtures",
                               "three modes with 50, 30 and 20 % of the mass, 6 to 9 sds apart",
                               {component(0.5, a, 1), component(0.3, b, 1), component(0.2, c, 1)}));
  std::vector<Component> four;
  for (Index k = 0; k < 4; ++k) {
    four.push_back(component(0.1 * static_cast<double>(k + 1), 7 * Vector::Unit(4, k),
                             0.25 * std::pow(2, static_cast<double>(k))));
  }
  all.push_back(normal_mixture("mix_p4_four", "mixtures",
                               "four modes with 10 to 40 % of the mass and sds 0.25 to 2, one on "
                               "each axis",
                               four));

  const auto nested = [&](const char* name, const char* description, std::vector<Component> parts) {
    all.push_back(normal_mixture(name, "nested scales", description, std::move(parts)));
  };
  nested("core_p2_fifth", "20 % of the mass at sd 0.05 inside 80 % at sd 1",
         core(0.2, 0.05, Vector::Zero(2)));
  nested("core_p5_fifth", "20 % of the mass at sd 0.05 inside 80 % at sd 1",
         core(0.2, 0.05, Vector::Zero(5)));
  nested("core_p20_fifth", "20 % of the mass at sd 0.05 inside 80 % at sd 1",
         core(0.2, 0.05, Vector::Zero(20)));
  nested("core_p1_hundredth", "half of the mass at sd 0.01 inside sd 1",
         core(0.5, 0.01, Vector::Zero(1)));
  nested("core_p2_hundredth", "half of the mass at sd 0.01 inside sd 1",
         core(0.5, 0.01, Vector::Zero(2)));
  nested("core_p10_tenth", "half of the mass at sd 0.1 inside sd 1",
         core(0.5, 0.1, Vector::Zero(10)));
  nested("core_p5_small", "5 % of the mass at sd 0.05 inside sd 1",
         core(0.05, 0.05, Vector::Zero(5)));
  nested("core_p20_third", "40 % of the mass at sd 0.3 inside sd 1",
         core(0.4, 0.3, Vector::Zero(20)));
  nested("core_beside_p2", "30 % of the mass at sd 0.05, 2 sds from the middle of the slab",
         core(0.3, 0.05, along_diagonal(2, 2)));
  nested("core_beside_p10", "20 % of the mass at sd 0.05, 3 sds from the middle of the slab",
         core(0.2, 0.05, along_diagonal(10, 3)));
  nested("three_scales_p3", "a third of the mass each at sd 1, 0.1 and 0.01, one in the other",
         {component(1, Vector::Zero(3), 1), component(1, Vector::Zero(3), 0.1),
          component(1, Vector::Zero(3), 0.01)});
  Vector flat = Vector::Ones(5);
  flat(0) = 0.02;
  nested("core_one_coordinate", "half of the mass at sd 0.02 in one of five coordinates",
         {{0.5, Vector::Zero(5), flat}, component(0.5, Vector::Zero(5), 1)});

  const auto rings = [&](const char* name, const char* description, std::vector<Component> parts) {
    all.push_back(normal_mixture(name, "rings", description, std::move(parts)));
  };
  rings("ring_six", "six equal modes at distance 5 from the middle, neighbors 5 sds apart",
        ring(2, 6, 5, 1));
  rings("ring_eight_uneven", "eight modes at distance 10, sd 0.5, each 1.4 times its neighbor",
        ring(2, 8, 10, 0.5, 1.4));
  rings("ring_five_p10", "five equal modes at distance 6 in two of ten coordinates",
        ring(10, 5, 6, 1));
  rings("ring_merged", "twelve modes at distance 3 that merge into a ring", ring(2, 12, 3, 1));
}

}  // namespace hostile
