// The files that a fit can be written to, as methods of ravi._ravi.Core.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "bindings/fit_fields.hpp"

namespace ravi::python {

void define_outputs(pybind11::class_<Core, std::shared_ptr<Core>>& core);

}  // namespace ravi::python
