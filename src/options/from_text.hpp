// Options from text, as a command line, a config file or Python gives them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ravi/options.hpp"

namespace ravi {

// A number from text that holds nothing else. The label names it in messages: "--step-size expects
// a number, got 'fast'"; or_else is a word that would do as well. Throws UsageError.
template <typename Number>
Number parse_number(const std::string& text, std::string_view label, std::string_view or_else = {});

// "family", "method", ...: every option, in the order of the table.
std::vector<std::string> option_names();

// Sets one option from text; dashes in its name count as underscores. Throws UsageError.
void set_option(Options& options, std::string_view field, const std::string& text,
                std::string_view label);

}  // namespace ravi
