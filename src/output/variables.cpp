// Names of quantities as other programs spell them: CmdStan's columns, and arrays in a netCDF file.
#include "output/variables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace ravi {
namespace {

using Names = std::set<std::string, std::less<>>;

// A letter, a digit, '_', or part of a character beyond ASCII.
bool plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

struct Element {
  std::string base;
  std::vector<Index> indices;
};

// "theta[1,2]"; nothing for a name of another form.
std::optional<Element> parse_element(std::string_view name) {
  const std::size_t open = name.find('[');
  if (open == 0 || open == std::string_view::npos || name.back() != ']') return std::nullopt;
  Element element{std::string(name.substr(0, open)), {}};
  if (!std::ranges::all_of(element.base, plain)) return std::nullopt;
  const char* at = name.data() + open + 1;
  const char* const end = name.data() + name.size() - 1;
  while (true) {
    Index index = 0;
    const auto parsed = std::from_chars(at, end, index);
    if (parsed.ec != std::errc() || index < 0) return std::nullopt;
    element.indices.push_back(index);
    if (parsed.ptr == end) return element;
    if (*parsed.ptr != ',') return std::nullopt;
    at = parsed.ptr + 1;
  }
}

// The elements of one array by their place in it, the last index running fastest; nothing unless
// they are counted from 1 and each of them is there exactly once.
struct Gathered {
  std::vector<Index> shape, quantities;
};
std::optional<Gathered> gather(const std::vector<std::pair<Index, std::vector<Index>>>& elements) {
  Gathered array{std::vector<Index>(elements.front().second.size(), 0), {}};
  for (const auto& [quantity, indices] : elements) {
    if (indices.size() != array.shape.size()) return std::nullopt;
    for (std::size_t d = 0; d < indices.size(); ++d) {
      if (indices[d] < 1) return std::nullopt;
      array.shape[d] = std::max(array.shape[d], indices[d]);
    }
  }
  const auto count = static_cast<Index>(elements.size());
  Index size = 1;
  for (const Index n : array.shape) {
    if (n > count / size) return std::nullopt;  // more places than elements
    size *= n;
  }
  array.quantities.assign(elements.size(), -1);
  if (size != count) return std::nullopt;
  for (const auto& [quantity, indices] : elements) {
    Index place = 0;
    for (std::size_t d = 0; d < indices.size(); ++d) {
      place = place * array.shape[d] + indices[d] - 1;
    }
    Index& there = array.quantities[static_cast<std::size_t>(place)];
    if (there >= 0) return std::nullopt;
    there = quantity;
  }
  return array;
}

// What netCDF and Python take as a name: "a b[1]" becomes a_b_1.
std::string sanitized(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (plain(c)) {
      result += c;
    } else if (!result.empty() && result.back() != '_') {
      result += '_';
    }
  }
  if (!plain(name.empty() ? ' ' : name.back()) && result.ends_with('_')) result.pop_back();
  if (result.empty() || (result[0] >= '0' && result[0] <= '9')) result.insert(0, "_");
  return result;
}

// Gives the variable a name that nothing else has, and takes that and those of its dimensions.
void settle_name(ArrayVariable& variable, Names& taken) {
  variable.name = sanitized(variable.original);
  const auto free = [&] {
    if (taken.contains(variable.name)) return false;
    for (std::size_t d = 0; d < variable.shape.size(); ++d) {
      if (taken.contains(variable.dimension(d))) return false;
    }
    return true;
  };
  while (!free()) variable.name += '_';
  taken.insert(variable.name);
  for (std::size_t d = 0; d < variable.shape.size(); ++d) taken.insert(variable.dimension(d));
}

}  // namespace

std::string ArrayVariable::dimension(std::size_t axis) const {
  return fmt::format("{}_dim_{}", name, axis);
}

std::vector<std::string> stan_columns(const std::vector<std::string>& names) {
  Names taken = {"lp__", "log_p__", "log_g__", "mode__"};
  std::vector<std::string> columns;
  for (const std::string& name : names) {
    std::string column;
    for (const char c : name) {
      if (c == '[' || c == ',' || c == '.') {
        column += '.';
      } else if (c != ']') {
        column += plain(c) || c == ':' ? c : '_';
      }
    }
    while (column.empty() || taken.contains(column)) column += '_';
    taken.insert(column);
    columns.push_back(std::move(column));
  }
  return columns;
}

std::vector<ArrayVariable> array_variables(const std::vector<std::string>& names,
                                           std::span<const std::string_view> reserved) {
  std::map<std::string, std::vector<std::pair<Index, std::vector<Index>>>> by_base;
  std::vector<std::string> base_of(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (auto element = parse_element(names[i])) {
      base_of[i] = element->base;
      by_base[element->base].emplace_back(static_cast<Index>(i), std::move(element->indices));
    }
  }
  for (const std::string& name : names) by_base.erase(name);  // theta beside theta[1]
  std::map<std::string, Gathered> arrays;
  for (const auto& [base, elements] : by_base) {
    if (auto array = gather(elements)) arrays.emplace(base, std::move(*array));
  }

  std::vector<ArrayVariable> variables;
  Names taken(reserved.begin(), reserved.end());
  const auto add = [&](ArrayVariable variable) {
    settle_name(variable, taken);
    variables.push_back(std::move(variable));
  };
  Names done;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto array = arrays.find(base_of[i]);
    if (array == arrays.end()) {
      add({"", names[i], {}, {static_cast<Index>(i)}});
    } else if (done.insert(base_of[i]).second) {
      add({"", base_of[i], array->second.shape, array->second.quantities});
    }
  }
  return variables;
}

}  // namespace ravi
