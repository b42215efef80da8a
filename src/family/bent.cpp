// A Gaussian that bends: few drivers of any distribution, and a Gaussian given them.
#include "family/bent.hpp"

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

void Bent::forward(const ConstMatrixRef& z, MatrixRef theta) const {
  const Index r = frame_.drivers;
  Matrix x(z.rows(), z.cols());
  for (Index i = 0; i < z.cols(); ++i) x.col(i).head(r) = drivers_at(z.col(i));
  const Matrix basis = basis_.values(x.topRows(r));
  Matrix y = z.bottomRows(z.rows() - r);
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
  Matrix w(r, z.cols());
  for (Index i = 0; i < z.cols(); ++i) {
    w.col(i) = drivers_at(z.col(i));
    result(i) = frame_.log_det - 0.5 * static_cast<double>(r) * kLog2Pi -
                0.5 * z.col(i).head(r).squaredNorm() - marginal_.at(w.col(i)).log_density;
  }
  const Matrix basis = basis_.values(w);
  for (const Layer& layer : layers_) {
    result.array() += layer.log_det + (layer.log_scale * basis).colwise().sum().transpose().array();
  }
  return result;
}

void Bent::pull_back(const ConstMatrixRef& z, MatrixRef gradient) const {
  const Index r = frame_.drivers, p = dimension() - r;
  const Matrix of_x = frame_.a.transpose() * gradient;
  for (Index i = 0; i < z.cols(); ++i) {
    const Vector w = drivers_at(z.col(i));
    const DriverBasis::Values basis = basis_.at(w);
    std::vector<Vector> inside(layers_.size());  // of every layer, its zeta
    Vector y = z.col(i).tail(p);
    for (std::size_t l = layers_.size(); l-- > 0;) {
      inside[l] = y;
      const Vector scale = (layers_[l].log_scale * basis.value).array().exp();
      y = layers_[l].k * (layers_[l].shift * basis.value + scale.cwiseProduct(y));
    }
    Vector of_y = of_x.col(i).tail(p), of_w = of_x.col(i).head(r);
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      const Layer& layer = layers_[l];
      const Vector scale = (layer.log_scale * basis.value).array().exp();
      const Vector h = layer.k.transpose() * of_y;
      of_y = scale.cwiseProduct(h);
      const Vector of_c = (of_y.cwiseProduct(inside[l]).array() + 1).matrix();
      of_w += basis.slope.transpose() *
              (layer.shift.transpose() * h + layer.log_scale.transpose() * of_c);
    }
    const GridDensity::Place place = marginal_.at(w);
    const Vector of_z =
        place.dz_dw.transpose().triangularView<Eigen::Upper>().solve(of_w - place.slope);
    gradient.col(i).head(r) = of_z - z.col(i).head(r);
    gradient.col(i).tail(p) = of_y;
  }
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
