// Splits a Stan program into tokens: just enough of the grammar to rewrite declarations.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace ravi {

struct StanToken {
  enum class Kind {
    word,          // identifier or keyword
    literal,       // number or string; the 1e-3 of a program may come as several tokens
    symbol,        // one character: a two-character operator comes as two tokens
    include,       // #include and the rest of its line, without a trailing comment or blanks
    late_include,  // the same behind something else in its line, which stanc 2.21 takes for a
                   // comment
  };
  Kind kind;
  std::size_t begin;      // offset of the first character
  std::string_view text;  // part of the program given to stan_tokens; never contains a newline
  std::size_t end() const { return begin + text.size(); }
};

// Comments are no tokens: // and # to the end of the line, and /* ... */.
std::vector<StanToken> stan_tokens(std::string_view program);

// The file that an include token names: #include a.stan, "a.stan" or <a.stan>.
std::string_view included_file(const StanToken& include);

}  // namespace ravi
