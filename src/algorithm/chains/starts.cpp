// Where chains start: a narrow q climbs into one mode; a wide one can settle across several, where
// all chains agree on an answer between them.
#include "algorithm/chains/starts.hpp"

#include <array>

#include "core/registry.hpp"
#include "core/starts.hpp"

namespace ravi {
namespace {

Vector narrow(const Approximation& prototype, const Vector& mean) {
  return prototype.isotropic(mean, 0.1);
}

Vector unit(const Approximation& prototype, const Vector& mean) {
  return prototype.isotropic(mean, 1);
}

// The means come first in lambda.
Vector wide(const Approximation& prototype, const Vector& mean) {
  Vector lambda = Vector::Ones(prototype.size());
  lambda.head(mean.size()) = mean;
  return lambda;
}

Vector ones(const Approximation& prototype, const Vector& mean) {
  return wide(prototype, mean.array() + 1);
}

constexpr std::array kStarts = {
    StartEntry{"narrow", "N(0, 0.1^2 I)", narrow},
    StartEntry{"unit", "N(0, I): every element of lambda is 0", unit},
    StartEntry{"wide", "mean 0, and L = e on the diagonal, 1 below: its elements in lambda are 1",
               wide},
    StartEntry{"ones", "the same with mean 1: every element of lambda is 1", ones},
};

}  // namespace

std::span<const StartEntry> start_registry() { return kStarts; }

Vector narrow_start(const Approximation& prototype, std::uint64_t seed, Index number) {
  return narrow(prototype, mirrored_start(prototype.dimension(), seed, number));
}

Vector start_of(const Approximation& prototype, const Options& options, Index chain) {
  const Index p = prototype.dimension();
  const Vector mean =
      options.chains > 1 ? mirrored_start(p, options.seed, chain) : Vector(Vector::Zero(p));
  if (options.start.empty()) return narrow(prototype, mean);
  return entry_of(start_registry(), options.start, "start").lambda(prototype, mean);
}

}  // namespace ravi
