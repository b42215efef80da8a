// From a start uphill to a mode, one gradient at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>

#include "core/rng.hpp"
#include "ravi/model.hpp"

namespace ravi {

// N(mean, L L'), L lower triangular.
struct NormalNear {
  Vector mean;
  Matrix l;
};

struct Climb {
  Vector theta;          // the highest point
  bool arrived = false;  // at a mode: there was nothing more to gain
  bool begun = true;     // the density could be computed at the start
  double log_density_of_start = std::numeric_limits<double>::quiet_NaN();
  std::int64_t evaluations = 0;
  // Where it did not arrive: a Gaussian on the way that is near to the posterior.
  std::optional<NormalNear> near = {};
};

// L-BFGS (Nocedal and Wright 2006, algorithm 7.4) on log p in coordinates z, theta = start + L z.
// Every coordinate has a curvature of its own to begin with, so that a posterior far away and much
// wider or narrower in some coordinates than in others is reached in a hundred gradients, where
// steps of a search, each with a batch of draws, would take a thousand and more.
//
// A mode need not be where the mass is, and some posteriors have none: a density that grows without
// end, as that of a hierarchical model whose scale goes to zero, is never arrived at. The way there
// leads past the mass all the same: the curvature along it makes a Gaussian of every stop, and a
// few draws tell their ELBO (Pathfinder, Zhang et al. 2022). Without a stream for these draws
// nothing near is looked for.
//
// It ends as well where there is nothing more to learn: at a mode that is known.
Climb climb(
    const Model& model, const Vector& start, const Matrix& l, std::optional<RandomStream> stream,
    const std::atomic<bool>* stop = nullptr,
    const std::function<bool(const Vector&)>& known = [](const Vector&) { return false; });

}  // namespace ravi
