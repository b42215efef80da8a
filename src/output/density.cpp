// Kernel density estimates of weighted draws.
#include "output/density.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "diagnostics/importance.hpp"

namespace ravi {
namespace {

constexpr double kReach = 4;         // bandwidths beyond which a kernel counts as zero
constexpr double kPerBandwidth = 5;  // bins in one, which blurs a kernel by less than 1 %
constexpr double kMostBins = 1e5;    // where nearly all draws are equal

}  // namespace

KernelDensity::KernelDensity(Vector x, Vector weights)
    : x_(std::move(x)),
      weights_(std::move(weights)),
      quantiles_(weighted_quantiles(x_, weights_, {0.05, 0.25, 0.5, 0.75, 0.95})),
      range_{x_.minCoeff(), x_.maxCoeff()} {}

Extent KernelDensity::extent() const {
  const double q5 = quantiles_(0), q50 = quantiles_(2), q95 = quantiles_(4);
  // 3.6 standard deviations of a normal distribution, fewer of one with heavy tails.
  return {std::max(range_.low, q5 - 1.2 * (q50 - q5)),
          std::min(range_.high, q95 + 1.2 * (q95 - q50))};
}

Vector KernelDensity::at(const ConstVectorRef& grid) const {
  const double sd = weighted_sd(x_, weights_), iqr = quantiles_(3) - quantiles_(1);
  const double scale = iqr > 0 ? std::min(sd, iqr / 1.34) : sd;
  const double bandwidth = 0.9 * scale * std::pow(weights_.squaredNorm(), 0.2);
  const double span = grid(grid.size() - 1) - grid(0);
  const double h = std::max(bandwidth, kPerBandwidth * span / kMostBins);
  if (!(range_.high > range_.low) || !std::isfinite(h)) {
    return Vector::Constant(grid.size(), std::numeric_limits<double>::quiet_NaN());
  }
  const double width = h / kPerBandwidth, first = grid(0) - kReach * h;
  const double last = grid(grid.size() - 1) + kReach * h;
  Vector bins = Vector::Zero(static_cast<Index>((last - first) / width) + 1);
  const auto add = [&](double value, double weight) {
    if (value >= first && value < last) bins(static_cast<Index>((value - first) / width)) += weight;
  };
  for (Index i = 0; i < x_.size(); ++i) {
    add(x_(i), weights_(i));
    add(2 * range_.low - x_(i), weights_(i));
    add(2 * range_.high - x_(i), weights_(i));
  }
  const double constant = 1 / (h * std::sqrt(2 * std::numbers::pi));
  const auto reach = static_cast<Index>(kReach * kPerBandwidth);
  Vector result = Vector::Zero(grid.size());
  for (Index g = 0; g < grid.size(); ++g) {
    if (grid(g) < range_.low || grid(g) > range_.high) continue;
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
