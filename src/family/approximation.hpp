// q_lambda: a member of a variational family over R^P, located and scaled standard normals.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ravi/fit.hpp"
#include "ravi/model.hpp"

namespace ravi {

// theta = mu + L z with z ~ N(0, I); families differ in what L may be and in how lambda in R^K
// holds (mu, L). The diagonal of L is held as its logarithm, so that every lambda is a valid q, but
// for averages (averageable()).
// One object holds one member and its unpacked L; chains do not share objects.
class Approximation {
 public:
  explicit Approximation(Index dimension) : mu_(Vector::Zero(dimension)) {}
  virtual ~Approximation() = default;

  Index dimension() const { return mu_.size(); }  // P
  virtual Index size() const = 0;                 // K
  virtual std::string_view family() const = 0;
  virtual std::unique_ptr<Approximation> clone() const = 0;
  // The member of the same family that lambda stands for.
  std::unique_ptr<Approximation> member(const ConstVectorRef& lambda) const;
  // The same member, with a lambda whose averages follow linear changes of theta. Those of L with
  // the logarithm of its diagonal do not: the diagonal gets a geometric mean, and the rest of its
  // column another, so that a column whose elements must nearly cancel no longer does.
  virtual std::unique_ptr<Approximation> averageable() const { return clone(); }

  // Becomes q_lambda; every other member function speaks of that one.
  virtual void assign(const ConstVectorRef& lambda) = 0;
  // The lambda of N(mean, scale^2 I).
  virtual Vector isotropic(const ConstVectorRef& mean, double scale) const = 0;

  // The lambda of N(mean, L L') with L lower triangular; a family of independent coordinates takes
  // the diagonal of L.
  virtual Vector lambda_of(const ConstVectorRef& mean, const ConstMatrixRef& l) const = 0;
  virtual Matrix scale() const = 0;  // L

  // theta = mu + L z and back, for every column.
  virtual void transform(const ConstMatrixRef& z, MatrixRef theta) const = 0;
  virtual void whiten(const ConstMatrixRef& theta, MatrixRef z) const = 0;

  virtual double log_determinant() const = 0;  // log |det L|

  // H[q] = P/2 (1 + log 2 pi) + log |det L|.
  double entropy() const;
  // log q(theta) of the draws theta = mu + L z.
  Vector log_density_at(const ConstMatrixRef& z) const;
  Vector log_density(const ConstMatrixRef& theta) const;

  // Gradient of the ELBO in lambda, from the gradients g_s of log p at theta_s = mu + L z_s:
  //   mean_s (d theta_s / d lambda)' g_s + d H / d lambda.
  virtual void elbo_gradient(const ConstMatrixRef& z, const ConstMatrixRef& g,
                             VectorRef gradient) const = 0;

  const Vector& mean() const { return mu_; }
  virtual Vector sd() const = 0;
  virtual Matrix cov() const = 0;
  // The moments in the form the outputs show them.
  virtual Gaussian moments() const = 0;

  // KL(this || other), both of the same family and dimension.
  virtual double kl(const Approximation& other) const = 0;

  // "mu[beta[3]]", "log L[tau]", "L[tau,mu]": component k of lambda in a reader's words.
  virtual std::string component_name(Index k, const std::vector<std::string>& names) const = 0;

 protected:
  Vector mu_;
};

// KL(a || b) + KL(b || a).
double symmetrized_kl(const Approximation& a, const Approximation& b);

// KL(N(m0, S0) || N(m1, S1)) = (tr(S1^-1 S0) + d' S1^-1 d - P + log|S1| - log|S0|) / 2; inf when
// either covariance is not positive definite.
double gaussian_kl(const ConstVectorRef& mean0, const ConstMatrixRef& cov0,
                   const ConstVectorRef& mean1, const ConstMatrixRef& cov1);

struct FamilyEntry {
  std::string_view name, description;
  Index (*size)(Index dimension);  // K, known without making one
  std::unique_ptr<Approximation> (*make)(Index dimension);
};

std::span<const FamilyEntry> family_registry();

}  // namespace ravi
