// Draws without structure.
#pragma once

#include "core/rng.hpp"
#include "ravi/model.hpp"

namespace ravi {

// Standard normal, all independent.
inline Matrix noise(Index rows, Index cols) {
  Matrix x(rows, cols);
  RandomStream(1, Purpose::test, 0, 0).fill_normal(x);
  return x;
}

}  // namespace ravi
