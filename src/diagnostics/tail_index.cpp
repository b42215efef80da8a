// Tail indices of a sample by generalized Pareto fits.
#include "diagnostics/tail_index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "diagnostics/pareto.hpp"

namespace ravi {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Of the draws of one tail, as distances from where it begins; ties with that do not count.
double index_of_tail(std::span<const double> tail, double cutoff) {
  Vector excesses(static_cast<Index>(tail.size()));
  Index count = 0;
  for (const double x : tail) {
    if (x != cutoff) excesses(count++) = std::abs(x - cutoff);
  }
  if (count < kShortestTail) return -kInfinity;
  std::sort(excesses.begin(), excesses.begin() + count);
  // Excesses are multiples of the spacing of doubles; a tail of so few of them is rounding noise.
  constexpr double kRoundings = 16 * std::numeric_limits<double>::epsilon();
  if (excesses(count - 1) <= kRoundings * std::abs(cutoff)) return -kInfinity;
  return fit_gpd(excesses.head(count)).k;
}

}  // namespace

TailIndex tail_index(const ConstVectorRef& draws) {
  if (!draws.allFinite()) return {kInfinity, kInfinity};
  const Index n = draws.size(), length = tail_length(n);
  if (length < kShortestTail) return {-kInfinity, -kInfinity};
  Vector work = draws;
  double *begin = work.data(), *end = begin + n;
  double *lower = begin + length, *upper = end - length - 1;
  std::nth_element(begin, upper, end);
  std::nth_element(begin, lower, upper);
  return {index_of_tail({begin, lower}, *lower), index_of_tail({upper + 1, end}, *upper)};
}

}  // namespace ravi
