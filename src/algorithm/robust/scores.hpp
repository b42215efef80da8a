// Draws of q with the score in its coordinates, and the line through it that second-order steps
// follow.
#pragma once

#include <cstdint>

#include "core/rng.hpp"
#include "family/approximation.hpp"

namespace ravi {

// Enough draws that regression on P + 1 coefficients is determined.
Index draws_for_regression(Index dimension);

// How far below that of another q an ELBO is only where q is elsewhere: the divergence of unit
// normals one sd apart in every coordinate, and a few sds more.
double far_below(Index dimension);

// Draws of q with s, the gradient of log p - log q in z ("sticking the landing", Roeder et al.
// 2017): it vanishes at every draw, not only on average, when q = p.
struct ScoreBatch {
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

ScoreBatch draw_scores(const Model& model, const Approximation& q, Index draws,
                       RandomStream stream);

// E by ridge regression of s on z: exact for a Gaussian p once there are more than P + 1 draws.
ScoreFit fit_by_regression(const ScoreBatch& batch);
// E = E[s z'] by the centered moment: unbiased whatever p is, but noisier. With a slope that does
// not depend on the batch, s - slope z takes the place of s and the slope is added afterwards: the
// expectation is the same, and the noise is that of what the slope does not explain.
ScoreFit fit_by_moments(const ScoreBatch& batch);
ScoreFit fit_by_moments(const ScoreBatch& batch, const Matrix& slope);

}  // namespace ravi
