// Options from text: numbers that are nothing else, and names that are options.
#include "options/from_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/registry.hpp"
#include "core/safe_text.hpp"
#include "ravi/error.hpp"

namespace ravi {

template <typename Number>
Number parse_number(const std::string& text, std::string_view label, std::string_view or_else) {
  Number parsed{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, parsed);
  if (error == std::errc{} && stop == end) return parsed;
  const char* kind = std::is_floating_point_v<Number> ? "a number"
                     : std::is_unsigned_v<Number>     ? "a whole number from 0"
                                                      : "a whole number";
  const char* why = error == std::errc::result_out_of_range ? ", which is out of range" : "";
  const std::string other = or_else.empty() ? "" : fmt::format(" or '{}'", or_else);
  throw UsageError(
      fmt::format("{} expects {}{}, got '{}'{}", label, kind, other, safe_line(text), why));
}

template int parse_number(const std::string&, std::string_view, std::string_view);
template double parse_number(const std::string&, std::string_view, std::string_view);
template std::uint64_t parse_number(const std::string&, std::string_view, std::string_view);

namespace {

template <typename Value>
Value parse_value(const Field& field, const std::string& text, std::string_view label) {
  if constexpr (std::is_same_v<Value, int>) {
    if (field.may_be_auto()) {
      return text == kAutoWord ? kAuto : parse_number<Value>(text, label, kAutoWord);
    }
  }
  if constexpr (std::is_arithmetic_v<Value>) {
    return parse_number<Value>(text, label);
  } else {
    return text;
  }
}

}  // namespace

std::vector<std::string> option_names() {
  std::vector<std::string> names;
  Options options;
  visit_fields(options, [&](const Field& field, auto&) { names.emplace_back(field.name); });
  return names;
}

void set_option(Options& options, std::string_view field, const std::string& text,
                std::string_view label) {
  std::string name(field);
  std::ranges::replace(name, '-', '_');
  bool known = false;
  visit_fields(options, [&](const Field& f, auto& member) {
    if (f.name != name) return;
    member = parse_value<std::decay_t<decltype(member)>>(f, text, label);
    known = true;
  });
  if (!known)
    throw UsageError(fmt::format("{}: {}", label, no_such_name("option", field, option_names())));
}

}  // namespace ravi
