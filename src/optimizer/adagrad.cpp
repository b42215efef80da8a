// Adagrad, textbook and windowed.
#include "optimizer/adagrad.hpp"

namespace ravi {
namespace {

template <typename Squares>
void climb(double step_size, const ConstVectorRef& gradient, const Squares& sum, double delta,
           bool inside, VectorRef lambda) {
  if (inside) {
    lambda.array() += step_size * gradient.array() / (delta + sum).sqrt();
  } else {
    lambda.array() += step_size * gradient.array() / (sum.sqrt() + delta);
  }
}

}  // namespace

void Adagrad::step(const ConstVectorRef& gradient, VectorRef lambda) {
  sum_.array() += gradient.array().square();
  climb(step_size_, gradient, sum_.array(), delta_, inside_, lambda);
}

void WindowedAdagrad::step(const ConstVectorRef& gradient, VectorRef lambda) {
  squares_.col(next_) = gradient.array().square();
  next_ = (next_ + 1) % squares_.cols();
  climb(step_size_, gradient, squares_.rowwise().sum().array(), delta_, inside_, lambda);
}

}  // namespace ravi
