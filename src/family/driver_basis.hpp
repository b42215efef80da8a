// Smooth functions of one to three drivers: the basis of means and log scales given them.
#pragma once

#include <vector>

#include "ravi/types.hpp"

namespace ravi {

// With x the drivers in sds from their medians: first x itself, clipped at +-2, then natural cubic
// splines, which are linear beyond their knots, and their products (Hastie, Tibshirani and Friedman
// 2009, section 5.2). Beyond the box everything stays as it is at its face.
class DriverBasis {
 public:
  DriverBasis() = default;
  // Knots and scales from draws of the drivers, one column each.
  explicit DriverBasis(const ConstMatrixRef& w);
  void confine(Vector lowest, Vector highest);

  Index drivers() const { return median_.size(); }
  Index slopes() const { return drivers(); }  // how many come first
  Index size() const { return size_; }
  // w in sds from the medians.
  Vector scaled(const ConstVectorRef& w) const;

  struct Values {
    Vector value;  // one of each function, the constant 1 the first after the slopes
    Matrix slope;  // in every driver
  };
  Values at(const ConstVectorRef& w) const;
  Matrix values(const ConstMatrixRef& w) const;  // a column for every draw

 private:
  Values spline(Index driver, double x) const;  // without the constant

  Vector median_, sd_, lowest_, highest_;
  std::vector<Vector> knots_;  // of every driver, in its sds
  Index size_ = 0;
};

}  // namespace ravi
