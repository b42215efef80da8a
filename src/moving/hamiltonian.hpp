// Many draws at once, moved by Hamiltonian transitions that leave the posterior as it is.
#pragma once

#include <cstdint>
#include <vector>

#include "family/transport.hpp"

namespace ravi {

// Hamiltonian Monte Carlo (Neal 2011) in z, theta = T(z), with standard normal momenta: where q
// resembles the posterior, a trajectory of a quarter of a period, pi / 2, forgets where it began.
// All draws share one step size, which is learned from the share of them that accept. A draw whose
// trajectory is refused tries again, from the same momentum, with steps a quarter as long (delayed
// rejection, Modi, Barnett and Carpenter 2024): it can move in places that are far narrower than
// others, such as the neck of a funnel, and into them.
//
// Random numbers are addressed by (seed, which, transition), whatever the number of threads.
class HamiltonianDraws {
 public:
  HamiltonianDraws(const Model& model, const Transport& q, const Options& options,
                   std::uint32_t which, Matrix z);

  // One transition of every draw; while it learns, the step size follows the acceptance.
  void move(bool learn);

  // From now on the scales are those of the draws as they are, not those of q.
  void learn_scales();

  const Matrix& z() const { return z_; }
  const Vector& log_density() const { return log_density_; }
  std::int64_t evaluations() const { return evaluations_; }

 private:
  struct Part {  // of the draws, on one thread
    Index first, count;
  };
  struct Phase {  // positions and momenta of some draws
    Matrix z, momentum = {}, gradient = {};
    Vector log_density = {};
    Phase columns(const std::vector<Index>& which) const;
  };
  // The trajectories of one transition, and what they cost.
  struct Trajectories {
    double step_size;
    Index steps;
    std::int64_t evaluations = 0;
  };
  template <typename F>
  void for_every_part(F f) const;
  Index parts() const;
  void evaluate(Phase& at) const;
  Vector energy(const Phase& at) const;
  Phase follow(Trajectories& of, Phase at, Index attempt) const;
  Vector acceptance(Trajectories& of, const Phase& from, const Phase& to, Index attempt,
                    const Vector& refused_before) const;
  Vector refused(Trajectories& of, const Phase& from, Index tries) const;

  const Model& model_;
  const Transport& q_;
  std::uint64_t seed_;
  int threads_;
  std::uint32_t which_;
  Matrix root_, z_, gradient_;  // root_: momenta move z by it; the gradient is in those scales
  Vector log_density_;
  double step_size_;
  Index transition_ = 0;
  std::int64_t evaluations_ = 0;
};

}  // namespace ravi
