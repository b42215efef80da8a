// Rewrites the array syntax of Stan 2.26 and later into the one that stanc 2.21 understands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ravi {

// The same program for stanc 2.21, which lacks these forms:
//   array[N] vector<lower=0>[K] v;      vector<lower=0>[K] v[N];
//   array[] real f(array[,] int n)      real[] f(int[,] n)
//   real a, b = 2;                      real a; real b = 2;
//   array[2] real x = {1, 2};           real x[2] = {1.0, 2.0};
//   #include <file>                     #include "file"
//   normal_lupdf(y | mu, 1)             normal_lpdf(y | mu, 1)   (differs by a constant only)
// and a declaration that follows a statement. In a local block it opens a block of its own,
//   x = 1; real y = 2; f(y);            x = 1; { real y = 2; f(y); }
// and where its variable must stay visible (transformed data, transformed parameters, generated
// quantities) it moves in front of the first statement, unless its type names a variable of the
// same block, whose value may come later:
//   x = 1; real y = 2;                  real y; x = 1; y = 2;
// No line is added or removed and no statement changes its line, so messages about line k concern
// line k of the given program. Everything else, all of the old syntax included, stays byte for
// byte as it is: stanc reports what it does not like. Works on included fragments too.
std::string with_old_arrays(std::string_view program);

// The line of the first #include that is not the first thing in its line, 0 if there is none. What
// it names would be left out without a word: stanc 2.21 takes it for a comment.
std::size_t line_of_late_include(std::string_view program);

// The files named by #include directives, in their order, repetitions included.
std::vector<std::string> included_files(std::string_view program);

}  // namespace ravi
