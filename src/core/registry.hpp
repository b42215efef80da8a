// Finding an entry of a registry by its name.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/nearest.hpp"
#include "ravi/error.hpp"

namespace ravi {

template <typename Entry>
std::vector<std::string> names_of(std::span<const Entry> registry) {
  std::vector<std::string> names;
  for (const Entry& entry : registry) names.emplace_back(entry.name);
  return names;
}

// "no optimizer is called 'adma'; did you mean 'adam'? The choices are: rmsprop, adagrad, adam"
std::string no_such_name(std::string_view kind, std::string_view name,
                         const std::vector<std::string>& choices);

template <typename Entry>
const Entry& entry_of(std::span<const Entry> registry, std::string_view name,
                      std::string_view kind) {
  const auto found = std::ranges::find(registry, name, &Entry::name);
  if (found == registry.end()) throw UsageError(no_such_name(kind, name, names_of(registry)));
  return *found;
}

}  // namespace ravi
