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
#include <span>

#include "core/numeric.hpp"
#include "ravi/error.hpp"

namespace ravi {
namespace {

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

double sd_around(double mean, const ConstVectorRef& x, const ConstVectorRef& weights) {
  return std::sqrt(sum_over(
      x, weights, [=](double value, double w) { return w * (value - mean) * (value - mean); }));
}

// sqrt(sum over groups of consecutive draws of (sum of term(i))^2), for several terms in one pass.
template <typename Term>
auto errors_of_sums(Index size, Index group, const Term& term) {
  using Array = decltype(term(Index{0}));
  Array sum = Array::Zero();
  for (Index begin = 0; begin < size; begin += group) {
    Array of_group = Array::Zero();
    for (Index i = begin; i < std::min(begin + group, size); ++i) of_group += term(i);
    sum += of_group.square();
  }
  return Array(sum.sqrt());
}

// The weighted distribution function of the draws that count. A few quantiles do not need all draws
// in order: they are put into buckets, whose bounds are quantiles of every few draws, and a bucket
// is sorted when it is asked for.
class Distribution {
 public:
  Distribution(const ConstVectorRef& x, const ConstVectorRef& weights) {
    if (weights.hasNaN()) return;
    if (((weights.array() > 0) && x.array().isNaN()).any()) return;
    fill_buckets(x, weights);
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

  // Values, some of which may not count, that cut the draws into about equal parts.
  static std::vector<double> bounds_of(const ConstVectorRef& x) {
    constexpr Index kPilot = kBuckets * kPerBound;
    if (x.size() < 4 * kPilot || x.hasNaN()) return {};
    const Vector some = x(Eigen::seqN(0, kPilot, x.size() / kPilot));
    std::vector<double> pilot(some.begin(), some.end()), bounds;
    std::ranges::sort(pilot);
    for (std::size_t i = kPerBound; i < kPilot; i += kPerBound) bounds.push_back(pilot[i]);
    return bounds;
  }

  // Buckets without draws are left out.
  void fill_buckets(const ConstVectorRef& x, const ConstVectorRef& weights) {
    const std::vector<double> bounds = bounds_of(x);
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
    std::vector<std::uint8_t> bucket(static_cast<std::size_t>(x.size()));
    for (Index i = 0; i < x.size(); ++i) {
      if (!(weights(i) > 0)) continue;
      const std::size_t b = bucket_of(x(i));
      bucket[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(b);
      ++count[b];
      weight[b] += weights(i);
    }
    std::ptrdiff_t begin = 0;
    double before = 0;
    for (std::size_t b = 0; b < kBuckets; ++b) {
      next[b] = begin;
      if (count[b] > 0) buckets_.push_back({begin, before, before + weight[b]});
      begin += count[b];
      before += weight[b];
    }
    draws_.resize(static_cast<std::size_t>(begin));
    for (Index i = 0; i < x.size(); ++i) {
      if (!(weights(i) > 0)) continue;
      std::ptrdiff_t& place = next[bucket[static_cast<std::size_t>(i)]];
      draws_[static_cast<std::size_t>(place++)] = {x(i), weights(i)};
    }
  }

  std::ptrdiff_t end_of(std::size_t b) const {
    return b + 1 < buckets_.size() ? buckets_[b + 1].begin : std::ssize(draws_);
  }

  void sort(std::size_t b) {
    Bucket& bucket = buckets_[b];
    if (bucket.sorted) return;
    bucket.sorted = true;
    const std::span<Draw> inside(draws_.begin() + bucket.begin, draws_.begin() + end_of(b));
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

// Of the mean, the sd and the levels of three quantiles.
using Influences = Eigen::Array<double, 5, 1>;

// Estimates of one quantity under one set of weights, and how much each draw moves them.
class Weighted {
 public:
  Weighted(const ConstVectorRef& x, const ConstVectorRef& weights)
      : x_(x), weights_(weights), distribution_(x, weights) {
    e_.mean = weighted_mean(x, weights);
    e_.sd = sd_around(e_.mean, x, weights);
    e_.q5 = distribution_.quantile(0.05);
    e_.q50 = distribution_.quantile(0.5);
    e_.q95 = distribution_.quantile(0.95);
  }

  const WeightedEstimates& estimates() const { return e_; }

  // NaN weights leave nothing that is known.
  Influences influence(Index i) const {
    if (weights_(i) == 0) return Influences::Zero();
    const double from_mean = x_(i) - e_.mean;
    const auto level = [&](double at, double p) { return (x_(i) <= at ? 1 : 0) - p; };
    return weights_(i) * Influences(from_mean,
                                    (from_mean * from_mean - e_.sd * e_.sd) / (2 * e_.sd),
                                    level(e_.q5, 0.05), level(e_.q50, 0.5), level(e_.q95, 0.95));
  }

  WeightedEstimates with_errors(const Influences& errors) {
    const auto of_quantile = [&](double p, double error) {
      return (distribution_.quantile(std::min(1.0, p + error)) -
              distribution_.quantile(std::max(0.0, p - error))) /
             2;
    };
    WeightedEstimates result = e_;
    result.mcse_mean = x_.size() == 0 ? kNan : errors(0);
    result.mcse_sd = e_.sd > 0 ? errors(1) : e_.sd;
    result.mcse_q5 = of_quantile(0.05, errors(2));
    result.mcse_q50 = of_quantile(0.5, errors(3));
    result.mcse_q95 = of_quantile(0.95, errors(4));
    return result;
  }

 private:
  const ConstVectorRef& x_;
  const ConstVectorRef& weights_;
  Distribution distribution_;
  WeightedEstimates e_{};
};

// Places of positive weight, in order.
std::vector<Index> eligible(const ConstVectorRef& log_weights) {
  std::vector<Index> places;
  for (Index i = 0; i < log_weights.size(); ++i) {
    if (std::isnan(log_weights(i)) || log_weights(i) == kInf) {
      throw UsageError(fmt::format("cannot resample: log weight {} is {}", i + 1, log_weights(i)));
    }
    if (log_weights(i) > -kInf) places.push_back(i);
  }
  if (places.empty()) {
    throw UsageError(
        fmt::format("cannot resample: none of {} draws has positive weight", log_weights.size()));
  }
  return places;
}

}  // namespace

double weighted_mean(const ConstVectorRef& x, const ConstVectorRef& weights) {
  return sum_over(x, weights, [](double value, double w) { return w * value; });
}

double weighted_sd(const ConstVectorRef& x, const ConstVectorRef& weights) {
  return sd_around(weighted_mean(x, weights), x, weights);
}

WeightedEstimates weighted_estimates(const ConstVectorRef& x, const ConstVectorRef& weights,
                                     Index group) {
  Weighted of_p(x, weights);
  return of_p.with_errors(
      errors_of_sums(x.size(), group, [&](Index i) { return of_p.influence(i); }));
}

WeightedEstimates weighted_estimates(const ConstVectorRef& x, const ConstVectorRef& weights,
                                     Index group, const ConstVectorRef& of_q,
                                     const KnownNormal& known) {
  Weighted p(x, weights), q(x, of_q);
  WeightedEstimates result =
      p.with_errors(errors_of_sums(x.size(), group, [&](Index i) { return p.influence(i); }));
  const WeightedEstimates of_difference = p.with_errors(errors_of_sums(
      x.size(), group, [&](Index i) { return Influences(p.influence(i) - q.influence(i)); }));
  const WeightedEstimates exact = estimates_of(known);
  const auto improve = [&](double WeightedEstimates::*value, double WeightedEstimates::*error) {
    if (!(of_difference.*error < result.*error)) return;
    result.*value += exact.*value - q.estimates().*value;
    result.*error = of_difference.*error;
  };
  improve(&WeightedEstimates::mean, &WeightedEstimates::mcse_mean);
  improve(&WeightedEstimates::sd, &WeightedEstimates::mcse_sd);
  improve(&WeightedEstimates::q5, &WeightedEstimates::mcse_q5);
  improve(&WeightedEstimates::q50, &WeightedEstimates::mcse_q50);
  improve(&WeightedEstimates::q95, &WeightedEstimates::mcse_q95);
  return result;
}

WeightedEstimates estimates_of(const KnownNormal& known) {
  return {.mean = known.mean,
          .sd = known.sd,
          .q5 = known.mean - kNormal95 * known.sd,
          .q50 = known.mean,
          .q95 = known.mean + kNormal95 * known.sd,
          .mcse_mean = 0,
          .mcse_sd = 0,
          .mcse_q5 = 0,
          .mcse_q50 = 0,
          .mcse_q95 = 0};
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
  const std::vector<Index> places = eligible(log_weights);
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

}  // namespace ravi
