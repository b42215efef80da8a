// The methods: how the optimum is searched and the search judged.
#pragma once

#include <span>
#include <string_view>

#include "ravi/fit.hpp"

namespace ravi {

struct MethodEntry {
  std::string_view name, description;
  // What it takes for the options that were left open; 0 or empty for those it has no use for.
  Options (*own)(const Options& given, Index dimension);
  Fit (*run)(const Model& model, const Options& options, const Observer& observer,
             const Reference* reference);
};

std::span<const MethodEntry> method_registry();

// The options with those that were left open filled in by the method, and the size of mini-batches
// chosen where that was asked for.
Options filled_in(Options given, const Model& model);
// The same for a model of P parameters and no mini-batches to choose.
Options filled_in(Options given, Index dimension);

}  // namespace ravi
