// Second-order steps on a Gaussian q, in the coordinates in which q is standard normal.
#pragma once

#include <cstdint>

#include "core/rng.hpp"
#include "ravi/model.hpp"
#include "ravi/options.hpp"

namespace ravi {

// theta = mu + L z, z ~ N(0, I), L lower triangular; diagonal for a family of independent
// coordinates.
enum class Shape { full, diagonal };

Shape shape_of(const Options& options);

// Enough draws that regression on P + 1 coefficients is determined.
Index draws_for_regression(Index dimension);

struct WhitenedGaussian {
  Vector mu;
  Matrix l;

  double log_determinant() const { return l.diagonal().array().log().sum(); }
  bool finite() const { return mu.allFinite() && l.allFinite(); }
};

// Draws of q with s = L' grad log p + z, the gradient of log p - log q in z ("sticking the
// landing", Roeder et al. 2017): it vanishes at every draw, not only on average, when q = p.
struct WhitenedBatch {
  Matrix z, s;       // usable draws, in columns
  Vector log_ratio;  // log p - log q
  double elbo = std::numeric_limits<double>::quiet_NaN(), standard_error = 0;
  std::int64_t evaluated = 0, failed = 0;
  Vector first_failure = {};  // theta of the first draw that could not be computed

  // Enough usable draws to trust what they say.
  bool good() const;
  // E |s|^2 / 2, which bounds KL(q || p) where p is log-concave at least as strongly as q.
  double fisher_distance() const;
};

WhitenedBatch draw_whitened(const Model& model, const WhitenedGaussian& q, Index draws,
                            RandomStream stream);

// What a batch says about the optimum. With s = d + E z, which is exact where p is Gaussian, q
// should move by (I - E)^-1 d, and its precision, the identity in these coordinates, should become
// I - E, or the diagonal of it.
struct WhitenedFit {
  Vector d;
  Matrix e;  // symmetric
  // What the line leaves unexplained of the gradient's variation, as a share; infinite when there
  // are too few draws to tell. It grows with the square of q's scale.
  double nonlinearity = std::numeric_limits<double>::infinity();

  // KL(q || optimum) to second order, if s is linear in z.
  double distance(Shape shape) const;
};

// E by ridge regression of s on z: exact for a Gaussian p once there are more than P + 1 draws.
WhitenedFit fit_by_regression(const WhitenedBatch& batch);
// E = E[s z'] by the centered moment: unbiased whatever p is, but noisier. With a slope that does
// not depend on the batch, s - slope z takes the place of s and the slope is added afterwards: the
// expectation is the same, and the noise is that of what the slope does not explain.
WhitenedFit fit_by_moments(const WhitenedBatch& batch);
WhitenedFit fit_by_moments(const WhitenedBatch& batch, const Matrix& slope);

struct StepRule {
  Shape shape = Shape::full;
  double damping = 1;     // rho: the share of the step that is taken
  double cap = 0.75;      // of damped eigenvalues: no variance grows by more than 1 / (1 - cap)
  double radius = 1e300;  // of the step of the mean, in standard deviations
};

// The step in precision form: L L' becomes L (I - rho E)^-1 L', which stays positive definite; for
// a diagonal L, each sigma_i^2 becomes sigma_i^2 / (1 - rho E_ii).
WhitenedGaussian step(const WhitenedGaussian& q, const WhitenedFit& fit, const StepRule& rule,
                      bool* radius_was_binding = nullptr);

// Whether all eigenvalues of a symmetric matrix are below a limit.
bool eigenvalues_below(const Matrix& e, double limit);

}  // namespace ravi
