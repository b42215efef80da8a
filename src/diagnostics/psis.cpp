// Pareto smoothed importance sampling.
#include "diagnostics/psis.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

#include "core/numeric.hpp"
#include "diagnostics/pareto.hpp"

namespace ravi {
namespace {

// The places of the largest `length` + 1 values, ascending; of equal values the later is the
// larger.
std::vector<Index> largest_places(const Vector& values, Index length) {
  std::vector<double> copy(values.begin(), values.end());
  const auto first = copy.end() - (length + 1);
  std::nth_element(copy.begin(), first, copy.end());
  const double cutoff = *first;
  std::vector<Index> places;
  for (Index i = 0; i < values.size(); ++i) {
    if (values(i) > cutoff) places.push_back(i);
  }
  for (Index i = values.size() - 1; std::ssize(places) <= length; --i) {
    if (values(i) == cutoff) places.push_back(i);
  }
  std::ranges::sort(places, [&](Index a, Index b) {
    return values(a) != values(b) ? values(a) < values(b) : a < b;
  });
  return places;
}

// Smooths the `length` largest log weights; returns k-hat.
double smooth_tail(Vector& log_weights, Index length) {
  const std::vector<Index> places = largest_places(log_weights, length);
  const double top = log_weights(places.back());
  const Vector tail = log_weights(places).array() - top;  // from the cutoff up to zero
  if (-tail(1) < std::numeric_limits<double>::epsilon() / 100) return kInf;

  const double cutoff = std::exp(tail(0));
  const GpdFit fit = fit_gpd((tail.tail(length).array().exp() - cutoff).matrix());
  if (!std::isfinite(fit.k) || !(fit.sigma > 0)) return kInf;
  for (Index i = 0; i < length; ++i) {
    const double p = (static_cast<double>(i) + 0.5) / static_cast<double>(length);
    const double smoothed = std::log(cutoff + gpd_quantile(p, fit));
    log_weights(places[static_cast<std::size_t>(i + 1)]) = top + std::min(smoothed, 0.0);
  }
  return fit.k;
}

}  // namespace

Psis psis(const ConstVectorRef& log_ratios, double r_eff) {
  if (log_ratios.hasNaN() || (log_ratios.array() == kInf).any()) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    return {Vector::Constant(log_ratios.size(), nan), kInf, 0, 0};
  }
  const Index positive = (log_ratios.array() > -kInf).count();
  if (positive == 0) return {log_ratios, kInf, 0, 0};

  Psis result{log_ratios, kInf, 0, 0};
  result.tail_length = std::min(tail_length(log_ratios.size(), r_eff), positive - 1);
  if (result.tail_length >= kShortestTail) {
    result.khat = smooth_tail(result.log_weights, result.tail_length);
  }
  result.ess = r_eff / normalize_log_weights(result.log_weights).array().exp().square().sum();
  return result;
}

Vector normalize_log_weights(const ConstVectorRef& log_weights) {
  return log_weights.array() - log_sum_exp(log_weights);
}

}  // namespace ravi
