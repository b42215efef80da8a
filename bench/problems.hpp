// The simulated regressions that benchmarks share.
#pragma once

#include <memory>

#include "core/numeric.hpp"
#include "core/rng.hpp"
#include "model/data.hpp"
#include "model/registry.hpp"
#include "model/simulate.hpp"

namespace ravi {

inline std::unique_ptr<Model> linear_model(const SimulatedRegression& s) {
  Data data;
  data.add("N", static_cast<double>(s.X.rows())).add("P", static_cast<double>(s.X.cols()));
  data.add("sigma", s.sigma).add("X", s.X).add("y", s.y);
  return make_builtin("linear-regression", &data);
}

// The same features and coefficients; y_i = 1 with probability logit^-1(x_i' beta).
inline Vector binary_targets(const SimulatedRegression& s, std::uint64_t seed) {
  RandomStream random(seed, Purpose::test, 1, 0);
  Vector y = s.X * s.beta;
  for (double& value : y) value = random.uniform() < inverse_logit(value) ? 1 : 0;
  return y;
}

inline std::unique_ptr<Model> logistic_model(const Matrix& x, const Vector& y) {
  Data data;
  data.add("N", static_cast<double>(x.rows())).add("P", static_cast<double>(x.cols()));
  data.add("X", x).add("y", y);
  return make_builtin("logistic-regression", &data);
}

}  // namespace ravi
