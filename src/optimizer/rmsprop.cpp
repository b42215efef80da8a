// RMSprop.
#include "optimizer/rmsprop.hpp"

namespace ravi {

void RmsProp::step(const ConstVectorRef& gradient, VectorRef lambda) {
  const auto g = gradient.array();
  if (seeded_) {
    v_.array() = beta_ * v_.array() + (1 - beta_) * g.square();
  } else {
    v_.array() = g.square();
    seeded_ = true;
  }
  if (inside_) {
    lambda.array() += step_size_ * g / (v_.array() + delta_).sqrt();
  } else {
    lambda.array() += step_size_ * g / (v_.array().sqrt() + delta_);
  }
}

}  // namespace ravi
