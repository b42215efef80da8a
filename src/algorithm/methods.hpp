// The methods: how the optimum is searched and the search judged.
#pragma once

#include <span>
#include <string_view>

#include "ravi/fit.hpp"

namespace ravi {

struct MethodEntry {
  std::string_view name, description;
  Fit (*run)(const Model& model, const Options& options, const Observer& observer,
             const Reference* reference);
};

std::span<const MethodEntry> method_registry();

// Chains of a first-order optimizer, run and stopped as the paper says.
Fit fit_as_in_paper(const Model& model, const Options& options, const Observer& observer,
                    const Reference* reference);

// Second-order searches from several starts, then averaging; needs no step size.
Fit fit_robustly(const Model& model, const Options& options, const Observer& observer,
                 const Reference* reference);

}  // namespace ravi
