// RMSprop.
#include "optimizer/rmsprop.hpp"

namespace ravi {

void RmsProp::step(const ConstVectorRef& gradient, VectorRef lambda) {
  const auto g = gradient.array();
  if (seeded_) {
    v_.array() = kBeta * v_.array() + (1 - kBeta) * g.square();
  } else {
    v_.array() = g.square();
    seeded_ = true;
  }
  lambda.array() += step_size_ * g / (v_.array().sqrt() + kDelta);
}

}  // namespace ravi
