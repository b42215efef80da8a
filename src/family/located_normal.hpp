// What linear families share: theta = mu + L z.
#pragma once

#include "core/numeric.hpp"
#include "family/approximation.hpp"

namespace ravi {

// Families differ in what L may be and in how lambda holds (mu, L).
class LocatedNormal : public Approximation {
 public:
  explicit LocatedNormal(Index dimension) : mu_(Vector::Zero(dimension)) {}

  Index dimension() const override { return mu_.size(); }
  bool linear() const override { return true; }
  virtual double log_determinant() const = 0;  // log |det L|
  Vector log_det(const ConstMatrixRef& z) const override {
    return Vector::Constant(z.cols(), log_determinant());
  }
  // P/2 (1 + log 2 pi) + log |det L|.
  double entropy() const override {
    return 0.5 * static_cast<double>(dimension()) * (1 + kLog2Pi) + log_determinant();
  }
  Vector mean() const override { return mu_; }
  void center_at(const ConstVectorRef& theta) override { mu_ = theta; }

 protected:
  // F of the moves mu <- mu + F L u: the diagonal, max(1, reach / sd).
  Vector stretch(double reach) const { return (reach / sd().array()).max(1.0); }

  Vector mu_;
};

}  // namespace ravi
