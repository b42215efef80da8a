// What is said when a name is not in a registry.
#include "core/registry.hpp"

#include <fmt/format.h>

#include "core/safe_text.hpp"

namespace ravi {

std::string no_such_name(std::string_view kind, std::string_view name,
                         const std::vector<std::string>& choices) {
  const std::string close = nearest(name, choices);
  return fmt::format("no {} is called '{}'; {}the choices are: {}", kind, safe_line(name),
                     close.empty() ? "" : fmt::format("did you mean '{}'? ", close),
                     fmt::join(choices, ", "));
}

}  // namespace ravi
