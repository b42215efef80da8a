// Random numbers that are the same with every standard library: of data, and of exact draws.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

#include "ravi/model.hpp"

namespace hostile {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  // In (0, 1).
  double uniform() { return (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53; }

  // Box and Muller (1958).
  double normal() {
    return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform());
  }
  double normal(double mean, double sd) { return mean + sd * normal(); }
  ravi::Vector normals(ravi::Index n) {
    ravi::Vector z(n);
    for (double& value : z) value = normal();
    return z;
  }

  // With scale 1; Marsaglia and Tsang (2000), with their power of a uniform for shapes below 1.
  double gamma(double shape) {
    if (shape < 1) return gamma(shape + 1) * std::pow(uniform(), 1 / shape);
    const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
    for (;;) {
      const double x = normal(), v = std::pow(1 + c * x, 3);
      if (v > 0 && std::log(uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
    }
  }

  ravi::Index index(ravi::Index n) {
    return static_cast<ravi::Index>(uniform() * static_cast<double>(n));
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace hostile
