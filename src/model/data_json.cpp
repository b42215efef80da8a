// Stan-style JSON data: an object of numbers and nested arrays, matrices as rows.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "model/data_formats.hpp"
#include "ravi/error.hpp"

namespace ravi {
namespace {

constexpr std::size_t kMostDimensions = 8;

// NaN, Inf, -Infinity, ...: the strings by which Stan's JSON writes what JSON has no number for.
std::optional<double> non_finite(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.erase(0, 1);
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text != "inf" && text != "infinity") return {};
  constexpr double inf = std::numeric_limits<double>::infinity();
  return negative ? -inf : inf;
}

std::string describe(const nlohmann::json& value) {
  if (value.is_array()) return fmt::format("an array of {}", value.size());
  if (value.is_number()) return "a number";
  if (value.is_null()) return "null";
  return fmt::format("{} {}", value.is_object() ? "an" : "a", value.type_name());
}

// Flattens nested arrays whose shape the first elements have set.
class Flattener {
 public:
  Flattener(const Data& data, const std::string& name, const nlohmann::json& value)
      : data_(data), name_(name) {
    for (const auto* v = &value; v->is_array(); v = &v->front()) {
      dimensions.push_back(static_cast<Index>(v->size()));
      if (dimensions.size() > kMostDimensions) {
        data_.reject(name_, fmt::format("has more than {} dimensions", kMostDimensions));
      }
      if (v->empty()) break;
    }
    visit(value);
  }

  std::vector<Index> dimensions;
  std::vector<double> values;

 private:
  void visit(const nlohmann::json& value) {
    const std::size_t level = index_.size();
    if (level < dimensions.size()) {
      if (!value.is_array() || static_cast<Index>(value.size()) != dimensions[level]) {
        data_.reject(here(), fmt::format("is {}, but its first neighbor is an array of {}",
                                         describe(value), dimensions[level]));
      }
      for (const auto& element : value) {
        index_.push_back(static_cast<Index>(&element - &value.front()) + 1);
        visit(element);
        index_.pop_back();
      }
    } else if (value.is_number()) {
      values.push_back(value.get<double>());
    } else if (value.is_array()) {
      data_.reject(here(),
                   fmt::format("is {}, but its first neighbor is a number", describe(value)));
    } else {
      const auto special = value.is_string() ? non_finite(value.get<std::string>()) : std::nullopt;
      if (!special) {
        data_.reject(here(), fmt::format("is {}, but data must be numbers", describe(value)));
      }
      values.push_back(*special);  // Data::add refuses it by name
    }
  }

  std::string here() const {
    return index_.empty() ? name_ : fmt::format("{}[{}]", name_, fmt::join(index_, ","));
  }

  const Data& data_;
  const std::string& name_;
  std::vector<Index> index_;
};

}  // namespace

void add_json(Data& data, const std::string& name, const nlohmann::json& value) {
  Flattener flat(data, name, value);
  data.add(name, std::move(flat.dimensions), std::move(flat.values));
}

Data data_from_json(const nlohmann::json& document, const std::string& source) {
  if (!document.is_object()) {
    throw UsageError(fmt::format("{}: holds {}, but data must be an object of named values", source,
                                 describe(document)));
  }
  Data data(source);
  for (const auto& [name, value] : document.items()) {
    if (value.is_string() && extension_of(value.get<std::string>()) == ".npy") {
      const auto path = std::filesystem::path(source).parent_path() / value.get<std::string>();
      data.add(name, std::make_shared<const NpyArray>(path.string()));
    } else {
      add_json(data, name, value);
    }
  }
  return data;
}

}  // namespace ravi
