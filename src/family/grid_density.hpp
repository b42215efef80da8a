// A density of any shape in one to three coordinates, known at the points of a grid.
#pragma once

#include <array>
#include <vector>

#include "ravi/types.hpp"

namespace ravi {

// Linear in each coordinate between the points, and falling by e over every step beyond them, so
// that it is positive everywhere. All its integrals over coordinates are of the same kind, and
// with them the map to standard normals one coordinate at a time (Rosenblatt 1952).
class GridDensity {
 public:
  static constexpr Index kMostDimensions = 3;
  struct Axis {
    double first = 0, step = 1;
    Index count = 2;
    double point(Index i) const { return first + step * static_cast<double>(i); }
    double last() const { return point(count - 1); }
  };
  GridDensity() = default;
  // Log densities up to a constant, of which the last coordinate runs fastest.
  GridDensity(std::vector<Axis> axes, const ConstVectorRef& log_density);

  Index dimension() const { return static_cast<Index>(axes_.size()); }
  const std::vector<Axis>& axes() const { return axes_; }

  // The map, its derivative, which is lower triangular, and the log density with its slope.
  struct Place {
    Vector z;
    Matrix dz_dw;
    double log_density = 0;
    Vector slope;
  };
  Place at(const ConstVectorRef& w) const;
  Vector inverse(const ConstVectorRef& z) const;

 private:
  // Of all lines along one axis: the density, and the masses below and above every point, in steps.
  struct Table {
    Vector value, below, above;
  };
  struct Corner {  // a line of a table, its weight, and the slopes of that in the coordinates
                   // before
    Index line = 0;
    double weight = 1;
    std::array<double, kMostDimensions> slope = {};
  };
  class Line;  // along an axis, given the coordinates before it
  Line line(const ConstVectorRef& w, Index k) const;

  std::vector<Axis> axes_;
  std::vector<Table> table_;  // table_[k]: of the coordinates up to k, the others integrated out
  double log_total_ = 0;
};

}  // namespace ravi
