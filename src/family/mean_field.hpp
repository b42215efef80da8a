// The mean-field Gaussian: independent coordinates, lambda = (mu, log sigma), K = 2P.
#pragma once

#include "family/located_normal.hpp"

namespace ravi {

class MeanField final : public LocatedNormal {
 public:
  static constexpr bool kClosed = false;

  explicit MeanField(Index dimension);

  static Index size_for(Index dimension) { return 2 * dimension; }
  Index size() const override { return size_for(dimension()); }
  std::string_view family() const override { return "mean-field"; }
  std::unique_ptr<Approximation> clone() const override;
  void assign(const ConstVectorRef& lambda) override;
  Vector lambda() const override;
  // Takes the diagonal of L.
  Vector lambda_of(const ConstVectorRef& mean, const ConstMatrixRef& l) const override;
  Vector isotropic(const ConstVectorRef& mean, double scale) const override;
  void forward(const ConstMatrixRef& z, MatrixRef theta) const override;
  void inverse(const ConstMatrixRef& theta, MatrixRef z) const override;
  void pull_back(const ConstMatrixRef& z, MatrixRef gradient) const override;
  double log_determinant() const override { return log_sigma_.sum(); }
  bool closed() const override { return kClosed; }
  // Each sigma_i^2 becomes sigma_i^2 / (1 - rho E_ii).
  bool step(const ScoreFit& fit, const StepRule& rule) override;
  double distance(const ScoreFit& fit) const override;
  void widen(double factor) override;
  void elbo_gradient(const ConstMatrixRef& z, const ConstMatrixRef& g,
                     VectorRef gradient) const override;
  // Those of the full-rank Gaussian, without what is below the diagonal.
  void to_units(double reach, VectorRef gradient) const override;
  void move(double reach, const ConstVectorRef& u, VectorRef lambda) const override;
  Vector sd() const override { return sigma_; }
  Matrix cov() const override { return sigma_.array().square().matrix().asDiagonal(); }
  Matrix scale() const override { return sigma_.asDiagonal(); }
  Gaussian moments() const override { return {std::string(family()), mu_, Matrix(), sigma_}; }
  double kl(const Approximation& other) const override;
  std::string component_name(Index k, const std::vector<std::string>& names) const override;

 private:
  void scales_are(Vector sigma);

  Vector log_sigma_, sigma_;
};

}  // namespace ravi
