// What help says of an option.
#include "output/option_help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "algorithm/choices.hpp"
#include "algorithm/methods.hpp"

namespace ravi {
namespace {

std::string choices_of(std::string_view field) {
  for (const NamedOption& named : named_options()) {
    if (named.option == field) return fmt::format(": {}", fmt::join(named.names(), ", "));
  }
  return "";
}

// "METHOD VALUE, METHOD VALUE", for an option whose value depends on the method.
std::string values_by_method(std::string_view name) {
  std::vector<std::string> values;
  for (const MethodEntry& method : method_registry()) {
    const Options own = method.own({}, 1);
    visit_fields(own, [&](const Field& field, const auto& value) {
      if (field.name != name || left_open(value)) return;
      values.push_back(fmt::format("{} {}", method.name, value));
    });
  }
  return fmt::format("{}", fmt::join(values, ", "));
}

}  // namespace

std::string option_help(std::string_view name) {
  std::string help;
  const Options defaults;
  visit_fields(defaults, [&](const Field& field, const auto& standard) {
    if (field.name != name) return;
    const std::string symbol = field.symbol.empty() ? "" : fmt::format("{} = ", field.symbol);
    const std::string value =
        field.by_method() ? values_by_method(field.name) : fmt::format("{}", standard);
    help = std::string(field.meaning) + choices_of(field.name);
    if (!value.empty()) help += fmt::format("  [{}{}]", symbol, value);
  });
  return help;
}

}  // namespace ravi
