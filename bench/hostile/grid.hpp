// Posteriors in one to three coordinates, whose exact answers are sums over a grid.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "posterior.hpp"

namespace hostile {

// The box must hold all of the mass but a negligible part; cells along each coordinate.
struct Box {
  Vector low, high;
  int cells = 1000;
};

Posterior on_grid(std::string name, std::string family, std::string description, Density density,
                  Box box);

}  // namespace hostile
