// Numbers, vectors and matrices as JSON, and the layout of the files ravi writes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "ravi/model.hpp"

namespace ravi {

using OrderedJson = nlohmann::ordered_json;

// NaN becomes null, the infinities "Inf" and "-Inf"; finite numbers read back bit for bit.
OrderedJson number_to_json(double x);
OrderedJson vector_to_json(const ConstVectorRef& x);
OrderedJson matrix_to_json(const ConstMatrixRef& m);  // a list of rows

double number_from_json(const nlohmann::json& j);
Vector vector_from_json(const nlohmann::json& j);
Matrix matrix_from_json(const nlohmann::json& j);

// An object with one line per key, and one line per element where the elements are records or rows:
// short enough to read, and to compare with diff.
std::string layout(const OrderedJson& object);

}  // namespace ravi
