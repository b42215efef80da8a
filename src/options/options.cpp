// Ranges of the options, and what is said when one is left.
#include "ravi/options.hpp"

#include <fmt/format.h>

#include <type_traits>

namespace ravi {

bool Range::contains(double x) const {
  return (low_open ? x > low : x >= low) && (high_open ? x < high : x <= high);
}

std::string Range::text() const {
  return fmt::format("{}{}, {}{}", low_open ? '(' : '[', low, high, high_open ? ')' : ']');
}

std::vector<std::string> range_violations(const Options& options) {
  std::vector<std::string> violations;
  visit_fields(options, [&](const Field& field, const auto& value) {
    if constexpr (std::is_arithmetic_v<std::decay_t<decltype(value)>>) {
      const auto number = static_cast<double>(value);
      if (field.range.contains(number) || (field.may_be_auto() && number == kAuto)) return;
      std::string line =
          fmt::format("{} = {}, but it must lie in {}", field.name, value, field.range.text());
      if (!field.symbol.empty()) line += fmt::format("  ({} in the paper)", field.symbol);
      violations.push_back(line);
    }
  });
  return violations;
}

}  // namespace ravi
