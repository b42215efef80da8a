// Moves of lambda in units of q itself, for first-order steps that need no tuning.
#pragma once

#include "family/approximation.hpp"

namespace ravi {

// A move u in R^K takes q_lambda, with scales s_i = sd of theta_i, to
//   mu <- mu + F L u_mu,  F = diag(max(1, reach / s_i)),
//   L  <- L M,            M lower triangular, M_ij = u_ij below and exp(u_ii) on the diagonal,
// so that the same u means the same change of q whatever its location, scale and correlations are:
// near the optimum the ELBO has curvature 1 in every u_i where the posterior is Gaussian (2 for
// u_ii), and steps of one length suit all of them. A narrow q far from the optimum would crawl in
// such units; reach is what a step of length 1 covers at the least, in units of theta.
class UnitsOfQ {
 public:
  explicit UnitsOfQ(double reach) : reach_(reach) {}

  // Turns a gradient in lambda into one in u, at u = 0.
  void to_whitened(const Approximation& q, VectorRef gradient) const;
  // lambda is that of q, and becomes that of the moved q.
  void move(const Approximation& q, const ConstVectorRef& u, VectorRef lambda) const;

 private:
  Vector stretch(const Approximation& q) const;  // the diagonal of F

  double reach_;
};

}  // namespace ravi
