// A Fit as the keyword arguments of ravi.Fit, ravi.Answer and ravi.Finding.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ravi/fit.hpp"

namespace ravi::python {

// A fit and what goes with it; arrays in Python are views of it, and keep it alive.
struct Core {
  Fit fit;
  std::vector<std::string> unconstrained_names;
  std::optional<Reference> reference;
  double memory_peak_mb = 0;
};

pybind11::dict fields_of(const std::shared_ptr<Core>& core);

}  // namespace ravi::python
