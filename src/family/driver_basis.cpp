// Smooth functions of one to three drivers: the basis of means and log scales given them.
#include "family/driver_basis.hpp"

#include <algorithm>
#include <cmath>

#include "core/numeric.hpp"

namespace ravi {
namespace {

constexpr double kClip = 2;      // of slopes, in sds
constexpr double kOuter = 0.02;  // of the draws, beyond the outer knots
constexpr Index kKnotsOfOne = 6, kKnotsOfMore = 4;

double cube(double x) { return x > 0 ? x * x * x : 0; }
double square(double x) { return x > 0 ? x * x : 0; }

}  // namespace

DriverBasis::DriverBasis(const ConstMatrixRef& w)
    : median_(w.rows()),
      sd_(w.rows()),
      lowest_(Vector::Constant(w.rows(), -kInf)),
      highest_(Vector::Constant(w.rows(), kInf)) {
  const Index r = w.rows(), n = w.cols(), count = r == 1 ? kKnotsOfOne : kKnotsOfMore;
  for (Index k = 0; k < r; ++k) {
    Vector sorted = w.row(k);
    std::ranges::sort(sorted);
    median_(k) = sorted(n / 2);
    sd_(k) = std::sqrt(variance(sorted));
    Vector knots(count);
    for (Index i = 0; i < count; ++i) {
      const double level =
          kOuter + (1 - 2 * kOuter) * static_cast<double>(i) / static_cast<double>(count - 1);
      knots(i) = (sorted(static_cast<Index>(level * static_cast<double>(n))) - median_(k)) / sd_(k);
    }
    knots_.push_back(std::move(knots));
  }
  const Index each = count - 1;
  size_ = r + (r < 3 ? (r == 1 ? each + 1 : (each + 1) * (each + 1)) : 1 + r * each + r);
}

void DriverBasis::confine(Vector lowest, Vector highest) {
  lowest_ = std::move(lowest);
  highest_ = std::move(highest);
}

Vector DriverBasis::scaled(const ConstVectorRef& w) const {
  return (w.cwiseMax(lowest_).cwiseMin(highest_) - median_).cwiseQuotient(sd_);
}

// x, and N_k = d_k - d_K-1 with d_k(x) = ((x - xi_k)_+^3 - (x - xi_K)_+^3) / (xi_K - xi_k), over
// the square of the distance of the outer knots.
DriverBasis::Values DriverBasis::spline(Index driver, double x) const {
  const Vector& knots = knots_[static_cast<std::size_t>(driver)];
  const Index n = knots.size();
  const double last = knots(n - 1), scale = std::pow(last - knots(0), 2);
  const auto d = [&](Index k) { return (cube(x - knots(k)) - cube(x - last)) / (last - knots(k)); };
  const auto slope = [&](Index k) {
    return 3 * (square(x - knots(k)) - square(x - last)) / (last - knots(k));
  };
  Values result{Vector(n - 1), Matrix(n - 1, 1)};
  result.value(0) = x;
  result.slope(0, 0) = 1;
  for (Index k = 0; k + 2 < n; ++k) {
    result.value(k + 1) = (d(k) - d(n - 2)) / scale;
    result.slope(k + 1, 0) = (slope(k) - slope(n - 2)) / scale;
  }
  return result;
}

DriverBasis::Values DriverBasis::at(const ConstVectorRef& w) const {
  const Index r = drivers();
  const Vector x = scaled(w);
  Values result{Vector::Zero(size_), Matrix::Zero(size_, r)};
  std::vector<Values> of;
  for (Index k = 0; k < r; ++k) {
    const bool inside = w(k) > lowest_(k) && w(k) < highest_(k);
    const double dx = inside ? 1 / sd_(k) : 0;
    of.push_back(spline(k, x(k)));
    of.back().slope *= dx;
    result.value(k) = std::clamp(x(k), -kClip, kClip);
    if (std::abs(x(k)) < kClip) result.slope(k, k) = dx;
  }
  Index at = r;
  result.value(at++) = 1;
  for (Index k = 0; k < r; ++k) {
    const Values& one = of[static_cast<std::size_t>(k)];
    result.value.segment(at, one.value.size()) = one.value;
    result.slope.col(k).segment(at, one.value.size()) = one.slope;
    at += one.value.size();
  }
  // All products of two drivers' functions; of three drivers, of their lines alone.
  for (Index a = 0; a < r; ++a) {
    for (Index b = a + 1; b < r; ++b) {
      const Values &first = of[static_cast<std::size_t>(a)],
                   &second = of[static_cast<std::size_t>(b)];
      const Index most = r == 2 ? first.value.size() : 1;
      for (Index i = 0; i < most; ++i) {
        for (Index j = 0; j < most; ++j, ++at) {
          result.value(at) = first.value(i) * second.value(j);
          result.slope(at, a) = first.slope(i, 0) * second.value(j);
          result.slope(at, b) = first.value(i) * second.slope(j, 0);
        }
      }
    }
  }
  return result;
}

Matrix DriverBasis::values(const ConstMatrixRef& w) const {
  Matrix result(size_, w.cols());
  for (Index i = 0; i < w.cols(); ++i) result.col(i) = at(w.col(i)).value;
  return result;
}

}  // namespace ravi
