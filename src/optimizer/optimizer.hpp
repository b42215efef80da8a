// Equation 2 of the paper: lambda <- lambda + eta gamma_t g_t, where rules differ in gamma_t.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "ravi/types.hpp"

namespace ravi {

// Sees a vector and a gradient, nothing else. One object serves one chain; step() climbs.
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  virtual void step(const ConstVectorRef& gradient, VectorRef lambda) = 0;
};

struct OptimizerEntry {
  std::string_view name, description;
  std::unique_ptr<Optimizer> (*make)(double step_size, Index size);
};

std::span<const OptimizerEntry> optimizer_registry();

}  // namespace ravi
