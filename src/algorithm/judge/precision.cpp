// How precisely the average of the iterates is known.
#include "algorithm/judge/precision.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/numeric.hpp"
#include "core/parallel.hpp"
#include "diagnostics/autocovariance.hpp"
#include "diagnostics/ess.hpp"
#include "diagnostics/pareto.hpp"
#include "diagnostics/ranks.hpp"
#include "diagnostics/rhat.hpp"
#include "diagnostics/tail_index.hpp"
#include "limits/limits.hpp"

namespace ravi {
namespace {

// Calls f(k, series of component k) for every k; as many at a time as a cache line has, or fewer,
// so that every thread has some.
template <typename F>
void for_each_series(const Iterates& iterates, int threads, F f) {
  constexpr Index kNumbersOfCacheLine = 8, kOfEachThread = 8;
  threads = resolve_threads(threads);
  const Index size = iterates.size();
  const Index together =
      std::clamp<Index>(size / (kOfEachThread * threads), 1, kNumbersOfCacheLine);
  parallel_for((size + together - 1) / together, threads, [&](Index group) {
    thread_local std::array<Matrix, kNumbersOfCacheLine> memory;
    Index k = group * together;
    const std::span series(memory.data(), static_cast<std::size_t>(std::min(together, size - k)));
    iterates.series(k, series);
    for (const Matrix& draws : series) f(k++, draws);
  });
}

double pooled_variance(const Matrix& draws) { return variance(draws.reshaped()); }

// Long records cost more to look through than they say; some dozens of blocks tell nearly as much.
bool enough_blocks(const Iterates& iterates) {
  constexpr Index kManyNumbers = Index{1} << 22;  // a bound on time
  return iterates.stride() > 1 ||
         (iterates.blocks() >= count(Limit::enough_for_error) &&
          iterates.kept() * iterates.chains() * iterates.size() > kManyNumbers);
}

// Adds the n components with the largest values that are not among the chosen yet.
void add_largest(const Vector& values, Index n, std::vector<Index>& chosen) {
  std::vector<Index> order;
  for (Index k = 0; k < values.size(); ++k) {
    if (!std::isnan(values(k)) && std::ranges::find(chosen, k) == chosen.end()) order.push_back(k);
  }
  const auto count = std::min(n, static_cast<Index>(order.size()));
  std::ranges::partial_sort(order, order.begin() + count, [&](Index a, Index b) {
    return values(a) != values(b) ? values(a) > values(b) : a < b;
  });
  chosen.insert(chosen.end(), order.begin(), order.begin() + count);
}

double median_of_known(const Vector& values) {
  std::vector<double> known;
  for (const double value : values) {
    if (!std::isnan(value)) known.push_back(value);
  }
  return median(to_vector(known));
}

std::vector<double> autocorrelation(const Matrix& draws) {
  constexpr Index kLags = 100;  // that are shown
  const Vector covariance = mean_autocovariance(draws);
  if (!(covariance(0) > 0)) return {};
  const Vector shown = covariance.head(std::min(kLags, covariance.size())) / covariance(0);
  return {shown.begin(), shown.end()};
}

}  // namespace

Largest largest(const Vector& values) {
  Largest found;
  for (Index k = 0; k < values.size(); ++k) {
    if (std::isnan(values(k))) continue;
    if (found.component < 0 || values(k) > found.value) found = {values(k), k};
  }
  return found;
}

Vector rhat_of_blocks(std::span<const Block> blocks, int threads) {
  std::vector<ChainMoments> moments;
  for (const Block& block : blocks) moments.push_back({block.mean, block.squares});
  return rhat_of_moments(moments, blocks.empty() ? 0 : blocks.front().count,
                         resolve_threads(threads));
}

Limits limits_of_one(const Options& options) {
  return {options.rhat_threshold, options.ess_threshold};
}

Limits limits_of_worst(const Options& options, Index components) {
  const double rate = limit(Limit::error_rate);
  const double n = 2 * options.chains - 1, tau = options.rhat_threshold;
  const double c =
      chi_square_quantile(1 - rate / static_cast<double>(std::max<Index>(1, components)), n) /
      chi_square_quantile(1 - rate, n);
  return {std::sqrt(1 + (tau * tau - 1) * c), options.ess_threshold / c};
}

double tail_index_limit(const Iterates& iterates, double ess) {
  const double index = limit(Limit::tail_index);
  const auto tails = 2 * static_cast<double>(iterates.size());
  const auto length = static_cast<double>(
      std::max<Index>(1, tail_length(static_cast<Index>(std::isnan(ess) ? 1 : ess))));
  return index +
         normal_quantile(1 - limit(Limit::error_rate) / tails) * (1 + index) / std::sqrt(length);
}

// A component that never moved is known exactly.
ComponentPrecision precision_from_raw(const Matrix& draws) {
  const double spread = pooled_variance(draws), ess = ess_mean(draws);
  return {.ess = ess, .mcse = spread > 0 ? std::sqrt(spread / ess) : 0};
}

ComponentPrecision precision_from_blocks(const Iterates& iterates, Index component, double spread) {
  if (!(spread > 0)) return {.ess = kUnknown, .mcse = 0};
  const Matrix means = iterates.block_means(component);
  const double variance = pooled_variance(means) / ess_mean(means);
  return {.ess = spread / variance, .mcse = std::sqrt(variance)};
}

IteratePrecision iterate_precision(const Iterates& iterates, int threads) {
  Vector rhat(iterates.size()), ess(iterates.size()), mcse(iterates.size());
  const auto set = [&](Index k, const ComponentPrecision& p) {
    ess(k) = p.ess;
    mcse(k) = p.mcse;
  };
  if (enough_blocks(iterates)) {
    rhat = rhat_of_blocks(iterates.parts(2), threads);
    const Vector spread = iterates.variances();
    parallel_for(iterates.size(), resolve_threads(threads),
                 [&](Index k) { set(k, precision_from_blocks(iterates, k, spread(k))); });
  } else {
    for_each_series(iterates, threads, [&](Index k, const Matrix& draws) {
      rhat(k) = rhat_basic(draws);
      set(k, precision_from_raw(draws));
    });
  }
  const Largest fewest = largest(-ess);
  return {median(mcse),    largest(mcse).value, -fewest.value,  fewest.component,
          std::move(rhat), std::move(ess),      std::move(mcse)};
}

bool PrecisionCheck::all_decide() const { return options_.ess_over != kMedian; }

double PrecisionCheck::threshold(Index component) const {
  return component < locations_ ? options_.ess_threshold : options_.scale_ess_threshold;
}

// A component that never moved has no ESS and is no obstacle, unless none ever did.
bool PrecisionCheck::effective_enough() const {
  if (last_.ess_component < 0) return false;
  const auto enough = [&](const Vector& ess, double threshold) {
    const double decides = all_decide() ? -largest(-ess).value : median_of_known(ess);
    return std::isnan(decides) || decides > threshold;
  };
  const Vector ess = histories_.since ? histories_.since->ess() : last_.ess;
  return enough(ess.head(locations_), options_.ess_threshold) &&
         enough(ess.tail(ess.size() - locations_), options_.scale_ess_threshold);
}

bool PrecisionCheck::passes(const Iterates& iterates) {
  // From blocks, all components cost no more than one does raw.
  if (all_decide() && !histories_.since && last_.ess_component >= 0 && !enough_blocks(iterates)) {
    last_.ess_min = precision_from_raw(iterates.series(last_.ess_component)).ess;
    if (!(last_.ess_min > threshold(last_.ess_component))) return false;
  }
  last_ = iterate_precision(iterates, options_.threads);
  const double mcse = histories_.all ? median(histories_.all->mcse()) : last_.mcse_median;
  return mcse < options_.mcse_threshold && effective_enough();
}

Largest window_rhat(const Iterates& iterates, int threads) {
  return largest(rhat_of_blocks(iterates.last_halves(), threads));
}

Vector kept_tail_indices(const Iterates& iterates, int threads) {
  if (iterates.kept() == 0) return {};
  Vector values(iterates.size());
  for_each_series(iterates, threads, [&](Index k, const Matrix& draws) {
    const TailIndex tails = tail_index(draws.reshaped());
    values(k) = std::max(tails.lower, tails.upper);
  });
  return values;
}

std::vector<DoubtfulComponent> doubtful_components(const Iterates& iterates,
                                                   const IteratePrecision& precision,
                                                   const Vector& tail_indices, int threads) {
  constexpr Index kOfEach = 4;  // that are shown
  const auto &rhat = precision.rhat, &ess = precision.ess, &mcse = precision.mcse;
  if (iterates.kept() == 0 || ess.size() == 0) return {};
  std::vector<Index> chosen;
  add_largest(rhat, kOfEach, chosen);
  add_largest(-ess, kOfEach, chosen);
  add_largest(tail_indices, kOfEach, chosen);
  std::vector<DoubtfulComponent> result(chosen.size());
  parallel_for(std::ssize(chosen), resolve_threads(threads), [&](Index i) {
    const Index k = chosen[static_cast<std::size_t>(i)];
    result[static_cast<std::size_t>(i)] = {
        k,
        {.rhat = rhat(k),
         .ess = ess(k),
         .mcse = mcse(k),
         .tail_index = tail_indices(k),
         .every = static_cast<long>(iterates.stride()),
         .autocorrelation = autocorrelation(iterates.series(k))}};
  });
  return result;
}

}  // namespace ravi
