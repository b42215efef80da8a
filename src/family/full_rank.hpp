// The full-rank Gaussian: lambda = (mu, L) with L lower triangular, K = P + P(P+1)/2.
#pragma once

#include <cmath>

#include "family/located_normal.hpp"

namespace ravi {

// L is packed column by column, the diagonal as its logarithm, so that every lambda is a valid q,
// or as it is (averageable()): averages of L with the logarithm of its diagonal do not follow
// linear changes of theta. The diagonal gets a geometric mean, and the rest of its column another,
// so that a column whose elements must nearly cancel no longer does.
//
// Draws are mu + L z, or mu + S z with the symmetric root S of L L': the same distribution, and a
// gradient in L with another noise. Only first-order steps in lambda know of S.
class FullRank final : public LocatedNormal {
 public:
  enum class Diagonal { logarithm, plain };
  static constexpr bool kClosed = true;

  explicit FullRank(Index dimension, Diagonal diagonal = Diagonal::logarithm);

  static Index size_for(Index dimension) { return dimension * (dimension + 3) / 2; }
  Index size() const override { return size_for(dimension()); }
  std::string_view family() const override { return "full-rank"; }
  std::unique_ptr<Approximation> clone() const override;
  std::unique_ptr<Approximation> averageable() const override;
  std::unique_ptr<Approximation> by_symmetric_root() const override;
  void assign(const ConstVectorRef& lambda) override;
  Vector lambda() const override { return lambda_of(mu_, l_); }
  Vector lambda_of(const ConstVectorRef& mean, const ConstMatrixRef& l) const override;
  void forward(const ConstMatrixRef& z, MatrixRef theta) const override;
  void inverse(const ConstMatrixRef& theta, MatrixRef z) const override;
  void pull_back(const ConstMatrixRef& z, MatrixRef gradient) const override;
  double log_determinant() const override { return log_determinant_; }
  bool closed() const override { return kClosed; }
  // L L' becomes L (I - rho E)^-1 L', which stays positive definite.
  bool step(const ScoreFit& fit, const StepRule& rule) override;
  double distance(const ScoreFit& fit) const override;
  void widen(double factor) override;
  void elbo_gradient(const ConstMatrixRef& z, const ConstMatrixRef& g,
                     VectorRef gradient) const override;
  // With scales s_i = sd of theta_i, a move u takes q to
  //   mu <- mu + F L u_mu,  F = diag(max(1, reach / s_i)),
  //   L  <- L M,            M lower triangular, M_ij = u_ij below and exp(u_ii) on the diagonal:
  // near the optimum the ELBO has curvature 1 in every u_i where the posterior is Gaussian (2 for
  // u_ii).
  void to_units(double reach, VectorRef gradient) const override;
  void move(double reach, const ConstVectorRef& u, VectorRef lambda) const override;
  Vector sd() const override { return l_.rowwise().norm(); }
  Matrix cov() const override { return l_ * l_.transpose(); }
  Matrix scale() const override { return l_; }
  Gaussian moments() const override { return {std::string(family()), mu_, cov(), Vector()}; }
  double kl(const Approximation& other) const override;
  std::string component_name(Index k, const std::vector<std::string>& names) const override;

 private:
  void scale_is(Matrix l);
  double packed(double diagonal) const {
    return diagonal_ == Diagonal::plain ? diagonal : std::log(diagonal);
  }

  void find_root();
  Matrix by_root(const ConstMatrixRef& of_root) const;

  Diagonal diagonal_;
  Matrix l_;  // zero above the diagonal
  // Of draws by the symmetric root S, S S = L L': its eigenvectors and eigenvalues.
  bool symmetric_ = false;
  Matrix axes_;
  Vector roots_;
  double log_determinant_ = 0;
};

}  // namespace ravi
