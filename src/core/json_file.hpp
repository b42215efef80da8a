// Reads a file whole, or as JSON, with errors in one line that say where and what rule was broken.
#pragma once

#include <exception>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ravi {

// Throws UsageError when the file is missing, is a folder, cannot be read or is empty.
std::string read_text(const std::string& path);

// What an exception says; one of the JSON library without its label, [json.exception...].
std::string json_problem(const std::exception& error);

// Stricter than the JSON standard asks for: a key may occur only once in an object, and a number
// must fit a double. Throws UsageError, "data.json:3:17: ...", with line and column from 1.
nlohmann::json read_json(const std::string& path);
// The same of a text; messages call it source.
nlohmann::json parse_json(const std::string& text, const std::string& source);

}  // namespace ravi
