// Every reader of what comes from outside, as a function of bytes that a fuzzer can call.
#pragma once

#include <ostream>
#include <span>
#include <string>
#include <string_view>

namespace ravi::fuzz {

struct Target {
  std::string_view name;  // also that of the folder of its corpus
  // Reads the input, and uses what it read. May throw ravi::Error and nothing else.
  void (*read)(std::string_view input);
  // An input that must be read, where it is too large, or too much of this version, to be kept.
  std::string (*made)() = nullptr;
};

inline std::ostream& operator<<(std::ostream& out, const Target& target) {
  return out << target.name;
}

std::span<const Target> targets();

// True unless the input was refused.
bool accepts(const Target& target, std::string_view input);

}  // namespace ravi::fuzz
