// A density of any shape in one to three coordinates, known at the points of a grid.
#include "family/grid_density.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/normal_tail.hpp"
#include "core/numeric.hpp"

namespace ravi {
namespace {

// Of log densities, that far below the highest: nothing is drawn there, and nothing underflows.
constexpr double kLowest = -60;

// The integral of a line over a part of a cell, from one end, a, on the way to the other, b.
double part_of_cell(double a, double b, double t) { return t * a + 0.5 * t * t * (b - a); }

// Where in its cell a coordinate is; beyond the grid at its end.
struct Cell {
  Index index;
  double part, beyond;  // beyond: < 0 before the first point, > 0 after the last, in steps
};

Cell cell_of(const GridDensity::Axis& axis, double w) {
  const double at = (w - axis.first) / axis.step, end = static_cast<double>(axis.count - 1);
  // What is not a number, of draws that overflow, is at the first point, and has no density.
  const double within = at > 0 ? std::min(at, end) : 0;
  const Index index = std::min(static_cast<Index>(within), axis.count - 2);
  return {index, within - static_cast<double>(index), at - within};
}

}  // namespace

// Everything is linear in the densities at the points, and so a sum over the corners of the cell in
// which the coordinates before are; slopes are sums with other weights.
class GridDensity::Line {
 public:
  Line(const Table& table, Index points) : table_(&table), points_(points) {}
  void add(const Corner& corner) { corner_[static_cast<std::size_t>(count_++)] = corner; }
  std::span<const Corner> corners() const {
    return {corner_.data(), static_cast<std::size_t>(count_)};
  }
  Index points() const { return points_; }

  // Of the line itself, or of its slope in a coordinate.
  static constexpr Index kItself = -1;
  double value(Index i, Index of = kItself) const { return sum(table_->value, i, of); }
  double total(Index of = kItself) const { return value(0, of) + sum(table_->above, 0, of); }
  // The masses below and above a place within the grid.
  double below(const Cell& cell, Index of = kItself) const {
    const Index i = cell.index;
    return sum(table_->below, i, of) + part_of_cell(value(i, of), value(i + 1, of), cell.part);
  }
  double above(const Cell& cell, Index of = kItself) const {
    const Index i = cell.index;
    return sum(table_->above, i + 1, of) +
           part_of_cell(value(i + 1, of), value(i, of), 1 - cell.part);
  }

  // How many steps from the first point the mass below is that much, by its logarithm; or from the
  // last point backwards, that above.
  double steps_to(double log_mass, bool backwards) const {
    const auto at = [&](Index i) { return backwards ? points_ - 1 - i : i; };
    const Vector& beyond = backwards ? table_->above : table_->below;
    const double in_tail = std::log(value(at(0)));
    if (log_mass <= in_tail) return log_mass - in_tail;
    const double mass = std::exp(log_mass);
    Index low = 0, high = points_ - 1;  // the cell: mass is beyond its beginning
    while (high - low > 1) {
      const Index middle = (low + high) / 2;
      (sum(beyond, at(middle), kItself) < mass ? low : high) = middle;
    }
    const double left = mass - sum(beyond, at(low), kItself), a = value(at(low));
    const double rise = value(at(low + 1)) - a;
    const double t = 2 * left / (a + std::sqrt(std::max(0.0, a * a + 2 * rise * left)));
    return static_cast<double>(low) + std::min(t, 1.0);
  }

 private:
  double sum(const Vector& of_points, Index i, Index of) const {
    double result = 0;
    for (const Corner& c : corners()) {
      const double weight = of == kItself ? c.weight : c.slope[static_cast<std::size_t>(of)];
      result += weight * of_points(c.line * points_ + i);
    }
    return result;
  }

  const Table* table_;
  Index points_, count_ = 0;
  std::array<Corner, std::size_t{1} << (kMostDimensions - 1)> corner_;
};

GridDensity::GridDensity(std::vector<Axis> axes, const ConstVectorRef& log_density)
    : axes_(std::move(axes)), table_(axes_.size()) {
  Vector value = (log_density.array() - log_density.maxCoeff()).max(kLowest).exp();
  for (std::size_t k = axes_.size(); k-- > 0;) {
    const Index n = axes_[k].count, lines = value.size() / n;
    Table& table = table_[k];
    table.below = table.above = value;  // of the tails
    Vector total(lines);
    for (Index line = 0; line < lines; ++line) {
      for (Index i = line * n + 1, end = (line + 1) * n; i < end; ++i) {
        table.below(i) = table.below(i - 1) + 0.5 * (value(i - 1) + value(i));
      }
      for (Index i = (line + 1) * n - 1; i-- > line * n;) {
        table.above(i) = table.above(i + 1) + 0.5 * (value(i) + value(i + 1));
      }
      total(line) = axes_[k].step * (value(line * n) + table.above(line * n));
    }
    table.value = std::exchange(value, total);
  }
  log_total_ = std::log(value(0));
}

GridDensity::Line GridDensity::line(const ConstVectorRef& w, Index k) const {
  const auto axis_of = [&](Index j) -> const Axis& { return axes_[static_cast<std::size_t>(j)]; };
  Line result(table_[static_cast<std::size_t>(k)], axis_of(k).count);
  std::array<Cell, kMostDimensions> cells;
  for (Index j = 0; j < k; ++j) cells[static_cast<std::size_t>(j)] = cell_of(axis_of(j), w(j));
  for (Index sides = 0; sides < Index{1} << k; ++sides) {
    Corner corner;
    for (Index j = 0; j < k; ++j) {
      const auto at = static_cast<std::size_t>(j);
      const Cell& cell = cells[at];
      const bool upper = (sides >> j & 1) != 0;
      const double part = upper ? cell.part : 1 - cell.part;
      corner.line = corner.line * axis_of(j).count + cell.index + (upper ? 1 : 0);
      for (double& slope : corner.slope) slope *= part;
      if (cell.beyond == 0) {
        corner.slope[at] = (upper ? corner.weight : -corner.weight) / axis_of(j).step;
      }
      corner.weight *= part;
    }
    result.add(corner);
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
    const Line f = line(w, k);
    const Cell cell = cell_of(axis, w(k));
    const double total = f.total(), low = f.below(cell), high = f.above(cell);
    const bool lower = low < high;
    // In a tail the mass may underflow, its logarithm does not.
    const double beyond = -std::abs(cell.beyond);
    const Index last = cell.beyond < 0 ? 0 : f.points() - 1;
    const double end = f.value(last);
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
      // d log R / dw_j; in a tail both masses are proportional to the end.
      const double of_mass = cell.beyond == 0
                                 ? (lower ? f.below(cell, j) / low : f.above(cell, j) / high)
                                 : f.value(last, j) / end;
      place.dz_dw(k, j) = sign * (of_mass - f.total(j) / total) * std::exp(log_r + over_phi);
    }
    if (k + 1 < r) {
      place.log_density += beyond;
      if (cell.beyond != 0) place.slope(k) = (cell.beyond < 0 ? 1 : -1) / axis.step;
      continue;
    }
    place.log_density += log_here;
    for (Index j = 0; j < k; ++j) {
      place.slope(j) +=
          ((1 - cell.part) * f.value(cell.index, j) + cell.part * f.value(cell.index + 1, j)) /
          here;
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
    const Line f = line(w, k);
    const double log_mass = log_normal_cdf(-std::abs(z(k))) + std::log(f.total());
    w(k) = z(k) < 0 ? axis.first + axis.step * f.steps_to(log_mass, false)
                    : axis.last() - axis.step * f.steps_to(log_mass, true);
  }
  return w;
}

}  // namespace ravi
