// The candidate that a mistyped word was probably meant to be, for "did you mean".
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ravi {

// By optimal string alignment distance (insert, delete, replace, swap neighbors), letter case and
// '_' against '-' not counted. Empty when no candidate is within a third of the word's length
// (at least one edit).
std::string nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace ravi
