// Stochastic gradient ascent.
#include "optimizer/sgd.hpp"

#include <cmath>

namespace ravi {

void Sgd::step(const ConstVectorRef& gradient, VectorRef lambda) {
  lambda += step_size_ * gradient;
}

void RobbinsMonro::step(const ConstVectorRef& gradient, VectorRef lambda) {
  t_ += 1;
  lambda += step_size_ * std::pow(t_, -0.6) * gradient;
}

}  // namespace ravi
