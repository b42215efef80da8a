// A Gaussian that bends: few drivers of any distribution, and a Gaussian given them.
#include "family/bent.hpp"

#include <utility>

#include "core/numeric.hpp"
#include "core/rng.hpp"

namespace ravi {

void go_inwards(const Bent::Layer& layer, const Matrix& basis, Matrix& y, Matrix& gradient,
                Vector& log_det) {
  const Matrix c = layer.log_scale * basis;
  y = ((layer.k_inverse * y - layer.shift * basis).array() * (-c.array()).exp()).matrix();
  gradient = ((layer.k.transpose() * gradient).array() * c.array().exp()).matrix();
  log_det.array() += layer.log_det + c.colwise().sum().transpose().array();
}

Matrix Bent::drivers_at(const ConstMatrixRef& z) const {
  Matrix w(frame_.drivers, z.cols());
  for (Index i = 0; i < z.cols(); ++i) w.col(i) = marginal_.inverse(z.col(i).head(w.rows()));
  return w;
}

void Bent::forward(const ConstMatrixRef& z, MatrixRef theta) const {
  Matrix x(z.rows(), z.cols());
  x.topRows(frame_.drivers) = drivers_at(z);
  const Matrix basis = basis_.values(x.topRows(frame_.drivers));
  Matrix y = z.bottomRows(z.rows() - frame_.drivers);
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
    const Matrix scale = (layer->log_scale * basis).array().exp();
    y = layer->k * (layer->shift * basis + scale.cwiseProduct(y));
  }
  x.bottomRows(y.rows()) = y;
  theta.noalias() = frame_.a * x;
  theta.colwise() += frame_.mu;
}

void Bent::inverse(const ConstMatrixRef& theta, MatrixRef z) const {
  const Index r = frame_.drivers;
  const Matrix x = frame_.a_inverse * (theta.colwise() - frame_.mu);
  const Matrix basis = basis_.values(x.topRows(r));
  Matrix y = x.bottomRows(x.rows() - r), no_gradient = Matrix::Zero(y.rows(), y.cols());
  Vector log_det = Vector::Zero(y.cols());
  for (const Layer& layer : layers_) go_inwards(layer, basis, y, no_gradient, log_det);
  for (Index i = 0; i < z.cols(); ++i) z.col(i).head(r) = marginal_.at(x.col(i).head(r)).z;
  z.bottomRows(y.rows()) = y;
}

// Of z_w: the log density of a standard normal there, less that of w.
Vector Bent::log_det(const ConstMatrixRef& z) const {
  const Index r = frame_.drivers;
  Vector result(z.cols());
  const Matrix w = drivers_at(z);
  for (Index i = 0; i < z.cols(); ++i) {
    result(i) = frame_.log_det - 0.5 * static_cast<double>(r) * kLog2Pi -
                0.5 * z.col(i).head(r).squaredNorm() - marginal_.at(w.col(i)).log_density;
  }
  const Matrix basis = basis_.values(w);
  for (const Layer& layer : layers_) {
    result.array() += layer.log_det + (layer.log_scale * basis).colwise().sum().transpose().array();
  }
  return result;
}

// Layer by layer for all draws at once; then, for each, from the basis functions to the drivers.
void Bent::pull_back(const ConstMatrixRef& z, MatrixRef gradient) const {
  const Index r = frame_.drivers, p = dimension() - r;
  const Matrix w = drivers_at(z);
  std::vector<DriverBasis::Values> at(static_cast<std::size_t>(z.cols()));
  Matrix basis(basis_.size(), z.cols());
  for (Index i = 0; i < z.cols(); ++i) {
    DriverBasis::Values& here = at[static_cast<std::size_t>(i)];
    here = basis_.at(w.col(i));
    basis.col(i) = here.value;
  }
  std::vector<Matrix> inside(layers_.size()), scale(layers_.size());  // of every layer, its zeta
  Matrix y = z.bottomRows(p);
  for (std::size_t l = layers_.size(); l-- > 0;) {
    const Layer& layer = layers_[l];
    scale[l] = (layer.log_scale * basis).array().exp();
    Matrix out = layer.k * (layer.shift * basis + scale[l].cwiseProduct(y));
    inside[l] = std::exchange(y, std::move(out));
  }
  Matrix of_x = frame_.a.transpose() * gradient, of_basis = Matrix::Zero(basis.rows(), z.cols());
  Matrix of_y = of_x.bottomRows(p);
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const Layer& layer = layers_[l];
    const Matrix h = layer.k.transpose() * of_y;
    of_y = scale[l].cwiseProduct(h);
    const Matrix of_c = (of_y.cwiseProduct(inside[l]).array() + 1).matrix();
    of_basis += layer.shift.transpose() * h + layer.log_scale.transpose() * of_c;
  }
  for (Index i = 0; i < z.cols(); ++i) {
    const GridDensity::Place place = marginal_.at(w.col(i));
    const Vector of_w = of_x.col(i).head(r) +
                        at[static_cast<std::size_t>(i)].slope.transpose() * of_basis.col(i) -
                        place.slope;
    gradient.col(i).head(r) =
        place.dz_dw.transpose().triangularView<Eigen::Upper>().solve(of_w) - z.col(i).head(r);
  }
  gradient.bottomRows(p) = of_y;
}

Gaussian Bent::moments() const {
  constexpr Index kPairs = 2000;
  Matrix z(dimension(), 2 * kPairs), theta(dimension(), 2 * kPairs);
  RandomStream(0, Purpose::bending, stream_of::moments, 0).fill_normal(z.leftCols(kPairs));
  z.rightCols(kPairs) = -z.leftCols(kPairs);
  forward(z, theta);
  const Vector mean = theta.rowwise().mean();
  const Matrix centered = theta.colwise() - mean;
  return {std::string(family()), mean,
          centered * centered.transpose() / static_cast<double>(theta.cols()), Vector()};
}

}  // namespace ravi
