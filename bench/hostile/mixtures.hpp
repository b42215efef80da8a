// Mixtures of normals with diagonal covariance, in any dimension.
#pragma once

#include <string>
#include <vector>

#include "posterior.hpp"

namespace hostile {

struct Component {
  double weight;
  Vector mean, sd;
};

Component component(double weight, const Vector& mean, double sd);
Vector along_axis(Index p, double length);
Vector along_diagonal(Index p, double length);

Posterior normal_mixture(std::string name, std::string family, std::string description,
                         std::vector<Component> components);

}  // namespace hostile
