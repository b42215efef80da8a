// A Gaussian that bends: few drivers of any distribution, and a Gaussian given them.
#pragma once

#include <vector>

#include "family/driver_basis.hpp"
#include "family/grid_density.hpp"
#include "family/transport.hpp"

namespace ravi {

// theta = mu + A x, x = (w, y): w are the drivers, with q(w) on a grid, and y given w is a standard
// normal zeta behind layers, the first of them next to y:
//   y = K (m(w) + exp(c(w)) o zeta).
class Bent final : public Transport {
 public:
  struct Layer {
    Matrix k, k_inverse;
    Matrix log_scale, shift;  // coefficients of c and m, a row for every coordinate
    double log_det = 0;       // log |det K|
  };
  // z = (z_w, zeta), in the coordinates of a Gaussian N(mu, A A').
  struct Frame {
    Vector mu;
    Matrix a, a_inverse;
    double log_det = 0;
    Index drivers = 1;
    std::vector<Index> driving = {};  // coordinates of theta along which they are
  };

  Bent(Frame frame, DriverBasis basis, std::vector<Layer> layers, GridDensity marginal)
      : frame_(std::move(frame)),
        basis_(std::move(basis)),
        layers_(std::move(layers)),
        marginal_(std::move(marginal)) {}

  std::string_view family() const override { return "bent"; }
  Index dimension() const override { return frame_.mu.size(); }
  void forward(const ConstMatrixRef& z, MatrixRef theta) const override;
  void inverse(const ConstMatrixRef& theta, MatrixRef z) const override;
  Vector log_det(const ConstMatrixRef& z) const override;
  void pull_back(const ConstMatrixRef& z, MatrixRef gradient) const override;

  // Moments have no closed form: these are of a few thousand draws, always the same ones.
  Vector mean() const override { return moments().mean; }
  Vector sd() const override { return moments().cov.diagonal().cwiseSqrt(); }
  Matrix cov() const override { return moments().cov; }
  Gaussian moments() const override;

  const Frame& frame() const { return frame_; }
  const GridDensity& marginal() const { return marginal_; }

 private:
  Matrix drivers_at(const ConstMatrixRef& z) const;

  Frame frame_;
  DriverBasis basis_;
  std::vector<Layer> layers_;
  GridDensity marginal_;
};

// One layer inwards, for draws with their basis functions: y becomes zeta, the gradients g of a log
// density of y those of the density of K m + K exp(c) zeta, but for its determinant, and log_det
// grows by that of the layer.
void go_inwards(const Bent::Layer& layer, const Matrix& basis, Matrix& y, Matrix& gradient,
                Vector& log_det);

}  // namespace ravi
