// Stan's JSON data for Stan 2.21, which has no reader of its own.
#pragma once

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <stan/io/var_context.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace ravi_shim {

// Unquoted NaN, Infinity and Inf, with or without a sign, are not JSON, but Stan writes and reads
// them: in quotes the parser takes them.
inline std::string with_quoted_specials(const std::string& text) {
  std::string result;
  result.reserve(text.size());
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      result += c;
      if (c == '\\' && i + 1 < text.size()) result += text[++i];
      if (c == '"') in_string = false;
      continue;
    }
    if (c == '"') in_string = true;
    const bool sign = c == '-' || c == '+';
    const std::size_t word = sign ? i + 1 : i;
    if (word < text.size() && (text[word] == 'N' || text[word] == 'I')) {
      std::size_t end = word;
      while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end]))) ++end;
      result += '"' + text.substr(i, end - i) + '"';
      i = end - 1;
      continue;
    }
    result += c;
  }
  return result;
}

inline double special_number(const std::string& name, std::string text) {
  const double infinity = std::numeric_limits<double>::infinity();
  double sign = 1;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    if (text[0] == '-') sign = -1;
    text.erase(0, 1);
  }
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (text == "inf" || text == "infinity") return sign * infinity;
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  throw std::runtime_error(name + " holds the text \"" + text + "\", but only numbers are data");
}

struct Variable {
  std::vector<double> values;  // first index fastest, as Stan wants it
  std::vector<std::size_t> dims;
  bool whole = true;  // every value is a whole number that fits an int
};

class JsonContext : public stan::io::var_context {
 public:
  // An empty text is no data.
  explicit JsonContext(const std::string& text) {
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) return;
    const nlohmann::json j = nlohmann::json::parse(with_quoted_specials(text));
    if (!j.is_object()) throw std::runtime_error("the data are not a JSON object of variables");
    for (auto entry = j.begin(); entry != j.end(); ++entry) {
      variables_.emplace(entry.key(), read(entry.key(), entry.value()));
    }
  }

  bool contains_r(const std::string& name) const override { return variables_.count(name) > 0; }
  bool contains_i(const std::string& name) const override {
    return contains_r(name) && variables_.at(name).whole;
  }
  std::vector<double> vals_r(const std::string& name) const override {
    return contains_r(name) ? variables_.at(name).values : std::vector<double>();
  }
  std::vector<int> vals_i(const std::string& name) const override {
    if (!contains_i(name)) return {};
    const std::vector<double>& values = variables_.at(name).values;
    return std::vector<int>(values.begin(), values.end());
  }
  std::vector<std::size_t> dims_r(const std::string& name) const override {
    return contains_r(name) ? variables_.at(name).dims : std::vector<std::size_t>();
  }
  std::vector<std::size_t> dims_i(const std::string& name) const override { return dims_r(name); }
  void names_r(std::vector<std::string>& names) const override {
    for (const auto& entry : variables_) names.push_back(entry.first);
  }
  void names_i(std::vector<std::string>& names) const override {
    for (const auto& entry : variables_) {
      if (entry.second.whole) names.push_back(entry.first);
    }
  }

 private:
  static double number(const std::string& name, const nlohmann::json& j) {
    if (j.is_number()) return j.get<double>();
    if (j.is_string()) return special_number(name, j.get<std::string>());
    if (j.is_boolean()) return j.get<bool>() ? 1 : 0;
    throw std::runtime_error(name + " holds " + j.type_name() + ", but only numbers are data");
  }

  // JSON nests with the last index fastest; `stride` is the distance of neighbors in Stan's order.
  static void fill(const std::string& name, const nlohmann::json& j, std::size_t depth,
                   std::size_t offset, std::size_t stride, Variable& variable) {
    if (depth == variable.dims.size()) {
      variable.values[offset] = number(name, j);
      return;
    }
    if (!j.is_array() || j.size() != variable.dims[depth]) {
      throw std::runtime_error(name + " is not a rectangular array: its parts differ in size");
    }
    for (std::size_t i = 0; i < j.size(); ++i) {
      fill(name, j[i], depth + 1, offset + i * stride, stride * j.size(), variable);
    }
  }

  static Variable read(const std::string& name, const nlohmann::json& j) {
    Variable variable;
    std::size_t size = 1;
    for (const nlohmann::json* level = &j; level->is_array(); level = &(*level)[0]) {
      variable.dims.push_back(level->size());
      size *= level->size();
      if (level->empty()) break;
    }
    variable.values.resize(size);
    fill(name, j, 0, 0, 1, variable);
    for (const double x : variable.values) {
      variable.whole =
          variable.whole && x == std::floor(x) && std::abs(x) <= std::numeric_limits<int>::max();
    }
    return variable;
  }

  std::map<std::string, Variable> variables_;
};

// Stan's check, but an array without elements may be written as [], whatever its other sizes.
inline void validate_dims(const stan::io::var_context& context, const std::string& stage,
                          const std::string& name, const std::string& type,
                          const std::vector<std::size_t>& declared) {
  const bool none = std::find(declared.begin(), declared.end(), 0u) != declared.end();
  if (none && context.contains_r(name) && context.vals_r(name).empty()) return;
  context.validate_dims(stage, name, type, declared);
}

}  // namespace ravi_shim
