// What Stan says, in words that name the user's file, line and variable.
#pragma once

#include <string>
#include <string_view>

#include "model/stan/joined_program.hpp"

namespace ravi {

// An exception's text in one line, without the names that only the translated program has. Stan's
// complaints about data become sentences: "y has size 5, but the program declares 8".
std::string readable_message(std::string_view message);

// "theta.3" as "theta[3]", "L.2.1" as "L[2,1]".
std::string bracketed_name(std::string_view dotted);

// stanc 2.21's report on a program it could not translate, with the user's file name and line:
// "a.stan:3: ...". `source` is the user's text, because stanc saw a rewritten one; `name` is what
// stanc was told the program is called.
std::string translation_error(std::string_view report, std::string_view file,
                              std::string_view source, std::string_view name);

// Likewise of stanc 3, which was given a joined program.
std::string translation_error(std::string_view report, const JoinedProgram& program);

}  // namespace ravi
