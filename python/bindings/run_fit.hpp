// What ravi.fit() asks for, and how it is done.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "bindings/fit_fields.hpp"
#include "ravi/options.hpp"

namespace ravi::python {

// How much is shown while a fit runs, and how.
struct Display {
  pybind11::object write;  // write(text)
  bool progress = false;   // the line that moves, and news of a compilation
  bool live = false;       // that line is rewritten
  int width = 100;
};

struct Request {
  std::string name;                   // what the model is called
  std::string data = {};              // as open_model() takes them
  std::unique_ptr<Model> model = {};  // one that is there already; otherwise the name is opened
  std::string reference = {};         // a file, or empty
  Options options = {};
  Display display = {};
};

// The interpreter's lock is held by the caller, and released while the fit runs.
std::shared_ptr<Core> run_fit(const Request& request);

}  // namespace ravi::python
