// From a Gaussian to one that bends: find what drives, fit, draw, and fit again.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "family/approximation.hpp"
#include "family/bent.hpp"

namespace ravi {

// What came of it. Without a q nothing drives, or more than few drivers explain.
struct Bend {
  std::unique_ptr<Bent> q;
  double perplexity = 0;  // of the weights of its draws
  // The driver with mass, perhaps, beyond all draws, if there is one: a coordinate of theta, and
  // on which side.
  struct Open {
    Index coordinate = -1;
    double side = 0;
  };
  std::vector<Open> open;
  std::int64_t gradient_evaluations = 0;
};

// Draws of N(mean, L L') tell the drivers. Then, batch by batch, the layers and the marginal are
// fitted from scratch to all draws so far, with one more layer each time; half of the next batch
// is drawn from the fit, whose weights say how good it is, and half more widely. It ends when two
// batches were good and no face is open, or when they get no better; the best one is kept.
// Random numbers are addressed by (seed, which).
Bend bend(const Model& model, const Approximation& gaussian, const Options& options,
          std::uint32_t which, const std::atomic<bool>* stop);

// Whether that may be tried: of a linear q, and not beyond a number of coordinates.
bool can_bend(const Approximation& gaussian);

// KL(a || b) + KL(b || a), by the same draws always.
double distance(const Transport& a, const Transport& b);

}  // namespace ravi
