// The layers of a bent q, fitted to gradients at draws.
#include "bending/conditional.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"

namespace ravi {
namespace {

// Of regressions, in draws: on constants and functions of drivers, on a coordinate, on products.
constexpr double kRidgeOfConstants = 0.1, kRidgeOfLines = 0.5, kRidgeOfProducts = 2;
constexpr double kRidgeOfFunctions = 1;

// Draws that are far out by the layers so far say little of where the mass is.
Vector weights_of(const Inside& in) {
  const auto p = static_cast<double>(in.zeta.rows());
  const Eigen::ArrayXd far = in.zeta.colwise().squaredNorm().transpose().array() / (2 * p);
  const Eigen::ArrayXd steep = in.score().colwise().squaredNorm().transpose().array() / (4 * p);
  const Vector weights = 1 / (far.max(1.0) * steep.max(1.0));
  return weights * (static_cast<double>(weights.size()) / weights.sum());
}

// Of every row of targets on the rows of x.
Matrix regression(const Matrix& x, const Matrix& targets, const Vector& weights,
                  const Vector& ridge) {
  const Matrix weighted = x * weights.asDiagonal();
  Matrix second = ridge.asDiagonal();
  second.selfadjointView<Eigen::Lower>().rankUpdate(x * weights.cwiseSqrt().asDiagonal());
  return second.selfadjointView<Eigen::Lower>()
      .llt()
      .solve(weighted * targets.transpose())
      .transpose();
}

// 1, v, v v', then u and v_k u for every driver: what a gradient is linear in given w, if the
// precision is linear in v.
struct Regressors {
  Matrix x;
  Vector ridge;
  Index first = 0;  // of u

  Regressors(const Matrix& v, const Matrix& u) {
    const Index r = v.rows(), p = u.rows(), n = u.cols();
    first = 1 + r + r * (r + 1) / 2;
    x.resize(first + p * (1 + r), n);
    ridge.resize(x.rows());
    ridge << Vector::Constant(first, kRidgeOfConstants), Vector::Constant(p, kRidgeOfLines),
        Vector::Constant(p * r, kRidgeOfProducts);
    x.row(0).setOnes();
    x.middleRows(1, r) = v;
    Index at = 1 + r;
    for (Index a = 0; a < r; ++a) {
      for (Index b = a; b < r; ++b) x.row(at++) = v.row(a).cwiseProduct(v.row(b));
    }
    x.middleRows(at, p) = u;
    for (Index k = 0; k < r; ++k) x.middleRows(at + p * (1 + k), p) = u * v.row(k).asDiagonal();
  }
};

Bent::Layer plain_layer(Matrix k, Matrix k_inverse, double log_det, Index functions) {
  const Index p = k.rows();
  return {std::move(k), std::move(k_inverse), Matrix::Zero(p, functions),
          Matrix::Zero(p, functions), log_det};
}

class Fitting {
 public:
  Fitting(const Bank& bank, const Bent::Frame& frame, const DriverBasis& basis, int threads)
      : frame_(frame), r_(frame.drivers), p_(bank.x.rows() - r_), threads_(threads) {
    values_ = basis.values(bank.x.topRows(r_));
    v_ = values_.topRows(r_);
    result_.inside = {bank.x.bottomRows(p_), bank.gradient.bottomRows(p_),
                      Vector::Zero(bank.size())};
  }

  // The coordinates of the model that are not drivers, in units of their sds given all others:
  // those whose precision changes with a driver are scaled by exp(a'v), a half of how fast.
  void center_partially() {
    std::vector<Index> others;
    for (Index k = 0; k < frame_.mu.size(); ++k) {
      if (std::ranges::find(frame_.driving, k) == frame_.driving.end()) others.push_back(k);
    }
    const Matrix b = frame_.a(others, Eigen::all).rightCols(p_);
    const Eigen::PartialPivLU<Matrix> lu(b);
    const Matrix b_inverse = lu.inverse();
    const Vector scale = b_inverse.colwise().norm().cwiseInverse();
    Bent::Layer there =
        plain_layer(b_inverse * scale.asDiagonal(), scale.cwiseInverse().asDiagonal() * b,
                    scale.array().log().sum() - lu.matrixLU().diagonal().array().abs().log().sum(),
                    values_.rows());
    Inside at = result_.inside;
    go_inwards(there, values_, at.zeta, at.gradient, at.log_det);
    const Regressors on(v_, at.zeta);
    const Matrix h = regression(on.x, at.gradient, weights_of(result_.inside), on.ridge);
    bool any = false;
    for (Index k = 0; k < r_; ++k) {
      for (Index i = 0; i < p_; ++i) {
        const double precision = std::max(-h(i, on.first + i), 0.05);
        const double change = -h(i, on.first + p_ * (1 + k) + i) / precision;
        const double a = -0.5 * std::clamp(change, -1.5, 1.5);
        if (std::abs(a) < 0.05) continue;
        there.log_scale(i, k) = a;
        any = true;
      }
    }
    if (!any) return;
    const Bent::Layer back = plain_layer(there.k_inverse, there.k, -there.log_det, values_.rows());
    add(std::move(there));
    add(back);
  }

  void add_layer() {
    Bent::Layer layer = rotation();
    Inside outside = result_.inside;
    go_inwards(layer, values_, outside.zeta, outside.gradient, outside.log_det);
    fit_functions(outside, layer);
    add(std::move(layer));
  }

  Conditional result() && { return std::move(result_); }

 private:
  void add(Bent::Layer layer) {
    Inside& in = result_.inside;
    go_inwards(layer, values_, in.zeta, in.gradient, in.log_det);
    result_.layers.push_back(std::move(layer));
  }

  // K0 R: K0 whitens y at the middle of the drivers, and R are the axes along which its precision
  // changes with the driver that changes it most.
  Bent::Layer rotation() const {
    const Inside& in = result_.inside;
    const Regressors on(v_, in.zeta);
    const Matrix e = regression(on.x, in.score(), weights_of(in), on.ridge);
    const auto symmetric = [&](Index k) -> Matrix {
      const auto of = e.middleCols(on.first + p_ * k, p_);
      return 0.5 * (of + of.transpose());
    };
    const Eigen::SelfAdjointEigenSolver<Matrix> whitening(symmetric(0));
    const Vector scale = (1 - whitening.eigenvalues().array().min(0.9).max(-99.0)).rsqrt();
    const Matrix& q = whitening.eigenvectors();
    const Matrix k0 = q * scale.asDiagonal() * q.transpose();
    Matrix change;
    for (Index k = 1; k <= r_; ++k) {
      const Matrix of = k0 * symmetric(k) * k0;
      if (change.size() == 0 || of.norm() > change.norm()) change = of;
    }
    const Matrix axes = Eigen::SelfAdjointEigenSolver<Matrix>(change).eigenvectors();
    const Matrix inverse = q * scale.cwiseInverse().asDiagonal() * q.transpose();
    return plain_layer(k0 * axes, axes.transpose() * inverse, scale.array().log().sum(),
                       values_.rows());
  }

  // c and m of a layer whose K is known: with zeta = exp(-c) o (u - m) the residual
  //   rho = exp(c) o g + zeta
  // is 2 delta c zeta where c is off by little, and exp(-c) delta m where m is.
  void fit_functions(const Inside& outside, Bent::Layer& layer) const {
    constexpr Index kSteps = 10;
    const Matrix functions = values_.bottomRows(values_.rows() - r_);
    const Index b = functions.rows();
    const Vector common = weights_of(result_.inside);
    parallel_for(p_, threads_, [&](Index i) {
      const Vector u = outside.zeta.row(i), g = outside.gradient.row(i);
      Vector of_c = Vector::Zero(b), of_m = Vector::Zero(b);
      for (Index step = 0; step < kSteps; ++step) {
        const Eigen::ArrayXd c = functions.transpose() * of_c, m = functions.transpose() * of_m;
        const Vector zeta = (u.array() - m) * (-c).exp();
        const Eigen::ArrayXd rho = g.array() * c.exp() + zeta.array();
        // As above, for one coordinate.
        const Eigen::ArrayXd out = (zeta.array().square() / 4).max(1.0),
                             steep = (rho.square() / 4).max(1.0);
        const Vector weights = common.array() / (out * steep);
        Matrix x(2 * b, u.size());
        x << functions * zeta.asDiagonal(), functions * Vector((-c).exp()).asDiagonal();
        const Vector h = regression(x, rho.matrix().transpose(), weights,
                                    Vector::Constant(2 * b, kRidgeOfFunctions))
                             .transpose();
        const double of_scale = (functions.transpose() * h.head(b)).cwiseAbs().maxCoeff() / 2;
        const double of_shift =
            ((functions.transpose() * h.tail(b)).array() * (-c).exp()).abs().maxCoeff();
        const double length = std::max({1.0, of_scale, of_shift / 2});
        of_c += 0.5 * h.head(b) / length;
        of_m += h.tail(b) / length;
        if (!of_c.allFinite() || !of_m.allFinite()) {
          of_c.setZero();
          of_m.setZero();
          break;
        }
        if (std::max(of_scale, of_shift) < 0.01) break;
      }
      layer.log_scale.row(i).tail(b) = of_c;
      layer.shift.row(i).tail(b) = of_m;
    });
  }

  const Bent::Frame& frame_;
  Index r_, p_;
  int threads_;
  Matrix values_, v_;  // of the basis at every draw; the slopes among them
  Conditional result_;
};

}  // namespace

Conditional fit_conditional(const Bank& bank, const Bent::Frame& frame, const DriverBasis& basis,
                            Index layers, int threads) {
  Fitting fitting(bank, frame, basis, threads);
  fitting.center_partially();
  for (Index l = 0; l < layers; ++l) fitting.add_layer();
  return std::move(fitting).result();
}

}  // namespace ravi
