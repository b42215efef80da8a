// The marginal density of the drivers, from draws of everything.
#include "bending/marginal.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <map>

#include "core/numeric.hpp"

namespace ravi {
namespace {

using Axes = std::vector<GridDensity::Axis>;

// For one, two and three drivers: points of an axis of the grid, and cells of the box, in which
// draws are averaged before anything is fitted to them.
constexpr Index kPoints[] = {1500, 110, 34}, kCells[] = {60, 16, 7};

// log p(w) at draws, were y given w normal around the middle with a precision off by a factor 1 -
// e:
//   log p(w, zeta) + |zeta|^2 / 2 + p/2 log 2 pi - s'zeta / 2 - p/2 log(1 - e),
// with e = s'zeta / |zeta|^2, and how far off that may be.
struct Seen {
  Vector value, error;
};

Seen seen_from(const Bank& bank, const Inside& in) {
  const auto p = static_cast<double>(in.zeta.rows());
  const Matrix s = in.score();
  const Eigen::ArrayXd square = in.zeta.colwise().squaredNorm().transpose(),
                       along = s.cwiseProduct(in.zeta).colwise().sum().transpose();
  const Eigen::ArrayXd e = (along / square.max(1e-10)).max(-3.0).min(0.75);
  const Eigen::ArrayXd off = s.colwise().squaredNorm().transpose().array() / 4,
                       far = (square - p).max(0.0) / (8 * std::sqrt(2 * p));
  return {
      bank.log_density + in.log_det +
          (0.5 * square + 0.5 * p * kLog2Pi - 0.5 * e * square - 0.5 * p * (1 - e).log()).matrix(),
      (0.1 + off + far * off).matrix()};
}

// Draws of one cell as one point.
struct Points {
  Matrix w;
  Vector value, variance;
};

struct Box {
  Vector lowest, highest;
};

// The part of the drivers that draws with something to say fill.
Box box_of(const Matrix& w, const Seen& seen) {
  const double worst = std::max(1.0, median(seen.error));
  Box box{Vector::Constant(w.rows(), kInf), Vector::Constant(w.rows(), -kInf)};
  for (Index i = 0; i < w.cols(); ++i) {
    if (!(seen.error(i) <= worst)) continue;
    box.lowest = box.lowest.cwiseMin(w.col(i));
    box.highest = box.highest.cwiseMax(w.col(i));
  }
  return box;
}

Points points_of(const Matrix& w, const Seen& seen, const Box& box) {
  const Index r = w.rows(), cells = kCells[r - 1];
  std::map<Index, std::vector<Index>> in_cell;
  for (Index i = 0; i < w.cols(); ++i) {
    Index cell = 0;
    bool inside = std::isfinite(seen.value(i)) && std::isfinite(seen.error(i));
    for (Index k = 0; k < r; ++k) {
      const double at = (w(k, i) - box.lowest(k)) / (box.highest(k) - box.lowest(k));
      inside = inside && at >= 0 && at <= 1;
      cell = cell * cells +
             std::clamp<Index>(static_cast<Index>(at * static_cast<double>(cells)), 0, cells - 1);
    }
    if (inside) in_cell[cell].push_back(i);
  }
  const Index n = std::ssize(in_cell);
  Points points{Matrix(r, n), Vector(n), Vector(n)};
  Index at = 0;
  for (const auto& [cell, draws] : in_cell) {
    const Vector weight = seen.error(draws).array().square().inverse();
    const Vector share = weight / weight.sum();
    points.w.col(at) = w(Eigen::all, draws) * share;
    points.value(at) = seen.value(draws).dot(share);
    points.variance(at) = 1 / weight.sum() + 0.0025;
    ++at;
  }
  return points;
}

// The last coordinate runs fastest.
Matrix grid_points(const std::vector<Vector>& places) {
  Index count = 1;
  for (const Vector& at : places) count *= at.size();
  Matrix points(std::ssize(places), count);
  for (Index i = 0; i < count; ++i) {
    for (Index k = points.rows(), rest = i; k-- > 0;) {
      const Vector& at = places[static_cast<std::size_t>(k)];
      points(k, i) = at(rest % at.size());
      rest /= at.size();
    }
  }
  return points;
}

// A Gaussian process around a quadratic, in sds of the box.
class Surface {
 public:
  Surface(const Points& points, const Box& box)
      : middle_(0.5 * (box.lowest + box.highest)), scale_((box.highest - box.lowest) / 6) {
    x_ = scaled(points.w);
    const Matrix basis = quadratic(x_);
    const Vector weight = points.variance.cwiseInverse();
    Matrix second = basis * weight.asDiagonal() * basis.transpose();
    second.diagonal().array() += 1e-3;
    quadratic_ = second.llt().solve(basis * weight.cwiseProduct(points.value));
    const Vector rest = points.value - basis.transpose() * quadratic_;
    double best = -kInf;
    for (const double length : {0.5, 1.0, 2.0}) {
      for (const double sd : {0.2, 0.6, 2.0}) {
        Matrix cov = sd * sd * kernel(x_, x_, length);
        cov.diagonal() += points.variance;
        const Eigen::LLT<Matrix> llt(cov);
        if (llt.info() != Eigen::Success) continue;
        const Vector solved = llt.solve(rest);
        const double likelihood =
            -0.5 * rest.dot(solved) - llt.matrixLLT().diagonal().array().log().sum();
        if (!(likelihood > best)) continue;
        best = likelihood;
        length_ = length;
        coefficients_ = sd * sd * solved;
      }
    }
    if (coefficients_.size() == 0) coefficients_ = Vector::Zero(x_.cols());
  }

  // At all points of a grid, the last coordinate the fastest: the kernel is a product.
  Vector on_grid(const std::vector<Vector>& places) const {
    const Index r = x_.rows();
    std::vector<Matrix> along;
    for (Index k = 0; k < r; ++k) {
      const Vector& at = places[static_cast<std::size_t>(k)];
      const Matrix x = ((at.array() - middle_(k)) / scale_(k)).matrix().transpose();
      along.push_back(kernel(x, x_.row(k), length_));
    }
    Matrix sums = coefficients_;  // of every point so far, over the points of the process
    for (Index k = 0; k + 1 < r; ++k) {
      const Matrix& factor = along[static_cast<std::size_t>(k)];
      Matrix next(sums.rows(), sums.cols() * factor.rows());
      for (Index i = 0; i < sums.cols(); ++i) {
        for (Index j = 0; j < factor.rows(); ++j) {
          next.col(i * factor.rows() + j) = sums.col(i).cwiseProduct(factor.row(j).transpose());
        }
      }
      sums = std::move(next);
    }
    const Matrix rest = along.back() * sums;
    return quadratic(scaled(grid_points(places))).transpose() * quadratic_ + rest.reshaped();
  }

 private:
  Matrix scaled(const Matrix& w) const {
    return ((w.colwise() - middle_).array().colwise() / scale_.array()).matrix();
  }
  static Matrix quadratic(const Matrix& x) {
    const Index r = x.rows();
    Matrix basis(1 + r + r * (r + 1) / 2, x.cols());
    basis.row(0).setOnes();
    basis.middleRows(1, r) = x;
    Index at = 1 + r;
    for (Index a = 0; a < r; ++a) {
      for (Index b = a; b < r; ++b) basis.row(at++) = x.row(a).cwiseProduct(x.row(b));
    }
    return basis;
  }
  static Matrix kernel(const Matrix& x, const Matrix& y, double length) {
    Matrix result(x.cols(), y.cols());
    for (Index j = 0; j < y.cols(); ++j) {
      result.col(j) =
          (-0.5 / (length * length) * (x.colwise() - y.col(j)).colwise().squaredNorm().array())
              .exp()
              .transpose();
    }
    return result;
  }

  Vector middle_, scale_;
  Matrix x_;
  Vector quadratic_, coefficients_;
  double length_ = 1;
};

}  // namespace

// Beyond the box log q(w) goes on in straight lines, with the slope of its face, or down at half a
// nat for every sixth of the box.
Marginal fit_marginal(const Bank& bank, const Conditional& conditional, Index drivers) {
  const Matrix w = bank.x.topRows(drivers);
  const Seen seen = seen_from(bank, conditional.inside);
  const Box box = box_of(w, seen);
  const Surface surface(points_of(w, seen, box), box);
  const Vector width = box.highest - box.lowest;
  Axes axes;
  std::vector<Vector> places, within;
  for (Index k = 0; k < drivers; ++k) {
    const Index n = kPoints[drivers - 1];
    const double margin = (drivers < 3 ? 0.5 : 0.3) * width(k);
    axes.push_back(
        {box.lowest(k) - margin, (width(k) + 2 * margin) / static_cast<double>(n - 1), n});
    places.push_back(Vector::LinSpaced(n, axes.back().first, axes.back().last()));
    within.push_back(places.back().cwiseMax(box.lowest(k)).cwiseMin(box.highest(k)));
  }
  const Matrix all = grid_points(places), inside = grid_points(within);
  const Vector here = surface.on_grid(within);
  Vector log_density = here;
  Marginal result;
  for (Index k = 0; k < drivers; ++k) {
    const double step = width(k) / 60, middle = box.lowest(k) + 0.5 * width(k);
    std::vector<Vector> before = within;
    for (double& at : before[static_cast<std::size_t>(k)]) at += at < middle ? step : -step;
    const Vector slope = ((here - surface.on_grid(before)) / step).cwiseMin(-3 / width(k));
    log_density += slope.cwiseProduct((all - inside).row(k).transpose().cwiseAbs());
    for (const double side : {-1.0, 1.0}) {
      const auto beyond = side * (all - inside).row(k).transpose().array() > 0;
      result.faces.push_back({k, side, beyond.select(here, -kInf).maxCoeff() - here.maxCoeff()});
    }
  }
  result.density = GridDensity(std::move(axes), log_density);
  return result;
}

}  // namespace ravi
