// Whether a model's gradient is that of its log density.
#include "algorithm/gradient_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/starts.hpp"
#include "core/stop.hpp"
#include "diagnostics/resolution.hpp"
#include "limits/limits.hpp"
#include "options/usual.hpp"

namespace ravi {
namespace {

// Half of the distance of a central difference. The first that agrees with the gradient will do:
// the list has every power of ten from what rounding leaves to what is far on the scale of one.
constexpr double kDistances[] = {1e-4, 1e-5, 1e-3, 1e-6, 1e-2};
// A coordinate is without effect when the density is the same, to the last bit, this far away: near
// and far, on either side.
constexpr double kFarAway[] = {1, -1, 1e3, -1e3};
constexpr std::size_t kMostNamed = 4;
// Of rows of data so many will do, a bound on time: all have the same gradient to check.
constexpr Index kEnoughRows = 1000;

// log p, and its gradient where that is asked for; of some rows of the data where there are many.
class Density {
 public:
  explicit Density(const Model& model)
      : model_(model), rows_(dynamic_cast<const RowModel*>(&model)) {
    if (rows_ == nullptr || rows_->rows() <= kEnoughRows) {
      rows_ = nullptr;
      return;
    }
    const Index stride = rows_->rows() / kEnoughRows;
    for (Index i = 0; i < kEnoughRows; ++i) some_.push_back(i * stride);
  }

  Slopes slopes(const Vector& theta) {
    Slopes at{theta, Vector(theta.size())};
    Vector value(1);
    Matrix gradient(theta.size(), 1);
    evaluate(theta, value, gradient);
    at.log_density = value(0);
    at.gradient = gradient.col(0);
    return at;
  }

  Vector values(const Matrix& theta) {
    Vector result(theta.cols());
    if (rows_ != nullptr) {
      Matrix gradient(theta.rows(), theta.cols());
      evaluate(theta, result, gradient);
    } else {
      model_.log_density(theta, result);
      evaluations_ += theta.cols();
    }
    return result;
  }

  void count_failure() { ++failed_; }
  std::int64_t evaluations() const { return evaluations_; }
  std::int64_t failed() const { return failed_; }

 private:
  void evaluate(const Matrix& theta, Vector& value, Matrix& gradient) {
    if (rows_ != nullptr) {
      rows_->evaluate_rows(theta, {.all = false, .index = some_}, value, gradient);
    } else {
      model_.evaluate(theta, value, gradient);
    }
    evaluations_ += theta.cols();
  }

  const Model& model_;
  const RowModel* rows_;  // null: all at once
  std::vector<Index> some_;
  std::int64_t evaluations_ = 0, failed_ = 0;
};

bool usable(const Slopes& at) { return std::isfinite(at.log_density) && at.gradient.allFinite(); }

Index usual_starts() { return count(Limit::starts_per_chain) * kUsualChains; }

// Starts where it can be computed, up to that many.
std::vector<Slopes> places(Density& density, Index dimension, std::uint64_t seed, Index number) {
  std::vector<Slopes> found;
  for (Index i = 0; i < usual_starts() && std::ssize(found) < number; ++i) {
    Slopes at = density.slopes(mirrored_start(dimension, seed, i));
    if (usable(at)) {
      found.push_back(std::move(at));
    } else {
      density.count_failure();
    }
  }
  return found;
}

SlopeComparison compare(Density& density, const Slopes& at, const Vector& direction) {
  struct Difference {
    double distance, slope, noise;
  };
  const double slope = at.gradient.dot(direction);
  const double usual =
      at.gradient.norm() * direction.norm() / std::sqrt(static_cast<double>(at.theta.size()));
  SlopeComparison result{.gradient = slope};
  std::vector<Difference> seen;
  for (const double distance : kDistances) {
    Matrix ends(at.theta.size(), 2);
    ends << at.theta + distance * direction, at.theta - distance * direction;
    const Vector values = density.values(ends);
    if (!values.allFinite()) continue;
    Vector all(3);
    all << values, at.log_density;
    // Differences of numbers that are rounded, and the noise of sums of rounded terms.
    const double noise = 8 * resolution_of(all) / distance;
    const double difference = (values(0) - values(1)) / (2 * distance);
    // Of the larger, or of the gradient's length over P^(1/2), which a random direction has of it.
    const double most = limit(Limit::gradient_tolerance) *
                            std::max({std::abs(difference), std::abs(slope), usual}) +
                        noise;
    seen.push_back({distance, difference, noise});
    if (result.result == SlopeComparison::Result::unknown) result.difference = difference;
    if (std::abs(difference - slope) <= most) {
      return {slope, difference, SlopeComparison::Result::same};
    }
  }
  std::ranges::sort(seen, {}, &Difference::distance);
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < seen.size(); ++i) {
    const double apart = std::abs(seen[i].slope - seen[i - 1].slope);
    if (apart >= nearest) continue;
    nearest = apart;
    result.difference = seen[i].slope;
    const double size = std::max(std::abs(seen[i].slope), std::abs(seen[i - 1].slope));
    if (apart <= limit(Limit::gradient_tolerance) * size) {
      result.result = SlopeComparison::Result::different;
    }
  }
  return result;
}

// Whether the density changes with coordinate k.
bool matters(Density& density, const Slopes& at, Index k) {
  Matrix theta(at.theta.size(), static_cast<Index>(std::size(kFarAway)));
  theta.colwise() = at.theta;
  for (Index i = 0; i < theta.cols(); ++i) theta(k, i) += kFarAway[i];
  Vector values(theta.cols() + 1);
  values << density.values(theta), at.log_density;
  return !(values.maxCoeff() - values.minCoeff() <= 8 * resolution_of(values));
}

// "a, b, c and 5 more".
std::string list(const std::vector<std::string>& names, const std::vector<Index>& which) {
  std::vector<std::string> shown;
  for (const Index k : which) {
    if (shown.size() == kMostNamed) break;
    shown.push_back(names[static_cast<std::size_t>(k)]);
  }
  std::string text = fmt::format("{}", fmt::join(shown, ", "));
  if (which.size() > shown.size()) text += fmt::format(" and {} more", which.size() - shown.size());
  return text;
}

// Coordinates whose gradient is zero everywhere, and of which the density does not depend.
std::vector<Index> without_effect(Density& density, const std::vector<Slopes>& at) {
  std::vector<Index> result;
  for (Index k = 0; k < at.front().theta.size(); ++k) {
    const auto nothing = [&](const Slopes& place) {
      return place.gradient(k) == 0 && !matters(density, place, k);
    };
    if (std::ranges::all_of(at, nothing)) result.push_back(k);
  }
  return result;
}

// The finding that names where the gradient is wrong, coordinate by coordinate.
Finding name_coordinates(const Model& model, Density& density, const Slopes& at) {
  std::vector<Index> wrong;
  double ratio = kUnknown;
  for (Index k = 0; k < std::min(at.theta.size(), count(Limit::dense_coordinates)); ++k) {
    const SlopeComparison of_k = compare(density, at, Vector::Unit(at.theta.size(), k));
    if (of_k.result != SlopeComparison::Result::different) continue;
    if (wrong.empty()) ratio = of_k.gradient / of_k.difference;
    wrong.push_back(k);
  }
  return {.code = FindingCode::gradient_wrong,
          .observed = ratio,
          .parameter = list(model.unconstrained_names(), wrong)};
}

}  // namespace

std::optional<CoordinateSlopes> compare_slopes(const Model& model, std::uint64_t seed) {
  Density density(model);
  const std::vector<Slopes> at = places(density, model.dimension(), seed, 1);
  if (at.empty()) return {};
  CoordinateSlopes result{.at = at.front(), .of_coordinate = {}, .matters = {}};
  for (Index k = 0; k < model.dimension(); ++k) {
    result.of_coordinate.push_back(compare(density, result.at, Vector::Unit(model.dimension(), k)));
    result.matters.push_back(result.at.gradient(k) != 0 || matters(density, result.at, k));
  }
  return result;
}

GradientCheck check_gradient(const Model& model, std::uint64_t seed,
                             const std::atomic<bool>* stop) {
  const Index p = model.dimension();
  Density density(model);
  GradientCheck check;
  const std::vector<Slopes> at = places(density, p, seed, usual_starts());
  const auto done = [&] {
    check.evaluations = density.evaluations();
    check.failed = density.failed();
    return check;
  };
  if (at.empty() || requested(stop)) return done();
  if (const std::vector<Index> flat = without_effect(density, at); !flat.empty()) {
    check.findings.push_back(
        {.code = FindingCode::density_flat, .parameter = list(model.unconstrained_names(), flat)});
    return done();
  }
  std::vector<const Slopes*> different;
  for (std::size_t i = 0; i < at.size() && !requested(stop); ++i) {
    Vector direction(p);
    RandomStream(seed, Purpose::gradient_check, static_cast<std::uint32_t>(i), 0)
        .fill_normal(direction);
    const SlopeComparison along = compare(density, at[i], direction.normalized());
    if (along.result == SlopeComparison::Result::different) different.push_back(&at[i]);
  }
  // At one place alone it may be a jump of the density.
  if (different.size() > 1 && !requested(stop))
    check.findings.push_back(name_coordinates(model, density, *different.back()));
  return done();
}

}  // namespace ravi
