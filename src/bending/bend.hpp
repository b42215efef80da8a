// From a Gaussian to one that bends: find what drives, fit, draw, and fit again.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "bending/bank.hpp"
#include "family/approximation.hpp"

namespace ravi {

// What came of it. Without a q nothing drives, or more than few drivers explain.
struct Bend {
  std::unique_ptr<Bent> q = nullptr;
  double perplexity = 0;  // of the weights of the last draws of it, before the last fit
  // A driver with mass, perhaps, beyond all draws: a coordinate of theta, and on which side.
  struct Open {
    Index coordinate = -1;
    double side = 0, log_density = 0;  // there, below its top
  };
  std::vector<Open> open = {};
  Index layers = 0;
  Bank bank = {};  // in the coordinates of q
  std::int64_t gradient_evaluations = 0;
};

// Draws of N(mean, L L') tell the drivers. Then, batch by batch, the layers and the marginal are
// fitted from scratch to all draws so far, with one more layer each time; half of the next batch
// is drawn from the fit, whose weights say how good it is, and half more widely. It ends when two
// batches were good, or when they get no better, and no face is open; q is fitted to all draws.
// Random numbers are addressed by (seed, which). Drivers may be given.
Bend bend(const Model& model, const Approximation& gaussian, const Options& options,
          std::uint32_t which, const std::atomic<bool>* stop, const std::vector<Index>& given = {});

// Two bends that know nothing of each other, but for their drivers: third derivatives do not always
// tell which of two coordinates drives the other, and where the two have found different ones that
// with the worse weights begins again with those of the other.
struct BendPair {
  Bend first, second;
  std::int64_t gradient_evaluations = 0;  // also of what was left
  bool whole() const { return first.q && second.q; }
};
BendPair bend_twice(const Model& model, const Approximation& gaussian, const Options& options,
                    const std::atomic<bool>* stop);

// Fitted to the draws of both, with the drivers of the one that had the better weights.
Bend joined(const Bend& a, const Bend& b, int threads);

// Whether that may be tried: of a linear q whose family has room for any scales, and not beyond a
// number of coordinates.
bool can_bend(const Approximation& gaussian);

// KL(a || b) + KL(b || a) by draws that are always the same; -8 log E_a[(b / a)^(1/2)], which is
// that of normals of one width and does not rest on the few draws that are furthest out.
double distance(const Transport& a, const Transport& b);

}  // namespace ravi
