// What drives what, as people read it: "tau drives theta[1..8]".
#include "output/driver_words.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

namespace ravi {
namespace {

// A name without its number in brackets, and that number, if it has one alone.
struct Indexed {
  std::string_view stem;
  long index = -1;
};

Indexed indexed(const std::string& name) {
  const std::size_t open = name.rfind('[');
  long index = -1;
  if (open == std::string::npos || name.back() != ']') return {name};
  const auto [end, error] = std::from_chars(&name[open + 1], &name.back(), index);
  return error == std::errc() && end == &name.back()
             ? Indexed{std::string_view(name).substr(0, open), index}
             : Indexed{name};
}

}  // namespace

std::string names_in_short(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size();) {
    const Indexed first = indexed(names[i]);
    std::size_t next = i + 1;
    while (first.index >= 0 && next < names.size()) {
      const Indexed other = indexed(names[next]);
      if (other.stem != first.stem || other.index != first.index + static_cast<long>(next - i))
        break;
      ++next;
    }
    if (!text.empty()) text += ", ";
    text += next > i + 1 ? fmt::format("{}[{}..{}]", first.stem, first.index,
                                       first.index + static_cast<long>(next - i) - 1)
                         : names[i];
    i = next;
  }
  return text;
}

std::vector<std::string> drivers_text(const Answer& answer) {
  std::vector<std::string> lines;
  if (!answer.bending || !answer.bending->kept) return lines;
  for (const Driver& driver : answer.bending->drivers) {
    std::vector<std::string> names;
    for (const Driven& d : driver.driven) names.push_back(d.name);
    lines.push_back(fmt::format("{} drives {}", driver.name,
                                names.empty() ? "nothing by much" : names_in_short(names)));
  }
  return lines;
}

}  // namespace ravi
