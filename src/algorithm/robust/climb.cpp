// From a start uphill to a mode, one gradient at a time.
#include "algorithm/robust/climb.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "algorithm/robust/scores.hpp"
#include "core/numeric.hpp"
#include "core/stop.hpp"
#include "limits/limits.hpp"

namespace ravi {
namespace {

struct Point {
  Vector z, gradient;
  double log_density = 0;
  bool computable() const { return std::isfinite(log_density) && gradient.allFinite(); }
};

struct Pair {
  Vector step, change;  // of z, and of the gradient of -log p
  double product;
};

// An estimate of the inverse curvature: a diagonal, and what the last steps say.
class InverseCurvature {
 public:
  explicit InverseCurvature(Index dimension) : diagonal_(Vector::Ones(dimension)) {}

  // The two-loop recursion.
  Vector times(Vector gradient) const {
    std::vector<double> weight(pairs_.size());
    for (std::size_t i = pairs_.size(); i-- > 0;) {
      weight[i] = pairs_[i].step.dot(gradient) / pairs_[i].product;
      gradient -= weight[i] * pairs_[i].change;
    }
    Vector direction = diagonal_.cwiseProduct(gradient);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const double back = pairs_[i].change.dot(direction) / pairs_[i].product;
      direction += (weight[i] - back) * pairs_[i].step;
    }
    return direction;
  }

  // L with L L' = the estimate; nothing where rounding has left it without one.
  std::optional<Matrix> root() const {
    Matrix dense(diagonal_.size(), diagonal_.size());
    for (Index i = 0; i < dense.cols(); ++i) {
      dense.col(i) = times(Vector::Unit(diagonal_.size(), i));
    }
    const Eigen::LLT<Matrix> llt(0.5 * (dense + dense.transpose()));
    if (!dense.allFinite() || llt.info() != Eigen::Success) return {};
    return llt.matrixL();
  }

  // Pairs along which the density bends upwards say nothing.
  void learn(Pair pair) {
    if (!(pair.product > 1e-10 * pair.change.squaredNorm())) return;
    if (pairs_.empty()) diagonal_.setConstant(pair.product / pair.change.squaredNorm());
    update_diagonal(pair);
    pairs_.push_back(std::move(pair));
    if (std::ssize(pairs_) > count(Limit::climb_steps)) pairs_.pop_front();
  }

 private:
  // Gilbert and Lemarechal (1989), section 4, as in Zhang et al. (2022). With s the step and y the
  // change, a_i <- y's / (y'Ay / a_i + y_i^2 - (y'Ay / s'A^-1 s) (s_i / a_i)^2).
  void update_diagonal(const Pair& pair) {
    const auto s = pair.step.array(), y = pair.change.array();
    const auto a = diagonal_.array();
    const double yay = (y.square() * a).sum(), sas = (s.square() / a).sum();
    const Vector next = pair.product / (yay / a + y.square() - yay / sas * (s / a).square());
    if (next.allFinite() && next.minCoeff() > 0) diagonal_ = next;
  }

  Vector diagonal_;
  std::deque<Pair> pairs_;
};

// A step that gains will do. One that does not goes to the top of the parabola through what is
// known, until what the slope promises is rounding. One that gains grows while a longer one would
// gain more: with a share r of the slope left, the top of the parabola is at 1 / (1 - r) of the
// step, and f times the step is higher where r > (f - 1) / (f + 1). The best that was seen will do.
template <typename F>
std::optional<Point> step_along(const Vector& direction, const Point& at, double longest,
                                F evaluate) {
  const double slope = direction.dot(at.gradient), growth = limit(Limit::step_factor);
  const double rounding = std::numeric_limits<double>::epsilon() * (1 + std::abs(at.log_density));
  double length = 1;
  std::optional<Point> best;
  while (length * slope > rounding) {
    const Point next = evaluate(at.z + length * direction);
    const double promised = length * slope, gain = next.log_density - at.log_density;
    if (!next.computable() || !(gain > 0)) {
      if (best) break;
      const double top = next.computable() ? 0.5 * length * promised / (promised - gain) : 0;
      length = std::clamp(top, 0.1 * length, 0.5 * length);
      continue;
    }
    if (best && next.log_density < best->log_density) break;
    best = next;
    if (next.gradient.dot(direction) * (growth + 1) < slope * (growth - 1)) break;
    length *= growth;
    if (length * direction.norm() > longest) break;
  }
  return best;
}

struct Stop {  // on the way
  Vector z;
  InverseCurvature curvature;
};

// The Gaussian of a stop on the way to where there is no mode: the first whose ELBO, by the same
// few draws for all of them, is not far below the highest. Further on the density is higher and its
// curvature changes with every step, so that an estimate of it that is right by chance can win.
template <typename F>
std::optional<NormalNear> near_stop(const std::vector<Stop>& way, const Matrix& normals,
                                    F log_density) {
  std::vector<NormalNear> seen;
  std::vector<double> elbo;
  // As many as take no longer than the climb may: a gradient takes as long as two densities.
  const auto stops = static_cast<std::size_t>(2 * count(Limit::most_steps) / normals.cols());
  const std::size_t stride = std::max<std::size_t>(1, way.size() / stops);
  for (std::size_t i = stride - 1; i < way.size(); i += stride) {
    const std::optional<Matrix> root = way[i].curvature.root();
    if (!root) continue;
    const Vector values = log_density(Matrix((*root * normals).colwise() + way[i].z));
    seen.push_back({way[i].z, *root});
    const double value = values.mean() + root->diagonal().array().log().sum();
    elbo.push_back(std::isfinite(value) ? value : -kInf);
  }
  const double highest = elbo.empty() ? -kInf : std::ranges::max(elbo);
  if (!(highest > -kInf)) return {};
  const double enough = highest - far_below(normals.rows());
  const auto first = std::ranges::find_if(elbo, [&](double x) { return x >= enough; });
  return seen[static_cast<std::size_t>(first - elbo.begin())];
}

}  // namespace

Climb climb(const Model& model, const Vector& start, const Matrix& l,
            std::optional<RandomStream> stream, const std::atomic<bool>* stop,
            const std::function<bool(const Vector&)>& known) {
  const Index p = start.size();
  const auto scale = l.triangularView<Eigen::Lower>();
  Climb result{.theta = start};
  const auto evaluate = [&](const Vector& z) {
    Vector theta = scale * z, log_density(1);
    theta += start;
    Matrix gradient(p, 1);
    model.evaluate(theta, log_density, gradient);
    ++result.evaluations;
    const Vector in_z = scale.transpose() * gradient.col(0);
    return Point{z, in_z, log_density(0)};
  };

  Point at = evaluate(Vector::Zero(p));
  result.begun = at.computable();
  result.log_density_of_start = at.log_density;
  if (!result.begun) return result;
  InverseCurvature curvature(p);
  std::vector<Stop> way;
  std::deque<double> gains;
  const auto patience = static_cast<std::size_t>(count(Limit::climb_steps));
  // The first step is no longer than 1 for every coordinate, and no step far longer than the
  // longest before it: a solver of differential equations can take minutes where it should not be.
  double longest = std::sqrt(static_cast<double>(p));
  while (!result.arrived && result.evaluations < count(Limit::most_steps) && !requested(stop)) {
    Vector direction = curvature.times(at.gradient);
    direction *= std::min(1.0, longest / direction.norm());
    const std::optional<Point> next = step_along(direction, at, longest, evaluate);
    if (!next) break;
    const Vector step = next->z - at.z, change = at.gradient - next->gradient;
    curvature.learn({step, change, step.dot(change)});
    longest = std::max(longest, limit(Limit::step_factor) * step.norm());
    gains.push_back(next->log_density - at.log_density);
    if (gains.size() > patience) gains.pop_front();
    at = *next;
    if (stream && p <= count(Limit::dense_coordinates)) way.push_back({at.z, curvature});
    // Fewer steps would not do: where the density is flat, as that of a regression far from its
    // data, the first ones learn its curvature and gain nothing.
    const bool nothing_gained =
        gains.size() == patience &&
        std::accumulate(gains.begin(), gains.end(), 0.0) < limit(Limit::worth);
    result.arrived = nothing_gained || known(start + scale * at.z);
  }
  // At a mode to rounding, no step is long enough to gain anything.
  result.arrived =
      result.arrived || 0.5 * at.gradient.dot(curvature.times(at.gradient)) < limit(Limit::exact);
  result.theta += scale * at.z;
  if (result.arrived || way.empty() || requested(stop)) return result;
  const Index half = count(Limit::least_draws) / 2;
  Matrix normals(p, 2 * half);
  stream->fill_normal(normals.leftCols(half));
  normals.rightCols(half) = -normals.leftCols(half);
  result.near = near_stop(way, normals, [&](const Matrix& z) {
    Matrix theta = scale * z;
    theta.colwise() += start;
    Vector log_density = Vector::Constant(z.cols(), -kInf);
    if (!requested(stop)) model.log_density(theta, log_density);
    return log_density;
  });
  if (result.near) {
    result.near->mean = start + scale * result.near->mean;
    result.near->l = scale * result.near->l;
  }
  return result;
}

}  // namespace ravi
