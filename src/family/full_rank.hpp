// The full-rank Gaussian: lambda = (mu, L) with L lower triangular, K = P + P(P+1)/2.
#pragma once

#include <cmath>

#include "family/approximation.hpp"

namespace ravi {

// L is packed column by column, the diagonal as its logarithm or as it is.
class FullRank final : public Approximation {
 public:
  enum class Diagonal { logarithm, plain };

  explicit FullRank(Index dimension, Diagonal diagonal = Diagonal::logarithm);

  static Index size_for(Index dimension) { return dimension * (dimension + 3) / 2; }
  Index size() const override { return size_for(dimension()); }
  std::string_view family() const override { return "full-rank"; }
  std::unique_ptr<Approximation> clone() const override;
  std::unique_ptr<Approximation> averageable() const override;
  void assign(const ConstVectorRef& lambda) override;
  Vector isotropic(const ConstVectorRef& mean, double scale) const override;
  Vector lambda_of(const ConstVectorRef& mean, const ConstMatrixRef& l) const override;
  Matrix scale() const override { return l_; }
  void transform(const ConstMatrixRef& z, MatrixRef theta) const override;
  void whiten(const ConstMatrixRef& theta, MatrixRef z) const override;
  double log_determinant() const override { return log_determinant_; }
  void elbo_gradient(const ConstMatrixRef& z, const ConstMatrixRef& g,
                     VectorRef gradient) const override;
  Vector sd() const override { return l_.rowwise().norm(); }
  Matrix cov() const override;
  Gaussian moments() const override { return {std::string(family()), mu_, cov(), Vector()}; }
  double kl(const Approximation& other) const override;
  std::string component_name(Index k, const std::vector<std::string>& names) const override;

 private:
  double packed(double diagonal) const {
    return diagonal_ == Diagonal::plain ? diagonal : std::log(diagonal);
  }

  Diagonal diagonal_;
  Matrix l_;  // zero above the diagonal
  double log_determinant_ = 0;
};

}  // namespace ravi
