// The whole evaluation, or parts of it, as one document.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "paper/document.hpp"
#include "paper/lab.hpp"
#include "paper/printed.hpp"
#include "paper/settings.hpp"

namespace ravi::paper {

inline constexpr std::array<std::string_view, 6> kParts = {"table1",  "table2",     "figure1",
                                                           "figure2", "supplement", "claims"};

// Asks the lab for what the parts need and renders what it has; no parts means all of them.
Document evaluate(const std::vector<std::string>& parts, Lab& lab, const Effort& effort,
                  const Printed& printed);

}  // namespace ravi::paper
