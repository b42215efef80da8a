// Runs other programs: what they print is caught, and they end when ravi is asked to.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ravi {

struct ProcessResult {
  int status = 0;  // exit status, or 128 + the signal that ended it
  std::string output = {};
  bool stopped = false;  // because stop() said so
};

using Environment = std::vector<std::pair<std::string, std::string>>;

// Runs a program to its end and returns what it wrote to both its outputs. It reads nothing, and
// gets ravi's environment with some variables changed. stop(), when given, is asked ten times a
// second. Throws EnvironmentError when the program cannot be started.
ProcessResult run_process(const std::vector<std::string>& command, const Environment& changed = {},
                          const std::function<bool()>& stop = {});

// The program of that name on PATH.
std::optional<std::string> find_program(const std::string& name);

}  // namespace ravi
