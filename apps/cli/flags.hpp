// Options of a fit from the command line and from config files, driven by the one field table.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command_line.hpp"
#include "options/from_text.hpp"
#include "ravi/options.hpp"

namespace ravi::cli {

// "--step-size" for "step_size".
std::string flag_of(std::string_view field);

// Adds a flag for every option; what the user gives is collected and set by apply_flags().
using GivenFlags = std::vector<std::pair<std::string, std::string>>;  // field, text
void add_flags(CommandLine& line, GivenFlags& given);
void apply_flags(const GivenFlags& given, Options& options);

// Reads options from a .json file (an object of options, or a whole fit.json) or a .toml file.
void apply_config(const std::string& path, Options& options);

// The fit.json that a user means: the file itself, or the folder that holds it.
std::string fit_file(const std::string& path);

}  // namespace ravi::cli
