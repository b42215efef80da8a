// Stan's JSON data: Stan 2.21 has no reader of its own, and that of later ones is not in R.
#pragma once

#include <algorithm>
#include <cctype>
#include <cmath>
#include <complex>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <stan/io/var_context.hpp>
#include <stdexcept>
#include <string>
#include <vector>
#if __has_include(<stan/io/validate_dims.hpp>)
#include <stan/io/validate_dims.hpp>
#define RAVI_CONTEXT_VALIDATES  // itself: Stan 2.21 does it for every context
#endif

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

// An array without elements may be written as [], whatever its other sizes: it is left out of
// Stan's check of sizes.
inline bool is_empty(const stan::io::var_context& context, const std::string& name,
                     const std::vector<std::size_t>& declared) {
  const bool none = std::find(declared.begin(), declared.end(), 0u) != declared.end();
  return none && context.contains_r(name) && context.vals_r(name).empty();
}

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
  // Of the last index, which is the slowest, 1 is the real part and 2 the imaginary one. Stan 2.21
  // does not ask.
  virtual std::vector<std::complex<double>> vals_c(const std::string& name) const {
    const std::vector<double> values = vals_r(name);
    std::vector<std::complex<double>> numbers(values.size() / 2);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = {values[i], values[i + numbers.size()]};
    }
    return numbers;
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
#ifdef RAVI_CONTEXT_VALIDATES
  void validate_dims(const std::string& stage, const std::string& name, const std::string& type,
                     const std::vector<std::size_t>& declared) const override {
    if (is_empty(*this, name, declared)) return;
    stan::io::validate_dims(*this, stage, name, type, declared);
  }
#endif

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

#ifndef RAVI_CONTEXT_VALIDATES
inline void validate_dims(const stan::io::var_context& context, const std::string& stage,
                          const std::string& name, const std::string& type,
                          const std::vector<std::size_t>& declared) {
  if (is_empty(context, name, declared)) return;
  context.validate_dims(stage, name, type, declared);
}
#endif

}  // namespace ravi_shim
