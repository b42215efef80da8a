// What the report's figures show of draws.
#include "output/report_draws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/numeric.hpp"
#include "diagnostics/importance.hpp"
#include "diagnostics/pareto.hpp"
#include "output/density.hpp"
#include "output/draws.hpp"
#include "output/numbers.hpp"
#include "output/report_data.hpp"
#include "scoring/looks.hpp"

namespace ravi {
namespace {

using Json = OrderedJson;

constexpr Index kTailPoints = 300, kTopPoints = 100;  // of a tail; of those, the largest weights
constexpr Index kCurvePoints = 60;
constexpr Index kGridPoints = 80;
constexpr std::size_t kDensities = 50;
constexpr std::size_t kPairs = 4;
constexpr std::size_t kPairPoints = 400;

Json numbers(const std::vector<double>& x) {
  Json array = Json::array();
  for (const double value : x) array.push_back(rounded(value));
  return array;
}

Json numbers(const Vector& x) {
  Json array = Json::array();
  for (const double value : x) array.push_back(rounded(value));
  return array;
}

// The draws from q that stand for q itself.
Index plain_draws(const WeightedDraws& draws) {
  return std::min(draws.plain > 0 ? draws.plain : draws.from_q, draws.quantities.cols());
}

// Draws that count: finite, of positive weight. Without any, empty.
struct Usable {
  Vector x, weights;  // which sum to one
};
Usable usable(const ConstVectorRef& x, const ConstVectorRef& weights) {
  std::vector<Index> places;
  for (Index i = 0; i < x.size(); ++i) {
    if (std::isfinite(x(i)) && weights(i) > 0) places.push_back(i);
  }
  const Vector chosen = weights(places);
  return {x(places), chosen / chosen.sum()};
}

Vector uniform(const WeightedDraws& draws) {
  Vector weights = Vector::Zero(draws.quantities.cols());
  weights.head(plain_draws(draws)).setOnes();
  return weights;
}

// --- weights of q's own draws ---

// The largest log ratios, from the largest down, in units of their mean, and two generalized Pareto
// tails with their median: one of the shape that is reported, one of the limit's.
Json tail_of(const Answer& answer, const std::string& label, double khat_limit) {
  const WeightedDraws& draws = answer.draws;
  const Index n = std::min(draws.from_q, draws.log_q.size());
  if (weights_hardly_vary(answer)) return {{"label", label}, {"even", true}};
  std::vector<double> log_weights;
  for (Index i = 0; i < n; ++i) {
    const double ratio = draws.log_density(i) - draws.log_q(i);
    if (std::isfinite(ratio)) log_weights.push_back(ratio);
  }
  std::ranges::sort(log_weights, std::greater<>());
  const auto size = static_cast<Index>(log_weights.size());
  const Index length = std::min(tail_length(n), size - 1);
  if (length < kShortestTail) return nullptr;
  Vector all(size);
  std::ranges::copy(log_weights, all.data());
  all.array() -= log_sum_exp(all) - std::log(static_cast<double>(n));

  const auto draws_total = static_cast<double>(n), tail = static_cast<double>(length);
  std::vector<double> share, weight;
  const Index stride = std::max<Index>(1, (length - kTopPoints) / (kTailPoints - kTopPoints) + 1);
  for (Index i = 0; i < length; i += i < kTopPoints ? 1 : stride) {
    share.push_back((static_cast<double>(i) + 0.5) / draws_total);
    weight.push_back(std::exp(all(i)));
  }
  Json j = {{"label", label},          {"draws", n},
            {"tail", length},          {"khat", short_number(answer.khat)},
            {"share", numbers(share)}, {"weight", numbers(weight)}};
  const double cutoff = std::exp(all(length)), median = std::exp(all(length / 2)) - cutoff;
  if (!std::isfinite(answer.khat) || !(median > 0)) return j;
  const auto with_shape = [&](double k) { return GpdFit{k, median / gpd_quantile(0.5, {k, 1})}; };
  const GpdFit reported = with_shape(answer.khat), limit = with_shape(khat_limit);
  std::vector<double> at, fitted, at_limit;
  for (Index i = 0; i < kCurvePoints; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(kCurvePoints - 1);
    const double survival = std::pow(0.5 / tail, part);  // from 1 to the place of the largest
    at.push_back(survival * tail / draws_total);
    fitted.push_back(cutoff + gpd_quantile(1 - survival, reported));
    at_limit.push_back(cutoff + gpd_quantile(1 - survival, limit));
  }
  j["curve_share"] = numbers(at);
  j["curve_fit"] = numbers(fitted);
  j["curve_limit"] = numbers(at_limit);
  return j;
}

// --- marginals ---

// The weightings that are drawn of one answer, each as a curve.
struct Series {
  std::string label;
  const WeightedDraws* draws;
  Vector weights;
};

std::vector<Series> series_of(const Fit& fit) {
  std::vector<Series> series;
  const std::vector<const Answer*> answers = shown_answers(fit);
  for (std::size_t j = 0; j < answers.size(); ++j) {
    const WeightedDraws& draws = answers[j]->draws;
    if (draws.quantities.size() == 0) continue;
    const Vector weights = draws.log_weights.array().exp();
    if (!fit.average) {
      series.push_back({label_of(fit, j), &draws, answers[j]->weighted ? weights : uniform(draws)});
      continue;
    }
    series.push_back({"q", &draws, uniform(draws)});
    if (fit.average->weighted) {
      series.push_back({fit.average->moved() ? "moved" : "weighted", &draws, weights});
    }
  }
  return series;
}

// The modes of a mixture, each with its share of every draw; none where there is one.
std::vector<Series> series_of_modes(const Fit& fit) {
  std::vector<Series> series;
  if (!fit.average || fit.average->draws.share_of_mode.cols() < 2) return series;
  const Answer& answer = *fit.average;
  const Vector weights = answer.draws.log_weights.array().exp();
  for (std::size_t m = 0; m < answer.modes.size(); ++m) {
    const auto share = answer.draws.share_of_mode.col(static_cast<Index>(m));
    series.push_back({fmt::format("mode {}, {:.2g} %", m + 1, 100 * answer.modes[m].mass),
                      &answer.draws, weights.cwiseProduct(share)});
  }
  return series;
}

// Means of all quantities at once, in one pass over the draws; those with draws that are not finite
// come out as NaN, and are done again without them.
Vector means_of(const Series& s) {
  const Matrix& quantities = s.draws->quantities;
  Vector means = quantities * (s.weights / s.weights.sum());
  for (Index i = 0; i < means.size(); ++i) {
    if (std::isfinite(means(i))) continue;
    const Usable draws = usable(quantities.row(i).transpose(), s.weights);
    means(i) = weighted_mean(draws.x, draws.weights);
  }
  return means;
}

// Quantities in the order of how far apart the curves' means are, in standard deviations.
std::vector<Index> worst_first(const std::vector<Series>& series,
                               const std::vector<ParameterSummary>& parameters) {
  const Index count = series.front().draws->quantities.rows();
  Vector low = means_of(series.front()), high = low;
  for (const Series& s : series) {
    const Vector means = means_of(s);
    low = low.cwiseMin(means);
    high = high.cwiseMax(means);
  }
  Vector apart(count);
  for (Index i = 0; i < count; ++i) {
    const double distance = (high(i) - low(i)) / parameters.at(static_cast<std::size_t>(i)).sd;
    apart(i) = std::isfinite(distance) ? distance : 0;
  }
  std::vector<Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](Index i) { return apart(i); });
  return order;
}

// The place in the reference of a quantity that is reported as the model samples it, or -1. Draws
// from q are pairs around its mean, so that the mean of such a quantity is q's but for rounding.
Index place_in_reference(const Reference& reference, const Answer& answer,
                         const ParameterSummary& quantity) {
  const auto found = std::ranges::find(reference.parameters, quantity.name);
  const Index place = found - reference.parameters.begin();
  if (found == reference.parameters.end() || place >= answer.q.mean.size()) return -1;
  const bool same = std::abs(quantity.mean - answer.q.mean(place)) < 1e-6 * quantity.sd;
  return same ? place : -1;
}

Json density_of(const Fit& fit, const std::vector<Series>& series, Index quantity,
                const Reference* reference) {
  const Answer& answer = *shown_answers(fit).front();
  const ParameterSummary& summary =
      answer.unweighted_parameters.at(static_cast<std::size_t>(quantity));
  std::vector<KernelDensity> densities;
  Extent extent{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Series& s : series) {
    Usable draws = usable(s.draws->quantities.row(quantity).transpose(), s.weights);
    if (draws.x.size() == 0) return nullptr;
    densities.emplace_back(std::move(draws.x), std::move(draws.weights));
    const Extent e = densities.back().extent();
    extent = {std::min(extent.low, e.low), std::max(extent.high, e.high)};
  }
  if (!(extent.high > extent.low)) return nullptr;
  const Vector grid = Vector::LinSpaced(kGridPoints, extent.low, extent.high);
  Json j = {{"name", summary.name},
            {"low", rounded(extent.low)},
            {"high", rounded(extent.high)},
            {"curves", Json::array()}};
  for (const KernelDensity& density : densities) j["curves"].push_back(numbers(density.at(grid)));
  const Index place = reference == nullptr ? -1 : place_in_reference(*reference, answer, summary);
  if (place >= 0) {
    j["reference"] = {rounded(reference->mean(place)),
                      rounded(std::sqrt(reference->cov(place, place)))};
  }
  return j;
}

// --- pairs ---

// A few draws of one curve: those of q as they come, the others as they were resampled.
std::vector<Index> few_draws(const Series& s, std::size_t count) {
  std::vector<Index> chosen;
  const bool plain = s.label == "q" || s.draws->resampled.empty();
  // Draws from q are pairs around its mean, of which one is enough.
  const auto available =
      plain ? static_cast<std::size_t>(plain_draws(*s.draws) / 2) : s.draws->resampled.size();
  for (std::size_t i = 0; i < std::min(count, available); ++i) {
    chosen.push_back(plain ? static_cast<Index>(2 * i) : s.draws->resampled[i]);
  }
  return chosen;
}

// Of draws as they are used, those of each mode.
std::vector<std::vector<Index>> few_draws_of_modes(const WeightedDraws& draws, Index modes,
                                                   std::size_t count) {
  std::vector<std::vector<Index>> chosen(static_cast<std::size_t>(modes));
  for (std::size_t i = 0; i < std::min(count, draws.resampled.size()); ++i) {
    const Index draw = draws.resampled[i];
    chosen[static_cast<std::size_t>(mode_of(draws, draw) - 1)].push_back(draw);
  }
  return chosen;
}

Json pairs_of(const Fit& fit, const std::vector<Series>& series, const std::vector<Index>& order) {
  Json j = {{"names", Json::array()}, {"labels", Json::array()}, {"series", Json::array()}};
  const bool of_modes = fit.average && fit.average->draws.share_of_mode.cols() > 1;
  std::vector<std::vector<Index>> of_mode;
  if (of_modes) {
    of_mode = few_draws_of_modes(fit.average->draws, std::ssize(series), kPairPoints);
  }
  const std::size_t count = std::min(order.size(), kPairs);
  for (std::size_t i = 0; i < count; ++i) {
    j["names"].push_back(
        shown_answers(fit).front()->parameters.at(static_cast<std::size_t>(order[i])).name);
  }
  for (const Series& s : series) {
    const std::vector<Index> chosen =
        of_modes ? of_mode[j["labels"].size()]
                 : few_draws(s, fit.average ? kPairPoints : kPairPoints / series.size());
    j["labels"].push_back(s.label);
    Json columns = Json::array();
    for (std::size_t i = 0; i < count; ++i) {
      columns.push_back(numbers(Vector(s.draws->quantities.row(order[i])(chosen))));
    }
    j["series"].push_back(std::move(columns));
  }
  return j;
}

}  // namespace

OrderedJson figures_of_draws(const Fit& fit, const Reference* reference) {
  const std::vector<Series> series = series_of(fit);
  if (series.empty()) return nullptr;
  Json j = {{"psis", Json::array()},
            {"series", Json::array()},
            {"densities", Json::array()},
            {"pairs", nullptr}};
  const std::vector<const Answer*> answers = shown_answers(fit);
  for (std::size_t a = 0; a < answers.size(); ++a) {
    Json tail = tail_of(*answers[a], label_of(fit, a), fit.khat_threshold);
    if (!tail.is_null()) j["psis"].push_back(std::move(tail));
  }
  for (const Series& s : series) j["series"].push_back(s.label);
  std::vector<Index> drawn;
  const std::vector<Series> modes = series_of_modes(fit), &apart = modes.empty() ? series : modes;
  for (const Index quantity : worst_first(apart, answers.front()->unweighted_parameters)) {
    if (drawn.size() == kDensities) break;
    Json density = density_of(fit, series, quantity, reference);
    if (density.is_null()) continue;
    drawn.push_back(quantity);
    j["densities"].push_back(std::move(density));
  }
  if (drawn.size() > 1) j["pairs"] = pairs_of(fit, apart, drawn);
  return j;
}

}  // namespace ravi
