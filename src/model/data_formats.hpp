// The file formats data can be read from.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "model/data.hpp"

namespace ravi {

Data data_from_json(const nlohmann::json& document, const std::string& source);
Data data_from_csv(std::string_view text, const std::string& source);
Data data_from_npy(const std::string& path);

std::string extension_of(const std::string& path);  // ".npy", in lower case

// Adds one JSON value, a number or nested arrays of numbers, under a name.
void add_json(Data& data, const std::string& name, const nlohmann::json& value);

}  // namespace ravi
