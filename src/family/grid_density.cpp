// A density of any shape in one to three coordinates, known at the points of a grid.
#include "family/grid_density.hpp"

#include <algorithm>
#include <cmath>

#include "core/normal_tail.hpp"
#include "core/numeric.hpp"

namespace ravi {
namespace {

// Of log densities, that far below the highest: nothing is drawn there, and nothing underflows.
constexpr double kLowest = -60;

// Integrals of a line in units of its step: of all, tails included, and of a part of a cell from
// one end, a, on the way to the other, b.
double total_of(const ConstVectorRef& f) { return f.sum() + 0.5 * (f(0) + f(f.size() - 1)); }
double part_of_cell(double a, double b, double t) { return t * a + 0.5 * t * t * (b - a); }

// Where in its cell a coordinate is; beyond the grid at its end.
struct Cell {
  Index index;
  double part, beyond;  // beyond: < 0 before the first point, > 0 after the last, in steps
};

Cell cell_of(const GridDensity::Axis& axis, double w) {
  const double at = (w - axis.first) / axis.step, end = static_cast<double>(axis.count - 1);
  const double within = std::clamp(at, 0.0, end);
  const Index index = std::min(static_cast<Index>(within), axis.count - 2);
  return {index, within - static_cast<double>(index), at - within};
}

// The mass below a place, of any function that is linear between the points.
double below(const ConstVectorRef& f, const Cell& cell) {
  if (cell.beyond < 0) return f(0) * std::exp(cell.beyond);
  const Index i = cell.index;
  return f(0) + f.head(i + 1).sum() - 0.5 * (f(0) + f(i)) + part_of_cell(f(i), f(i + 1), cell.part);
}

// ... and that above it.
double above(const ConstVectorRef& f, const Cell& cell) {
  const Index n = f.size(), i = cell.index;
  if (cell.beyond > 0) return f(n - 1) * std::exp(-cell.beyond);
  return f(n - 1) + f.tail(n - 1 - i).sum() - 0.5 * (f(n - 1) + f(i + 1)) +
         part_of_cell(f(i + 1), f(i), 1 - cell.part);
}

// How many steps from the first point the mass below is that much, by its logarithm.
double steps_to(const ConstVectorRef& f, double log_mass) {
  const double in_tail = std::log(f(0));
  if (log_mass <= in_tail) return log_mass - in_tail;
  double left = std::exp(log_mass) - f(0);
  Index i = 0;
  for (; i + 2 < f.size(); ++i) {
    const double cell = 0.5 * (f(i) + f(i + 1));
    if (left <= cell) break;
    left -= cell;
  }
  const double rise = f(i + 1) - f(i);
  const double t = 2 * left / (f(i) + std::sqrt(std::max(0.0, f(i) * f(i) + 2 * rise * left)));
  return static_cast<double>(i) + std::min(t, 1.0);
}

}  // namespace

GridDensity::GridDensity(std::vector<Axis> axes, const ConstVectorRef& log_density)
    : axes_(std::move(axes)), table_(axes_.size()) {
  table_.back() = (log_density.array() - log_density.maxCoeff()).max(kLowest).exp();
  for (std::size_t k = axes_.size() - 1; k > 0; --k) {
    const Index n = axes_[k].count;
    table_[k - 1].resize(table_[k].size() / n);
    for (Index i = 0; i < table_[k - 1].size(); ++i) {
      table_[k - 1](i) = axes_[k].step * total_of(table_[k].segment(i * n, n));
    }
  }
  log_total_ = std::log(axes_[0].step * total_of(table_[0]));
}

GridDensity::Corners GridDensity::corners_of(const ConstVectorRef& w, Index k) const {
  Corners corners{{0}, {1}, {Vector::Zero(dimension())}};
  for (Index j = 0; j < k; ++j) {
    const Axis& axis = axes_[static_cast<std::size_t>(j)];
    const Cell cell = cell_of(axis, w(j));
    Corners next;
    for (std::size_t c = 0; c < corners.index.size(); ++c) {
      for (const Index side : {0, 1}) {
        const double part = side == 0 ? 1 - cell.part : cell.part;
        next.index.push_back(corners.index[c] * axis.count + cell.index + side);
        next.weight.push_back(corners.weight[c] * part);
        next.slope.emplace_back(corners.slope[c] * part);
        if (cell.beyond == 0) {
          next.slope.back()(j) = corners.weight[c] * (side == 0 ? -1 : 1) / axis.step;
        }
      }
    }
    corners = std::move(next);
  }
  return corners;
}

GridDensity::Line GridDensity::line(const Corners& corners, Index k) const {
  const auto& table = table_[static_cast<std::size_t>(k)];
  const Index n = axes_[static_cast<std::size_t>(k)].count;
  Line result{Vector::Zero(n), Matrix::Zero(n, dimension())};
  for (std::size_t c = 0; c < corners.index.size(); ++c) {
    const auto values = table.segment(corners.index[c] * n, n);
    result.value += corners.weight[c] * values;
    if (k > 0) result.slope += values * corners.slope[c].transpose();
  }
  return result;
}

// With R the smaller of the masses below and above w_k given the others, and z = Phi^-1(R):
//   dz / dw_k = f / (total phi(z)),  dz / dw_j = (d R / dw_j) / phi(z).
GridDensity::Place GridDensity::at(const ConstVectorRef& w) const {
  const Index r = dimension();
  Place place{Vector(r), Matrix::Zero(r, r), -log_total_, Vector::Zero(r)};
  for (Index k = 0; k < r; ++k) {
    const Axis& axis = axes_[static_cast<std::size_t>(k)];
    const Corners corners = corners_of(w, k);
    const Line f = line(corners, k);
    const Cell cell = cell_of(axis, w(k));
    const double total = total_of(f.value);
    const double low = below(f.value, cell), high = above(f.value, cell);
    const bool lower = low < high;
    // In a tail the mass may underflow, its logarithm does not.
    const double beyond = -std::abs(cell.beyond);
    const double end = cell.beyond < 0 ? f.value(0) : f.value(f.value.size() - 1);
    const double log_mass =
        cell.beyond == 0 ? std::log(lower ? low : high) : std::log(end) + beyond;
    const double log_r = log_mass - std::log(total);
    const double z = normal_quantile_of_log(std::min(log_r, 0.0));
    const double sign = lower ? 1 : -1;
    place.z(k) = sign * z;
    const double here = (1 - cell.part) * f.value(cell.index) + cell.part * f.value(cell.index + 1);
    const double log_here = std::log(here) + beyond;
    const double over_phi = 0.5 * (z * z + kLog2Pi);
    place.dz_dw(k, k) = std::exp(log_here - std::log(total) + over_phi) / axis.step;
    for (Index j = 0; j < k; ++j) {
      const auto df = f.slope.col(j);
      // d log R / dw_j; in a tail both masses are proportional to the end.
      const double of_mass = cell.beyond == 0
                                 ? (lower ? below(df, cell) / low : above(df, cell) / high)
                                 : df(cell.beyond < 0 ? 0 : df.size() - 1) / end;
      place.dz_dw(k, j) = sign * (of_mass - total_of(df) / total) * std::exp(log_r + over_phi);
    }
    if (k + 1 < r) {
      place.log_density += beyond;
      if (cell.beyond != 0) place.slope(k) = (cell.beyond < 0 ? 1 : -1) / axis.step;
      continue;
    }
    place.log_density += log_here;
    for (Index j = 0; j < k; ++j) {
      const auto df = f.slope.col(j);
      place.slope(j) += ((1 - cell.part) * df(cell.index) + cell.part * df(cell.index + 1)) / here;
    }
    place.slope(k) = cell.beyond != 0
                         ? (cell.beyond < 0 ? 1 : -1) / axis.step
                         : (f.value(cell.index + 1) - f.value(cell.index)) / (here * axis.step);
  }
  return place;
}

Vector GridDensity::inverse(const ConstVectorRef& z) const {
  Vector w = Vector::Zero(dimension());
  for (Index k = 0; k < dimension(); ++k) {
    const Axis& axis = axes_[static_cast<std::size_t>(k)];
    const Line f = line(corners_of(w, k), k);
    const double log_mass = log_normal_cdf(-std::abs(z(k))) + std::log(total_of(f.value));
    w(k) = z(k) < 0 ? axis.first + axis.step * steps_to(f.value, log_mass)
                    : axis.last() - axis.step * steps_to(f.value.reverse(), log_mass);
  }
  return w;
}

}  // namespace ravi
