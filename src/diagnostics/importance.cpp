// Estimates from weighted draws, and resampling by weight.
#include "diagnostics/importance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
  const std::vector<double> levels = {0.05, 0.5, 0.95};
  const double m = weighted_mean(x, weights), sd = weighted_sd(x, weights);
  const Vector q = weighted_quantiles(x, weights, levels);
  std::vector<double> around;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double at = q(static_cast<Index>(i)), p = levels[i];
    const double error =
        standard_error(x, weights, group, [=](double value) { return (value <= at ? 1 : 0) - p; });
    around.push_back(std::max(0.0, p - error));
    around.push_back(std::min(1.0, p + error));
  }
  const Vector w = weighted_quantiles(x, weights, around);
  const auto of_sd = [=](double value) { return ((value - m) * (value - m) - sd * sd) / (2 * sd); };
  return {.mean = m,
          .sd = sd,
          .q5 = q(0),
          .q50 = q(1),
          .q95 = q(2),
          .mcse_mean = standard_error(x, weights, group, [=](double value) { return value - m; }),
          .mcse_sd = sd > 0 ? standard_error(x, weights, group, of_sd) : sd,
          .mcse_q5 = (w(1) - w(0)) / 2,
          .mcse_q50 = (w(3) - w(2)) / 2,
          .mcse_q95 = (w(5) - w(4)) / 2};
}

Vector weighted_quantiles(const ConstVectorRef& x, const ConstVectorRef& weights,
                          const std::vector<double>& probabilities) {
  Vector result = Vector::Constant(static_cast<Index>(probabilities.size()), kNan);
  if (weights.hasNaN()) return result;
  std::vector<Index> order;
  for (Index i = 0; i < x.size(); ++i) {
    if (!(weights(i) > 0)) continue;
    if (std::isnan(x(i))) return result;
    order.push_back(i);
  }
  if (order.empty()) return result;
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return x(a) < x(b); });

  std::vector<double> middle(order.size());
  double cumulative = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    middle[i] = cumulative + weights(order[i]) / 2;
    cumulative += weights(order[i]);
  }
  for (std::size_t j = 0; j < probabilities.size(); ++j) {
    const double p = probabilities[j];
    if (!(p >= 0 && p <= 1)) continue;
    const auto right = static_cast<std::size_t>(std::lower_bound(middle.begin(), middle.end(), p) -
                                                middle.begin());
    double& quantile = result(static_cast<Index>(j));
    if (right == 0 || right == middle.size()) {
      quantile = x(order[right == 0 ? 0 : right - 1]);
    } else {
      const double low = x(order[right - 1]), high = x(order[right]);
      const double part = (p - middle[right - 1]) / (middle[right] - middle[right - 1]);
      quantile = low == high ? low : (1 - part) * low + part * high;
    }
  }
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
