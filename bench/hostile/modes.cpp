// Posteriors with several modes that one answer has to hold: on lines, grids, rings and in signs,
// of other widths and shapes, and under other names.
#include <cmath>
#include <numbers>
#include <utility>

#include "mixtures.hpp"

namespace hostile {

namespace {

// Each of P coordinates is near +a or -a by itself, with a share of it at +a.
std::vector<Component> signs(Index p, double a, double sd, double share, Index signed_ones) {
  std::vector<Component> out;
  for (Index code = 0; code < (Index{1} << signed_ones); ++code) {
    double weight = 1;
    Vector mean = Vector::Zero(p);
    for (Index i = 0; i < signed_ones; ++i) {
      const bool up = ((code >> i) & 1) != 0;
      mean(i) = up ? a : -a;
      weight *= up ? share : 1 - share;
    }
    out.push_back(component(weight, mean, sd));
  }
  return out;
}

// So many modes at equal distances along a direction, each so many times as heavy as the one
// before.
std::vector<Component> line(const Vector& step, int modes, double sd, double growth) {
  std::vector<Component> out;
  double weight = 1;
  for (int k = 0; k < modes; ++k, weight *= growth) {
    out.push_back(component(weight, (k - 0.5 * (modes - 1)) * step, sd));
  }
  return out;
}

// All orders of the first three coordinates' means, as of labels that can be exchanged.
std::vector<Component> orders(Index p, const Vector& three, double sd) {
  const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  std::vector<Component> out;
  for (const auto& o : order) {
    Vector mean = Vector::Zero(p);
    for (Index i = 0; i < 3; ++i) mean(i) = three(o[i]);
    out.push_back(component(1, mean, sd));
  }
  return out;
}

// Modes in fixed directions that have nothing to do with the axes.
std::vector<Component> scattered(Index p, int modes, double distance, double widest) {
  std::vector<Component> out;
  for (int k = 0; k < modes; ++k) {
    Vector mean(p), sd(p);
    for (Index i = 0; i < p; ++i) {
      const double phase = static_cast<double>((k + 1) * (2 * i + 3));
      mean(i) = std::sin(1.7 * phase);
      sd(i) = std::exp(std::log(widest) * std::cos(0.9 * phase));
    }
    out.push_back({1.0 + k, distance * mean.normalized(), sd});
  }
  return out;
}

Vector unit(Index p, Index i, double length) { return length * Vector::Unit(p, i); }

}  // namespace

void add_modes(Posteriors& all) {
  const auto add = [&](const char* name, const char* description, std::vector<Component> parts) {
    all.push_back(normal_mixture(name, "modes", description, std::move(parts)));
  };
  add("modes_line_p1_five", "five equal modes on a line, 6 sds from one to the next",
      line(Vector::Constant(1, 6), 5, 1, 1));
  add("modes_line_p3_four",
      "four modes along the diagonal of three coordinates, 8 sds apart, each twice as "
      "heavy as the one before",
      line(Vector::Constant(3, 8 / std::sqrt(3.0)), 4, 1, 2));
  add("modes_line_p12_three", "three equal modes along one of twelve coordinates, 7 sds apart",
      line(unit(12, 4, 7), 3, 1, 1));
  add("modes_signs_p4", "sixteen modes: each of four coordinates is 3 or -3, sd 0.5",
      signs(4, 3, 0.5, 0.5, 4));
  add("modes_signs_p8", "eight modes: three of eight coordinates are 4 or -4, one more often",
      signs(8, 4, 1, 0.6, 3));
  add("modes_orders_p3", "six modes: the orders of -4, 0 and 5, sd 0.7",
      orders(3, Vector{{-4, 0, 5}}, 0.7));
  add("modes_orders_p15", "six modes: the orders of -6, 0 and 6 in three of fifteen coordinates",
      orders(15, Vector{{-6, 0, 6}}, 1));
  add("modes_scattered_p10",
      "four modes in directions of their own, 8 from the middle, sds from 0.5 to 2",
      scattered(10, 4, 8, 2));
  add("modes_scattered_p30",
      "three modes in directions of their own, 12 from the middle, sds from 0.5 to 2",
      scattered(30, 3, 12, 2));
  add("modes_scattered_p2",
      "five modes in directions of their own, 9 from the middle, sds from 0.4 to 2.5",
      scattered(2, 5, 9, 2.5));
  add("modes_wide_and_narrow",
      "half of the mass at sd 10, half at sd 1, 25 away, in three coordinates",
      {component(0.5, Vector::Zero(3), 10), component(0.5, unit(3, 0, 25), 1)});
  add("modes_crossed", "two needles that cross: sd 5 along one of two axes, 0.3 along the other",
      {{0.5, Vector::Zero(2), Vector{{5, 0.3}}}, {0.5, Vector::Zero(2), Vector{{0.3, 5}}}});
  add("modes_slab_two_cores",
      "two cores of sd 0.1 with 15 % of the mass each, 1.5 sds on either side of the "
      "middle of a slab in four coordinates",
      {component(0.15, unit(4, 0, 1.5), 0.1), component(0.15, unit(4, 0, -1.5), 0.1),
       component(0.7, Vector::Zero(4), 1)});
  add("modes_core_and_far", "20 % of the mass at sd 0.1 inside sd 1, and 30 % of it 10 sds away",
      {component(0.2, Vector::Zero(5), 0.1), component(0.5, Vector::Zero(5), 1),
       component(0.3, unit(5, 2, 10), 1)});
  add("modes_near_and_far", "two modes 2.5 sds apart, and a third 9 away, in six coordinates",
      {component(0.4, Vector::Zero(6), 1), component(0.3, unit(6, 1, 2.5), 1),
       component(0.3, unit(6, 3, 9), 1)});
  add("modes_rare_of_four", "four modes with 60, 30, 8 and 2 % of the mass, in four coordinates",
      {component(0.6, unit(4, 0, 6), 1), component(0.3, unit(4, 1, 6), 1),
       component(0.08, unit(4, 2, 6), 1), component(0.02, unit(4, 3, 6), 1)});
  add("modes_far_apart_p20",
      "two modes with 30 and 70 % of the mass, 40 sds apart along the diagonal",
      {component(0.3, along_diagonal(20, 20), 1), component(0.7, along_diagonal(20, -20), 1)});
  add("modes_off_center", "two equal modes, both on one side: at 15 and 25 in five coordinates",
      {component(0.5, unit(5, 0, 15), 1), component(0.5, unit(5, 0, 25), 1)});
}

}  // namespace hostile
