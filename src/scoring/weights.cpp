// Importance weights: smoothed, their sums, and what of those sums may be unseen.
#include "scoring/weights.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "diagnostics/importance.hpp"
#include "diagnostics/pareto.hpp"
#include "limits/limits.hpp"

namespace ravi {
namespace {

// Whether the largest log weights, those of a tail, are all alike: there is none then, but a bound.
// So it is of a mixture of which one part is exact, or of a density with a jump.
bool bounded(const Vector& log_ratios) {
  const Index tail = tail_length(log_ratios.size(), 1);
  if (!(tail < log_ratios.size())) return false;
  Vector sorted = log_ratios;
  const auto cutoff = sorted.begin() + tail;
  std::nth_element(sorted.begin(), cutoff, sorted.end(), std::greater{});
  return log_ratios.maxCoeff() - *cutoff < limit(Limit::exact);
}

// Of a Pareto tail of shape k < 1, one draw in S lies beyond the largest of S terms, t, and has
// t / (1 - k) on average: as a share of the sum.
double unseen_share(const Psis& smoothed) {
  if (!(smoothed.khat < 1)) return 1;
  const double largest = smoothed.log_weights.maxCoeff() - log_sum_exp(smoothed.log_weights);
  return std::min(1.0, std::exp(largest) / (1 - std::max(0.0, smoothed.khat)));
}

}  // namespace

bool constant(const Vector& log_ratios) {
  return log_ratios.maxCoeff() - log_ratios.minCoeff() < limit(Limit::exact);
}

Psis smooth(const Vector& log_ratios) {
  if (constant(log_ratios)) return {log_ratios, 0.0, static_cast<double>(log_ratios.size()), 0};
  if (!bounded(log_ratios)) return psis(log_ratios);
  const Vector weights = normalize_log_weights(log_ratios).array().exp();
  return {log_ratios, 0.0, 1 / weights.squaredNorm(), 0};
}

Weights weights_of(const Vector& log_ratios) {
  const Psis smoothed = smooth(log_ratios);
  const double log_sum = log_sum_exp(smoothed.log_weights);
  return {.log_normalized = normalize_log_weights(smoothed.log_weights),
          .ess = smoothed.ess,
          .log_mean = log_sum - std::log(static_cast<double>(log_ratios.size())),
          .unseen = unseen_share(smoothed)};
}

double perplexity(const Vector& log_weights) {
  const auto w = log_weights.array();
  const double entropy = (w > -kInf).select(-w.exp() * w, 0.0).sum();
  return std::exp(entropy) / static_cast<double>(w.size());
}

Vector khats_of(const Vector& log_ratios, Index batch) {
  const Index batches = std::max<Index>(1, log_ratios.size() / batch);
  Vector result(batches);
  for (Index b = 0; b < batches; ++b) {
    result(b) = smooth(log_ratios.segment(b * batch, std::min(batch, log_ratios.size()))).khat;
  }
  return result;
}

Unseen unseen_variance(const Vector& x, const Vector& weights) {
  const double more = 1 / limit(Limit::negligible_mass);  // B
  if (!x.allFinite()) return {};
  const double mean = weighted_mean(x, weights);
  const Psis smoothed = smooth((weights.array() * (x.array() - mean).square()).log().matrix());
  if (!std::isfinite(smoothed.khat)) return {1, kInf};
  const double largest = smoothed.log_weights.maxCoeff() - log_sum_exp(smoothed.log_weights);
  const double above = std::max(0.0, smoothed.khat) - 1;
  const double factor =
      std::abs(above) < 1e-6 ? std::log(more) : std::expm1(above * std::log(more)) / above;
  return {std::min(1.0, std::exp(largest) * factor), smoothed.khat};
}

}  // namespace ravi
