// Tail indices of a sample by generalized Pareto fits.
#include "diagnostics/tail_index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "diagnostics/pareto.hpp"

namespace ravi {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Consumes the draws: they are reordered.
double upper_tail_index(VectorRef draws) {
  const Index n = draws.size(), length = tail_length(n);
  if (length < kShortestTail) return -kInfinity;
  const auto cutoff = draws.begin() + (n - length - 1);
  std::nth_element(draws.begin(), cutoff, draws.end());
  const auto first =
      std::partition(cutoff + 1, draws.end(), [=](double x) { return x <= *cutoff; });
  if (draws.end() - first < kShortestTail) return -kInfinity;
  std::sort(first, draws.end());

  // Excesses are multiples of the spacing of doubles; a tail of so few of them is rounding noise.
  constexpr double kRoundings = 16 * std::numeric_limits<double>::epsilon();
  const Vector excesses = draws.tail(draws.end() - first).array() - *cutoff;
  if (excesses(excesses.size() - 1) <= kRoundings * std::abs(*cutoff)) return -kInfinity;
  return fit_gpd(excesses).k;
}

}  // namespace

TailIndex tail_index(const ConstVectorRef& draws) {
  if (!draws.allFinite()) return {kInfinity, kInfinity};
  Vector work = draws;
  const double upper = upper_tail_index(work);
  work = -work;
  return {upper_tail_index(work), upper};
}

}  // namespace ravi
