// The density of a map of standard normals.
#include "family/transport.hpp"

#include "core/numeric.hpp"

namespace ravi {

Vector Transport::log_density_at(const ConstMatrixRef& z) const {
  const double constant = -0.5 * static_cast<double>(dimension()) * kLog2Pi;
  return (constant - log_det(z).array()) - 0.5 * z.colwise().squaredNorm().transpose().array();
}

Vector Transport::log_density(const ConstMatrixRef& theta) const {
  Matrix z(theta.rows(), theta.cols());
  inverse(theta, z);
  return log_density_at(z);
}

}  // namespace ravi
