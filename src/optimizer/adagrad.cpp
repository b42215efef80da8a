// Adagrad, textbook and windowed.
#include "optimizer/adagrad.hpp"

namespace ravi {

void Adagrad::step(const ConstVectorRef& gradient, VectorRef lambda) {
  sum_.array() += gradient.array().square();
  lambda.array() += step_size_ * gradient.array() / (sum_.array().sqrt() + kDelta);
}

void WindowedAdagrad::step(const ConstVectorRef& gradient, VectorRef lambda) {
  squares_.col(next_) = gradient.array().square();
  next_ = (next_ + 1) % kWindow;
  lambda.array() +=
      step_size_ * gradient.array() / (kOffset + squares_.rowwise().sum().array()).sqrt();
}

}  // namespace ravi
