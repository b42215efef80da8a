// How heavy the tails of the posterior are, told by the density far out, not by the draws.
#include "scoring/tails.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include "core/numeric.hpp"
#include "core/parallel.hpp"
#include "diagnostics/importance.hpp"
#include "diagnostics/ranks.hpp"
#include "limits/limits.hpp"

namespace ravi {
namespace {

// The set A is what lies in a tail, on either side; a few of its draws are looked at: densities
// have no noise, so that a few tell. First not as far out: most tails turn out to be short there.
std::array<double, 3> factors() {
  const double most = limit(Limit::far_out);
  return {std::cbrt(std::sqrt(most)), std::sqrt(most), most};
}

// Medians and robust sds.
struct Places {
  Vector middle, scale;
};

Places places_of(const Matrix& x, const Vector& weights, int threads) {
  Places result{Vector(x.rows()), Vector(x.rows())};
  parallel_for(x.rows(), threads, [&](Index k) {
    const Vector at = weighted_quantiles(x.row(k), weights, {0.05, 0.5, 0.95});
    result.middle(k) = at(1);
    result.scale(k) = (at(2) - at(0)) / (2 * kNormal95);
  });
  return result;
}

// The heaviest draws beyond a limit on one side, in order of their weights.
std::vector<Index> beyond(const Vector& x, const Vector& log_weights, double end, double side) {
  std::vector<Index> found;
  for (Index i = 0; i < x.size(); ++i) {
    if (log_weights(i) > -kInf && side * x(i) >= side * end) found.push_back(i);
  }
  std::ranges::stable_sort(found, std::greater<>(), [&](Index i) { return log_weights(i); });
  found.resize(std::min(found.size(), static_cast<std::size_t>(count(Limit::least_draws))));
  return found;
}

// A map of draws away from the middle, by a factor f: coordinates are stretched by f, or shifted by
// multiples of log f.
struct Map {
  Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic> stretched;  // by coordinate and draw
  Vector shift;

  // Of the first so many draws.
  Matrix operator()(const Matrix& away, Index count, double f) const {
    const auto first = away.leftCols(count);
    return stretched.leftCols(count).select(f * first, first).colwise() + std::log(f) * shift;
  }
  Vector log_jacobian(double f) const {
    return stretched.colwise().count().cast<double>().matrix().transpose() * std::log(f);
  }
};

Vector row_medians(const Matrix& x) {
  Vector result(x.rows());
  for (Index k = 0; k < x.rows(); ++k) result(k) = quantile(x.row(k), 0.5);
  return result;
}

// For independent tails, for those of a multivariate t, for exponentials of coordinates, for a
// scale with all that it scales, and for what is far out together with its scale, or with another
// one, whose logarithm, or that of its square or root, is a coordinate. Draws that happen to be far
// out in that one prove nothing: the median of all must be, further than that of as many normal
// draws, whose error is (pi / 2n)^(1/2), in any coordinate.
std::vector<Map> maps_of(const Matrix& away, const Vector& scale) {
  const Index p = away.rows(), n = away.cols();
  const Vector line = row_medians(away);
  Vector in_sds = line.cwiseQuotient(scale).cwiseAbs();
  Index first = 0, second = 0;
  in_sds.maxCoeff(&first);
  in_sds(first) = -1;
  const double by_chance =
      normal_quantile(1 - limit(Limit::error_rate) / (2 * static_cast<double>(p))) *
      std::sqrt(std::numbers::pi / (2 * static_cast<double>(n)));
  const bool together = in_sds.maxCoeff(&second) > by_chance;
  const auto along = [&](Index k) -> Vector {
    return Vector::Unit(p, k) * (line(k) < 0 ? -1.0 : 1.0);
  };
  using Mask = decltype(Map::stretched);
  const Mask none = Mask::Constant(p, n, false), all = Mask::Constant(p, n, true);
  Mask one = none;
  one.row(first) = true;
  // As far out as A would be.
  const Mask far = one || (away.array().colwise() / scale.array()).abs() >
                              normal_quantile(1 - limit(Limit::firm_unseen_mass));
  const Vector still = Vector::Zero(p);
  std::vector<Map> result{{one, still},         {far, still},
                          {all, still},         {none, along(first)},
                          {!one, along(first)}, {none, line / std::abs(line(first))}};
  if (!together) return result;
  for (const double power : {0.5, 1.0, 2.0}) {
    result.push_back({one, power * along(second)});
    result.push_back({none, along(first) + power * along(second)});
  }
  return result;
}

// Whether most of the draws that count have one and the same value of some coordinate, as no draws
// of a density do.
bool in_one_place(const WeightedDraws& draws) {
  std::vector<Index> counting;
  for (Index i = 0; i < draws.log_weights.size(); ++i) {
    if (draws.log_weights(i) > -kInf) counting.push_back(i);
  }
  for (Index k = 0; k < draws.theta.rows(); ++k) {
    const Vector x = draws.theta(k, counting);
    if (2 * (x.array() == median(x)).count() > x.size()) return true;
  }
  return false;
}

}  // namespace

bool beyond_any_posterior(const WeightedDraws& draws) {
  const Vector weights = draws.log_weights.array().exp();
  const auto counts = draws.log_weights.array() > -kInf;
  const double highest = counts.select(draws.log_density, -kInf).maxCoeff();
  const Vector below = counts.select(draws.log_density.array() - highest, 0.0);
  const double middle = weights.dot(below);
  const double varied = weights.dot((below.array() - middle).square().matrix());
  return !(varied < limit(Limit::most_varied) * static_cast<double>(draws.theta.rows())) ||
         in_one_place(draws);
}

std::vector<double> tail_shapes(const Model& model, const WeightedDraws& draws,
                                const std::vector<Index>& quantities, int threads) {
  if (quantities.empty()) return {};
  const Vector weights = draws.log_weights.array().exp();
  const Places places = places_of(draws.theta, weights, threads);
  std::vector<double> result(quantities.size());
  if (!(places.scale.minCoeff() > 0)) return result;  // nothing is far out
  const auto shape_on = [&](Index quantity, const Vector& x, double middle, double end) {
    const std::vector<Index> chosen = beyond(x, draws.log_weights, end, end < middle ? -1.0 : 1.0);
    if (chosen.empty() || !x(chosen).allFinite()) return 0.0;
    const Matrix away = draws.theta(Eigen::all, chosen).colwise() - places.middle;
    const Vector distance = (x(chosen).array() - middle).abs();
    // Of what a map leaves of the mass, over how much further out that is.
    const auto shape_by = [&](const Map& map, double factor) {
      const Vector log_jacobian = map.log_jacobian(factor);
      const Index n = away.cols();
      Matrix theta;
      Vector log_density(n), log_left(n);
      // One draw tells most maps that do not take the quantity where they should.
      double least = kInf;
      for (const Index count : {Index{1}, n}) {
        theta = map(away, count, factor).colwise() + places.middle;
        Matrix values(draws.quantities.rows(), count);
        model.constrain(theta, values, 0);
        const Vector further = ((values.row(quantity).transpose().array() - middle).abs() /
                                distance.head(count).array())
                                   .log();
        least = further.minCoeff();
        if (!(least > 0.5 * std::log(factor) && further.maxCoeff() < 2 * std::log(factor))) {
          return 0.0;
        }
      }
      model.log_density(theta, log_density);
      for (Index i = 0; i < n; ++i) {
        const Index from = chosen[static_cast<std::size_t>(i)];
        const double left =
            log_density(i) + log_jacobian(i) - draws.log_density(from) + draws.log_weights(from);
        log_left(i) = std::isfinite(left) ? left : -kInf;
      }
      const double left = log_sum_exp(log_left) - log_sum_exp(draws.log_weights(chosen));
      if (!std::isfinite(left)) return 0.0;
      return left < 0 ? least / -left : kInf;
    };
    double largest = 0;
    for (const Map& map : maps_of(away, places.scale)) {
      double found = 0;
      for (const double factor : factors()) {
        found = shape_by(map, factor);
        if (2 * found < limit(Limit::longest_tail)) break;  // as short as is asked
      }
      largest = std::max(largest, found);
    }
    return largest;
  };
  parallel_for(std::ssize(quantities), threads, [&](Index i) {
    const Index quantity = quantities[static_cast<std::size_t>(i)];
    const Vector x = draws.quantities.row(quantity);
    const double mass = limit(Limit::firm_unseen_mass);
    const Vector at = weighted_quantiles(x, weights, {mass, 0.5, 1 - mass});
    result[static_cast<std::size_t>(i)] =
        std::max(shape_on(quantity, x, at(1), at(0)), shape_on(quantity, x, at(1), at(2)));
  });
  return result;
}

}  // namespace ravi
