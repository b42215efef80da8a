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

// Chains of a first-order optimizer, run and stopped as the paper says.
Options options_of_paper(const Options& given, Index dimension);
Fit fit_as_in_paper(const Model& model, const Options& options, const Observer& observer,
                    const Reference* reference);

// Second-order searches from several starts, then averaging; needs no tuning.
Options options_of_robust(const Options& given, Index dimension);
Fit fit_robustly(const Model& model, const Options& options, const Observer& observer,
                 const Reference* reference);

}  // namespace ravi
