// Whether a model's gradient is that of its log density, and its log density depends on every
// coordinate.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "ravi/fit.hpp"

namespace ravi {

// The slope of log p along a direction: by the gradient, and by central differences.
struct SlopeComparison {
  double gradient = kUnknown, difference = kUnknown;
  enum class Result { same, different, unknown } result = Result::unknown;
};

// A point where both can be computed.
struct Slopes {
  Vector theta, gradient;
  double log_density = kUnknown;
};

// Compares them along every coordinate at the first of the places where a fit with this seed starts
// that has a finite density; nothing where there is none.
struct CoordinateSlopes {
  Slopes at;
  std::vector<SlopeComparison> of_coordinate;
  std::vector<bool> matters;  // the density changes with it
};
std::optional<CoordinateSlopes> compare_slopes(const Model& model, std::uint64_t seed);

// A quick look at a few starts, in a few random directions: what every fit begins with. A gradient
// that is not that of the density makes every step and every verdict worthless, and a density that
// does not depend on a coordinate is that of no distribution. Differences that noise could
// make, as those of a density in single precision or of a solver of differential equations, do
// not count.
struct GradientCheck {
  std::vector<Finding> findings = {};
  std::int64_t evaluations = 0, failed = 0;  // those at starts without a finite density
};
// Says nothing more where the user asked to stop.
GradientCheck check_gradient(const Model& model, std::uint64_t seed,
                             const std::atomic<bool>* stop = nullptr);

}  // namespace ravi
