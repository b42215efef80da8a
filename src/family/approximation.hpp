// q_lambda: a member of a variational family over R^P, a map of standard normals.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "family/newton.hpp"
#include "family/transport.hpp"

namespace ravi {

// A smooth T of which lambda in R^K says which it is. Searches and averages work in z as well, and
// ask a family for nothing but what stands here.
// One object holds one member; chains do not share objects.
class Approximation : public Transport {
 public:
  virtual Index size() const = 0;  // K
  virtual std::unique_ptr<Approximation> clone() const = 0;

  // Becomes q_lambda; every other member function speaks of that one.
  virtual void assign(const ConstVectorRef& lambda) = 0;
  virtual Vector lambda() const = 0;
  // The member of the same family that lambda stands for.
  std::unique_ptr<Approximation> member(const ConstVectorRef& lambda) const;
  // The same member, with a lambda whose averages follow linear changes of theta, if there is one.
  virtual std::unique_ptr<Approximation> averageable() const { return clone(); }
  // The same member with the same lambda, drawn by the symmetric root of its covariance, if it has
  // another.
  virtual std::unique_ptr<Approximation> by_symmetric_root() const { return clone(); }
  // The lambda of N(mean, L L') with L lower triangular, or of a member like it.
  virtual Vector lambda_of(const ConstVectorRef& mean, const ConstMatrixRef& l) const = 0;
  virtual Vector isotropic(const ConstVectorRef& mean, double scale) const;

  // Second-order steps. Whether a member behind any linear map of z is a member: the slope of the
  // score vanishes at the optimum then, and q explains all of what it sees but for what bends.
  virtual bool closed() const { return false; }
  // Goes to where the score says that the optimum is, as far as the rule lets it; whether the rule
  // kept the middle from going all the way.
  virtual bool step(const ScoreFit& fit, const StepRule& rule) = 0;
  // KL(q || optimum) to second order, if the score is linear in z.
  virtual double distance(const ScoreFit& fit) const = 0;
  // Same shape: T(0), and the scales around it.
  Vector center() const;
  virtual void center_at(const ConstVectorRef& theta) = 0;
  virtual void widen(double factor) = 0;

  // First-order steps: the gradient of the ELBO in lambda, from the gradients g_s of log p at
  // theta_s = T(z_s): mean_s (d theta_s / d lambda)' g_s + d H / d lambda.
  virtual void elbo_gradient(const ConstMatrixRef& z, const ConstMatrixRef& g,
                             VectorRef gradient) const = 0;
  // ... in units of q itself: moves u in R^K that mean the same change of q whatever its location,
  // scale and correlations are, so that steps of one length suit all of them. A narrow q far from
  // the optimum would crawl in such units; reach is what a step of length 1 covers at the least, in
  // units of theta. The first turns a gradient in lambda into one in u, at u = 0; the second takes
  // the lambda of this q to that of the moved one. Plain lambda where a family has no such units.
  virtual void to_units(double reach, VectorRef gradient) const;
  virtual void move(double reach, const ConstVectorRef& u, VectorRef lambda) const;

  // H[q].
  virtual double entropy() const = 0;
  virtual Matrix scale() const;  // L, lower triangular, with L L' = cov
  // KL(this || other), both of the same family and dimension.
  virtual double kl(const Approximation& other) const = 0;
  // "mu[beta[3]]", "log L[tau]", "L[tau,mu]": component k of lambda in a reader's words.
  virtual std::string component_name(Index k, const std::vector<std::string>& names) const = 0;
};

// KL(a || b) + KL(b || a).
double symmetrized_kl(const Approximation& a, const Approximation& b);

// KL(N(m0, S0) || N(m1, S1)) = (tr(S1^-1 S0) + d' S1^-1 d - P + log|S1| - log|S0|) / 2; inf when
// either covariance is not positive definite.
double gaussian_kl(const ConstVectorRef& mean0, const ConstMatrixRef& cov0,
                   const ConstVectorRef& mean1, const ConstMatrixRef& cov1);

struct FamilyEntry {
  std::string_view name, description;
  bool closed;                     // as the members are; known, like K, without making one
  Index (*size)(Index dimension);  // K
  std::unique_ptr<Approximation> (*make)(Index dimension);
};

std::span<const FamilyEntry> family_registry();

}  // namespace ravi
