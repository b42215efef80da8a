// Which coordinates drive how the others vary, by the third derivatives of log p.
#pragma once

#include <vector>

#include "bending/bank.hpp"

namespace ravi {

// With s = d + E z + res the score at draws z of a Gaussian, T_ijk = E[res_i (z_j z_k - delta_jk)],
// made symmetric, are the third derivatives of log p on the scale of q (Stein's identity), and
// <T, T> / 12 is what they make of KL(q || p). Products of two halves of the draws have no bias by
// noise. A driver takes with it what T has along its direction.
struct Drivers {
  std::vector<Index> coordinates;  // of theta
  Matrix directions;               // orthonormal, in z
  double left = 0;                 // nats of <T, T> / 12 that they leave
};
// In the coordinates z of N(mu, L L'), the draws in mirrored pairs.
Drivers find_drivers(const Bank& bank, const Matrix& l);
// These ones, whatever the derivatives say.
Drivers drivers_along(const std::vector<Index>& coordinates, const Matrix& l);

}  // namespace ravi
