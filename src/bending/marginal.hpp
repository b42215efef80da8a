// The marginal density of the drivers, from draws of everything.
#pragma once

#include "bending/conditional.hpp"

namespace ravi {

struct Marginal {
  GridDensity density;
  // Of the faces of the box that draws fill, the driver and the side of the highest, and how many
  // nats its highest point is below the top of the density: there may be mass beyond it.
  struct Face {
    Index driver = 0;
    double side = -1, log_density = 0;
  };
  std::vector<Face> faces;
};
Marginal fit_marginal(const Bank& bank, const Conditional& conditional, Index drivers);

}  // namespace ravi
