// A Stan program as one text, with what it includes in place of its #include lines.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/stan/program.hpp"

namespace ravi {

struct SourceLine {
  std::string file;  // as the user gave it, or the name in the directive
  std::size_t line;  // of that file, from 1
};

struct JoinedProgram {
  std::string text;
  std::vector<SourceLine> origins;  // of every line of the text

  // Where a line of the text, from 1, comes from. A line past the end is the last one.
  const SourceLine& origin(std::size_t line) const;
};

// Throws UsageError when an included file is not there, or includes itself.
JoinedProgram joined_program(const StanProgram& program);

}  // namespace ravi
