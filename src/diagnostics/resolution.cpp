// How finely a log density tells its values apart.
#include "diagnostics/resolution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ravi {
namespace {

// The numbers next to x are at least this far away.
template <typename Real>
double spacing_at(double x) {
  return std::ldexp(static_cast<double>(std::numeric_limits<Real>::epsilon()), std::ilogb(x));
}

}  // namespace

double resolution_of(const ConstVectorRef& log_densities) {
  double largest = 0;
  bool single = true;
  for (const double value : log_densities) {
    if (!std::isfinite(value)) continue;
    largest = std::max(largest, std::abs(value));
    single = single && static_cast<double>(static_cast<float>(value)) == value;
  }
  if (largest == 0) return 0;
  return single ? spacing_at<float>(largest) : spacing_at<double>(largest);
}

}  // namespace ravi
