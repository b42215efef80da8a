// Exceptions of ravi: "it did not run". What was learned from a run is a Finding instead.
#pragma once

#include <stdexcept>

namespace ravi {

// The base of all: catch this one to catch them all.
class Error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The request cannot be honored as it stands: an option, a name, a data file (exit status 2).
class UsageError : public Error {
  using Error::Error;
};

// The surroundings failed: a file cannot be written, memory is short (exit status 3).
class EnvironmentError : public Error {
  using Error::Error;
};

}  // namespace ravi
