// What a model says of a batch of points, and points to ask it about.
#pragma once

#include "core/rng.hpp"
#include "ravi/model.hpp"

namespace ravi {

struct Values {
  Vector log_density;
  Matrix gradient;
};

inline Values evaluate(const Model& model, const Matrix& theta) {
  Values v{Vector(theta.cols()), Matrix(theta.rows(), theta.cols())};
  model.evaluate(theta, v.log_density, v.gradient);
  return v;
}

// Standard normal, in columns; another number gives other points.
inline Matrix random_points(Index dimension, Index count, std::uint32_t number = 0) {
  Matrix theta(dimension, count);
  RandomStream(11, Purpose::test, number, 0).fill_normal(theta);
  return theta;
}

}  // namespace ravi
