// Second-order steps on a full-rank Gaussian q, in the coordinates in which q is standard normal.
#pragma once

#include <cstdint>
#include <optional>

#include "core/rng.hpp"
#include "ravi/model.hpp"

namespace ravi {

// theta = mu + L z, z ~ N(0, I), L lower triangular.
struct WhitenedGaussian {
  Vector mu;
  Matrix l;

  double log_determinant() const { return l.diagonal().array().log().sum(); }
  bool finite() const { return mu.allFinite() && l.allFinite(); }
};

// KL(a || b) + KL(b || a).
double symmetrized_kl(const WhitenedGaussian& a, const WhitenedGaussian& b);

// Draws of q with s = L' grad log p + z, the gradient of log p - log q in z ("sticking the
// landing", Roeder et al. 2017): it vanishes at every draw, not only on average, when q = p.
struct WhitenedBatch {
  Matrix z, s;       // usable draws, in columns
  Vector log_ratio;  // log p - log q
  double elbo = 0, standard_error = 0;
  std::int64_t evaluated = 0, failed = 0;
  Vector first_failure = {};  // theta of the first draw that could not be computed

  // Enough usable draws to trust what they say.
  bool good() const;
};

WhitenedBatch draw_whitened(const Model& model, const WhitenedGaussian& q, Index draws,
                            RandomStream stream);

// What a batch says about the optimum: with s = d + E z, q should move by d and its precision, the
// identity in these coordinates, should become I - E.
struct WhitenedFit {
  Vector d;
  Matrix vectors;      // of the symmetric part of E
  Vector eigenvalues;  // ascending

  // KL(q || optimum) to second order, if s is linear in z.
  double distance() const { return 0.5 * d.squaredNorm() + 0.25 * eigenvalues.squaredNorm(); }
};

// E by ridge regression of s on z: exact for a Gaussian p once there are more than P + 1 draws.
WhitenedFit fit_by_regression(const WhitenedBatch& batch);
// E = E[s z'] by the centered moment: unbiased whatever p is, but noisier.
WhitenedFit fit_by_moments(const WhitenedBatch& batch);

struct StepRule {
  double damping = 1;     // rho: the share of the step that is taken
  double cap = 0.75;      // of damped eigenvalues: no variance grows by more than 1 / (1 - cap)
  double radius = 1e300;  // of the step of the mean, in standard deviations
};

// The step in precision form: L L' becomes L (I - rho E)^-1 L', which stays positive definite.
WhitenedGaussian step(const WhitenedGaussian& q, const WhitenedFit& fit, const StepRule& rule,
                      bool* radius_was_binding = nullptr);

}  // namespace ravi
