// Kernel density estimates of weighted draws.
#include "output/density.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "diagnostics/importance.hpp"

namespace ravi {
namespace {

constexpr double kReach = 4;         // bandwidths beyond which a kernel counts as zero
constexpr double kPerBandwidth = 5;  // bins in one, which blurs a kernel by less than 1 %
constexpr double kMostBins = 1e5;    // where nearly all draws are equal

double bandwidth(const ConstVectorRef& x, const ConstVectorRef& weights) {
  const Vector quartiles = weighted_quantiles(x, weights, {0.25, 0.75});
  const double sd = weighted_sd(x, weights), iqr = quartiles(1) - quartiles(0);
  const double scale = iqr > 0 ? std::min(sd, iqr / 1.34) : sd;
  return 0.9 * scale * std::pow(weights.squaredNorm(), 0.2);
}

// The outermost draws of positive weight.
Extent range_of(const ConstVectorRef& x, const ConstVectorRef& weights) {
  Extent range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (Index i = 0; i < x.size(); ++i) {
    if (!(weights(i) > 0)) continue;
    range.low = std::min(range.low, x(i));
    range.high = std::max(range.high, x(i));
  }
  return range;
}

}  // namespace

Extent extent_of(const ConstVectorRef& x, const ConstVectorRef& weights) {
  const Vector q = weighted_quantiles(x, weights, {0.05, 0.5, 0.95});
  const Extent range = range_of(x, weights);
  // 3.6 standard deviations of a normal distribution, fewer of one with heavy tails.
  return {std::max(range.low, q(0) - 1.2 * (q(1) - q(0))),
          std::min(range.high, q(2) + 1.2 * (q(2) - q(1)))};
}

Vector density(const ConstVectorRef& x, const ConstVectorRef& weights, const ConstVectorRef& grid) {
  const Extent range = range_of(x, weights);
  const double span = grid(grid.size() - 1) - grid(0);
  const double h = std::max(bandwidth(x, weights), kPerBandwidth * span / kMostBins);
  if (!(range.high > range.low) || !std::isfinite(h)) {
    return Vector::Constant(grid.size(), std::numeric_limits<double>::quiet_NaN());
  }
  const double width = h / kPerBandwidth, first = grid(0) - kReach * h;
  const double last = grid(grid.size() - 1) + kReach * h;
  Vector bins = Vector::Zero(static_cast<Index>((last - first) / width) + 1);
  const auto add = [&](double value, double weight) {
    if (value >= first && value < last) bins(static_cast<Index>((value - first) / width)) += weight;
  };
  for (Index i = 0; i < x.size(); ++i) {
    if (!(weights(i) > 0)) continue;
    add(x(i), weights(i));
    add(2 * range.low - x(i), weights(i));
    add(2 * range.high - x(i), weights(i));
  }
  const double constant = 1 / (h * std::sqrt(2 * std::numbers::pi));
  const auto reach = static_cast<Index>(kReach * kPerBandwidth);
  Vector result = Vector::Zero(grid.size());
  for (Index g = 0; g < grid.size(); ++g) {
    if (grid(g) < range.low || grid(g) > range.high) continue;
    const auto middle = static_cast<Index>((grid(g) - first) / width);
    for (Index b = std::max<Index>(0, middle - reach);
         b <= std::min(bins.size() - 1, middle + reach); ++b) {
      const double z = (first + (static_cast<double>(b) + 0.5) * width - grid(g)) / h;
      result(g) += bins(b) * constant * std::exp(-0.5 * z * z);
    }
  }
  return result;
}

}  // namespace ravi
