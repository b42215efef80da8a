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

// Where delta keeps a step finite: g / (sqrt(v) + delta) or g / sqrt(v + delta).
inline constexpr std::string_view kOutside = "outside", kInside = "inside";

// What a rule may be told besides its step size, as the options of these names; 0 and empty where
// it has no use for one, or, when given, where it is to take its own.
struct StepRuleSettings {
  double decay = 0, offset = 0;
  std::string_view offset_place = {};
  int squares = 0;
};

struct OptimizerEntry {
  std::string_view name, description;
  std::unique_ptr<Optimizer> (*make_with)(double step_size, const StepRuleSettings& settings,
                                          Index size);
  StepRuleSettings own = {};

  std::unique_ptr<Optimizer> make(double step_size, Index size,
                                  const StepRuleSettings& given = {}) const;
};

std::span<const OptimizerEntry> optimizer_registry();

}  // namespace ravi
