// The mean-field Gaussian: independent coordinates, lambda = (mu, log sigma), K = 2P.
#pragma once

#include "family/approximation.hpp"

namespace ravi {

class MeanField final : public Approximation {
 public:
  explicit MeanField(Index dimension);

  static Index size_for(Index dimension) { return 2 * dimension; }
  Index size() const override { return size_for(dimension()); }
  std::string_view family() const override { return "mean-field"; }
  std::unique_ptr<Approximation> clone() const override;
  void assign(const ConstVectorRef& lambda) override;
  Vector isotropic(const ConstVectorRef& mean, double scale) const override;
  Vector lambda_of(const ConstVectorRef& mean, const ConstMatrixRef& l) const override;
  Matrix scale() const override { return sigma_.asDiagonal(); }
  void transform(const ConstMatrixRef& z, MatrixRef theta) const override;
  void whiten(const ConstMatrixRef& theta, MatrixRef z) const override;
  double log_determinant() const override { return log_sigma_.sum(); }
  void elbo_gradient(const ConstMatrixRef& z, const ConstMatrixRef& g,
                     VectorRef gradient) const override;
  Vector sd() const override { return sigma_; }
  Matrix cov() const override { return sigma_.array().square().matrix().asDiagonal(); }
  Gaussian moments() const override { return {std::string(family()), mu_, Matrix(), sigma_}; }
  double kl(const Approximation& other) const override;
  std::string component_name(Index k, const std::vector<std::string>& names) const override;

 private:
  Vector log_sigma_, sigma_;
};

}  // namespace ravi
