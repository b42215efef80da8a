// Second-order steps in the coordinates of q, in which it is standard normal.
#pragma once

#include <limits>

#include "ravi/types.hpp"

namespace ravi {

// What draws say about the optimum. With s, the gradient of log p - log q in z, equal to d + E z,
// which is exact where p is Gaussian in z, q should move by (I - E)^-1 d, and its precision, the
// identity in these coordinates, should become I - E.
struct ScoreFit {
  Vector d;
  Matrix e;  // symmetric
  // What the line leaves unexplained of the gradient's variation, as a share; infinite when there
  // are too few draws to tell. It grows with the square of q's scale.
  double nonlinearity = std::numeric_limits<double>::infinity();
};

struct StepRule {
  double damping = 1;     // rho: the share of the step that is taken
  double cap = 0.75;      // of damped eigenvalues: no variance grows by more than 1 / (1 - cap)
  double radius = 1e300;  // of the step of the mean, in standard deviations
};

// rho (I - rho' E)^-1 d and the Cholesky factor of (I - rho' E)^-1, with the eigenvalues of rho' E
// clipped and the move shortened where they must be.
struct NewtonStep {
  enum class Wanted { move_and_root, move };
  Vector move;
  Matrix root = {};  // where wanted
  bool shortened = false;
};
NewtonStep newton_step(const ScoreFit& fit, const StepRule& rule, double damping_of_e,
                       NewtonStep::Wanted wanted);

// Whether all eigenvalues of a symmetric matrix are below a limit.
bool eigenvalues_below(const Matrix& e, double limit);

}  // namespace ravi
