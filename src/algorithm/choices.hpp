// The options whose values are names, and what there is to choose from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ravi {

struct Choice {
  std::string_view name, description;
};

struct NamedOption {
  std::string_view option;  // "rhat_window"
  std::string_view kind;    // "window of R-hat": "no ... is called ..."
  std::string_view title;   // "Windows of R-hat"
  std::vector<Choice> choices;

  std::vector<std::string> names() const;
};

// In the order in which they are listed.
std::vector<NamedOption> named_options();

}  // namespace ravi
