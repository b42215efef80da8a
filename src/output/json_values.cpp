// Numbers, vectors and matrices as JSON.
#include "output/json_values.hpp"

#include <cmath>
#include <limits>

namespace ravi {

OrderedJson number_to_json(double x) {
  if (std::isnan(x)) return nullptr;
  if (std::isinf(x)) return x > 0 ? "Inf" : "-Inf";
  return x;
}

OrderedJson vector_to_json(const ConstVectorRef& x) {
  OrderedJson array = OrderedJson::array();
  for (const double value : x) array.push_back(number_to_json(value));
  return array;
}

OrderedJson matrix_to_json(const ConstMatrixRef& m) {
  OrderedJson array = OrderedJson::array();
  for (Index i = 0; i < m.rows(); ++i) array.push_back(vector_to_json(m.row(i).transpose()));
  return array;
}

double number_from_json(const nlohmann::json& j) {
  if (j.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (j == "Inf") return std::numeric_limits<double>::infinity();
  if (j == "-Inf") return -std::numeric_limits<double>::infinity();
  return j.get<double>();
}

Vector vector_from_json(const nlohmann::json& j) {
  Vector x(static_cast<Index>(j.size()));
  for (std::size_t i = 0; i < j.size(); ++i) x(static_cast<Index>(i)) = number_from_json(j.at(i));
  return x;
}

Matrix matrix_from_json(const nlohmann::json& j) {
  if (j.empty()) return {};
  const auto columns = static_cast<Index>(j.front().size());
  Matrix m(static_cast<Index>(j.size()), columns);
  for (Index i = 0; i < m.rows(); ++i) {
    for (Index c = 0; c < columns; ++c) {
      m(i, c) = number_from_json(j.at(static_cast<std::size_t>(i)).at(static_cast<std::size_t>(c)));
    }
  }
  return m;
}

namespace {

// A name that is not UTF-8, of a file for example, must not keep a fit from being written.
std::string dumped(const OrderedJson& value) {
  return value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace

std::string layout(const OrderedJson& object) {
  std::string text = "{\n";
  for (auto item = object.begin(); item != object.end(); ++item) {
    if (item != object.begin()) text += ",\n";
    text += dumped(item.key()) + ": ";
    const OrderedJson& value = item.value();
    if (value.is_array() && !value.empty() && value.front().is_structured()) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        text += (i == 0 ? "[\n  " : ",\n  ") + dumped(value[i]);
      }
      text += "\n]";
    } else {
      text += dumped(value);
    }
  }
  return text + "\n}\n";
}

}  // namespace ravi
