// What a program uses of later versions of Stan than the one that translates it.
#pragma once

#include <string>
#include <vector>

#include "model/stan/program.hpp"

namespace ravi {

struct NewerStan {
  int minor = 0;                  // 36: Stan 2.36 has all of them; 0 when there is none
  std::vector<std::string> used;  // "sum_to_zero_vector", in the order of the program
};

// Types, functions and statements that came after Stan 2.`minor`, 2.21 or later, and that the
// program does not define itself.
NewerStan newer_stan_of(const StanProgram& program, int minor);

// For the end of an error message: which they are, and how to use a Stan that knows them. Empty
// when there is none.
std::string advice_on_newer_stan(const StanProgram& program, int minor);

}  // namespace ravi
