// Estimates from weighted draws, and resampling by weight.
#include "diagnostics/importance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "ravi/error.hpp"

namespace ravi {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// sum of f(x_i, w_i) over the draws that count.
template <typename F>
double sum_over(const ConstVectorRef& x, const ConstVectorRef& weights, const F& f) {
  if (x.size() == 0 || weights.hasNaN()) return kNan;
  double sum = 0;
  for (Index i = 0; i < x.size(); ++i) {
    if (weights(i) > 0) sum += f(x(i), weights(i));
  }
  return sum;
}

// sqrt(sum over groups of consecutive draws of (sum w h(x))^2).
template <typename Influence>
double standard_error(const ConstVectorRef& x, const ConstVectorRef& weights, Index group,
                      const Influence& h) {
  if (x.size() == 0 || weights.hasNaN()) return kNan;
  double sum = 0, of_group = 0;
  for (Index i = 0; i < x.size(); ++i) {
    if (weights(i) > 0) of_group += weights(i) * h(x(i));
    if ((i + 1) % group != 0 && i + 1 < x.size()) continue;
    sum += of_group * of_group;
    of_group = 0;
  }
  return std::sqrt(sum);
}

// The weighted distribution function of the draws that count. A few quantiles do not need all draws
// in order: they are put into buckets, whose bounds are quantiles of every few draws, and a bucket
// is sorted when it is asked for.
class Distribution {
 public:
  Distribution(const ConstVectorRef& x, const ConstVectorRef& weights) {
    if (weights.hasNaN()) return;
    std::vector<Draw> draws;
    draws.reserve(static_cast<std::size_t>(x.size()));
    for (Index i = 0; i < x.size(); ++i) {
      if (!(weights(i) > 0)) continue;
      if (std::isnan(x(i))) return;
      draws.push_back({x(i), weights(i)});
    }
    fill_buckets(draws);
  }

  double quantile(double p) {
    if (draws_.empty() || !(p >= 0 && p <= 1)) return kNan;
    const auto bucket = static_cast<std::size_t>(
        std::ranges::lower_bound(buckets_, p, {}, &Bucket::weight_to) - buckets_.begin());
    // The draws on both sides of p are in this bucket, or at the ends of its neighbors.
    const std::size_t first = bucket > 0 ? bucket - 1 : 0;
    const std::size_t last = std::min(bucket + 1, buckets_.size() - 1);
    for (std::size_t b = first; b <= last; ++b) sort(b);
    const auto begin = draws_.begin() + buckets_[first].begin, end = draws_.begin() + end_of(last);
    const auto right = std::ranges::lower_bound(begin, end, p, {}, &Draw::middle);
    if (right == begin) return begin->value;
    if (right == end) return (end - 1)->value;
    const Draw &low = *(right - 1), &high = *right;
    if (low.value == high.value) return low.value;
    const double part = (p - low.middle) / (high.middle - low.middle);
    return (1 - part) * low.value + part * high.value;
  }

 private:
  struct Draw {
    double value, middle;  // of its step of the distribution function; its weight until sorted
  };
  struct Bucket {
    std::ptrdiff_t begin;
    double weight_before, weight_to;
    bool sorted = false;
  };
  static constexpr std::size_t kBuckets = 64, kPerBound = 4;
  static_assert(std::has_single_bit(kBuckets));

  static std::vector<double> bounds_of(const std::vector<Draw>& draws) {
    constexpr std::size_t kPilot = kBuckets * kPerBound;
    if (draws.size() < 4 * kPilot) return {};
    std::vector<double> pilot(kPilot), bounds;
    const std::size_t step = draws.size() / kPilot;
    for (std::size_t i = 0; i < kPilot; ++i) pilot[i] = draws[i * step].value;
    std::ranges::sort(pilot);
    for (std::size_t i = kPerBound; i < kPilot; i += kPerBound) bounds.push_back(pilot[i]);
    return bounds;
  }

  // Buckets without draws are left out.
  void fill_buckets(const std::vector<Draw>& draws) {
    const std::vector<double> bounds = bounds_of(draws);
    // How many bounds are below a value, by halving without a branch.
    const auto bucket_of = [&](double value) {
      std::size_t below = 0;
      if (bounds.empty()) return below;
      for (std::size_t half = kBuckets / 2; half > 0; half /= 2) {
        below += half * static_cast<std::size_t>(bounds[below + half - 1] < value);
      }
      return below;
    };
    std::array<std::ptrdiff_t, kBuckets> count{}, next{};
    std::array<double, kBuckets> weight{};
    std::vector<std::uint8_t> bucket(draws.size());
    for (std::size_t i = 0; i < draws.size(); ++i) {
      const std::size_t b = bucket_of(draws[i].value);
      bucket[i] = static_cast<std::uint8_t>(b);
      ++count[b];
      weight[b] += draws[i].middle;
    }
    std::ptrdiff_t begin = 0;
    double before = 0;
    for (std::size_t b = 0; b < kBuckets; ++b) {
      next[b] = begin;
      if (count[b] > 0) buckets_.push_back({begin, before, before + weight[b]});
      begin += count[b];
      before += weight[b];
    }
    draws_.resize(draws.size());
    for (std::size_t i = 0; i < draws.size(); ++i) {
      draws_[static_cast<std::size_t>(next[bucket[i]]++)] = draws[i];
    }
  }

  std::ptrdiff_t end_of(std::size_t b) const {
    return b + 1 < buckets_.size() ? buckets_[b + 1].begin : std::ssize(draws_);
  }

  void sort(std::size_t b) {
    Bucket& bucket = buckets_[b];
    if (bucket.sorted) return;
    bucket.sorted = true;
    const std::ranges::subrange inside(draws_.begin() + bucket.begin, draws_.begin() + end_of(b));
    std::ranges::sort(inside, {}, &Draw::value);
    double cumulative = bucket.weight_before;
    for (Draw& draw : inside) {
      const double weight = draw.middle;
      draw.middle = cumulative + weight / 2;
      cumulative += weight;
    }
  }

  std::vector<Draw> draws_;  // bucket by bucket
  std::vector<Bucket> buckets_;
};

// Places of positive weight, in order.
std::vector<Index> eligible(const ConstVectorRef& log_weights, Index needed) {
  std::vector<Index> places;
  for (Index i = 0; i < log_weights.size(); ++i) {
    if (std::isnan(log_weights(i)) || log_weights(i) == kInfinity) {
      throw UsageError(fmt::format("cannot resample: log weight {} is {}", i + 1, log_weights(i)));
    }
    if (log_weights(i) > -kInfinity) places.push_back(i);
  }
  if (static_cast<Index>(places.size()) < needed) {
    throw UsageError(fmt::format(
        "cannot resample: {} draws with positive weight are needed, but only {} of {} have one",
        needed, places.size(), log_weights.size()));
  }
  return places;
}

}  // namespace

double weighted_mean(const ConstVectorRef& x, const ConstVectorRef& weights) {
  return sum_over(x, weights, [](double value, double w) { return w * value; });
}

double weighted_sd(const ConstVectorRef& x, const ConstVectorRef& weights) {
  const double mean = weighted_mean(x, weights);
  return std::sqrt(sum_over(
      x, weights, [=](double value, double w) { return w * (value - mean) * (value - mean); }));
}

double weighted_mean_mcse(const ConstVectorRef& x, const ConstVectorRef& weights) {
  const double mean = weighted_mean(x, weights);
  return standard_error(x, weights, 1, [=](double value) { return value - mean; });
}

WeightedEstimates weighted_estimates(const ConstVectorRef& x, const ConstVectorRef& weights,
                                     Index group) {
  const double m = weighted_mean(x, weights), sd = weighted_sd(x, weights);
  Distribution distribution(x, weights);
  const auto mcse_of_quantile = [&](double p) {
    const double at = distribution.quantile(p);
    const double error =
        standard_error(x, weights, group, [=](double value) { return (value <= at ? 1 : 0) - p; });
    return (distribution.quantile(std::min(1.0, p + error)) -
            distribution.quantile(std::max(0.0, p - error))) /
           2;
  };
  const auto of_sd = [=](double value) { return ((value - m) * (value - m) - sd * sd) / (2 * sd); };
  return {.mean = m,
          .sd = sd,
          .q5 = distribution.quantile(0.05),
          .q50 = distribution.quantile(0.5),
          .q95 = distribution.quantile(0.95),
          .mcse_mean = standard_error(x, weights, group, [=](double value) { return value - m; }),
          .mcse_sd = sd > 0 ? standard_error(x, weights, group, of_sd) : sd,
          .mcse_q5 = mcse_of_quantile(0.05),
          .mcse_q50 = mcse_of_quantile(0.5),
          .mcse_q95 = mcse_of_quantile(0.95)};
}

Vector weighted_quantiles(const ConstVectorRef& x, const ConstVectorRef& weights,
                          const std::vector<double>& probabilities) {
  Distribution distribution(x, weights);
  Vector result(static_cast<Index>(probabilities.size()));
  std::ranges::transform(probabilities, result.begin(),
                         [&](double p) { return distribution.quantile(p); });
  return result;
}

std::vector<Index> resample_with_replacement(const ConstVectorRef& log_weights, Index count,
                                             RandomStream& stream) {
  if (count <= 0) return {};
  const std::vector<Index> places = eligible(log_weights, 1);
  const double largest = log_weights.maxCoeff();
  std::vector<double> cumulative(places.size());
  double total = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    total += std::exp(log_weights(places[i]) - largest);
    cumulative[i] = total;
  }
  std::vector<Index> chosen(static_cast<std::size_t>(count));
  std::size_t place = 0;
  for (std::size_t slice = 0; slice < chosen.size(); ++slice) {
    const double level =
        (static_cast<double>(slice) + stream.uniform()) / static_cast<double>(count) * total;
    while (place + 1 < places.size() && cumulative[place] < level) ++place;
    chosen[slice] = places[place];
  }
  shuffle(stream, chosen);
  return chosen;
}

std::vector<Index> resample_without_replacement(const ConstVectorRef& log_weights, Index count,
                                                RandomStream& stream) {
  if (count <= 0) return {};
  const std::vector<Index> places = eligible(log_weights, count);
  // The first `count` arrivals of independent exponential clocks with rates w_i.
  struct Arrival {
    double log_time;
    Index place;
  };
  std::vector<Arrival> arrivals;
  arrivals.reserve(places.size());
  for (const Index place : places) {
    const double exponential = -std::log1p(-stream.uniform());
    arrivals.push_back({std::log(exponential) - log_weights(place), place});
  }
  std::partial_sort(arrivals.begin(), arrivals.begin() + count, arrivals.end(),
                    [](const Arrival& a, const Arrival& b) { return a.log_time < b.log_time; });
  std::vector<Index> chosen;
  for (Index i = 0; i < count; ++i) chosen.push_back(arrivals[static_cast<std::size_t>(i)].place);
  return chosen;
}

}  // namespace ravi
