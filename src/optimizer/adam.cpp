// Adam.
#include "optimizer/adam.hpp"

namespace ravi {

void Adam::step(const ConstVectorRef& gradient, VectorRef lambda) {
  const auto g = gradient.array();
  m_.array() = kBeta1 * m_.array() + (1 - kBeta1) * g;
  v_.array() = kBeta2 * v_.array() + (1 - kBeta2) * g.square();
  beta1_to_t_ *= kBeta1;
  beta2_to_t_ *= kBeta2;
  const double m_scale = 1 / (1 - beta1_to_t_), v_scale = 1 / (1 - beta2_to_t_);
  lambda.array() += step_size_ * (m_scale * m_.array()) / ((v_scale * v_.array()).sqrt() + kDelta);
}

}  // namespace ravi
