// The extension ravi._ravi: a fit of a named model or of a Python function, and what is written of
// it.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "algorithm/validate.hpp"
#include "bindings/callable_model.hpp"
#include "bindings/fit_fields.hpp"
#include "bindings/outputs.hpp"
#include "bindings/run_fit.hpp"
#include "core/registry.hpp"
#include "model/model_sizes.hpp"
#include "options/from_text.hpp"
#include "output/option_help.hpp"
#include "ravi/error.hpp"
#include "ravi/version.hpp"

namespace ravi::python {
namespace py = pybind11;
namespace {

// The exceptions are classes of ravi.errors, each derived from one of Python's own.
void raise(const char* kind, const char* message) {
  PyErr_SetString(py::module_::import("ravi.errors").attr(kind).ptr(), message);
}

void translate(std::exception_ptr error) {
  try {
    if (error) std::rethrow_exception(error);
  } catch (const UsageError& e) {
    raise("UsageError", e.what());
  } catch (const EnvironmentError& e) {
    raise("EnvironmentError", e.what());
  }
}

// An option of ravi, or of fit() itself, by name.
void check_name(const std::string& name, const std::vector<std::string>& of_fit) {
  std::vector<std::string> names = option_names();
  if (std::ranges::find(names, name) != names.end()) return;
  names.insert(names.end(), of_fit.begin(), of_fit.end());
  throw UsageError(no_such_name("option", name, names));
}

Options options_of(const std::vector<std::pair<std::string, std::string>>& given,
                   const std::vector<std::string>& of_fit) {
  Options options;
  for (const auto& [name, text] : given) {
    check_name(name, of_fit);
    set_option(options, name, text, name);
  }
  return options;
}

py::dict fit(const std::string& name, const std::string& data, const std::string& reference,
             const std::vector<std::pair<std::string, std::string>>& options,
             const std::vector<std::string>& of_fit, const py::object& function, Index dimension,
             const std::vector<std::string>& names, bool batched, const py::object& write,
             bool progress, bool live, int width) {
  Request request{.name = name,
                  .data = data,
                  .reference = reference,
                  .options = options_of(options, of_fit),
                  .display = {write, progress, live, width}};
  if (!function.is_none()) {
    request.model = std::make_unique<CallableModel>(function, dimension, names, batched);
  }
  return fields_of(run_fit(request));
}

// What can be said of a fit of so many parameters before it begins.
void check(const std::vector<std::pair<std::string, std::string>>& options,
           const std::vector<std::string>& of_fit, Index dimension) {
  validate(options_of(options, of_fit),
           *make_model(dimension, [](const Vector&, Vector&) { return 0.0; }));
}

py::list options_help() {
  py::list list;
  for (const std::string& name : option_names()) {
    list.append(py::make_tuple(name, option_help(name)));
  }
  return list;
}

}  // namespace
}  // namespace ravi::python

PYBIND11_MODULE(_ravi, m) {
  namespace py = pybind11;
  using ravi::python::Core;
  py::register_exception_translator(ravi::python::translate);
  py::class_<Core, std::shared_ptr<Core>> core(m, "Core");
  ravi::python::define_outputs(core);
  m.def("fit", ravi::python::fit, py::kw_only(), py::arg("name"), py::arg("data"),
        py::arg("reference"), py::arg("options"), py::arg("of_fit"), py::arg("function"),
        py::arg("dimension"), py::arg("names"), py::arg("batched"), py::arg("write"),
        py::arg("progress"), py::arg("live"), py::arg("width"));
  m.def("check", ravi::python::check, py::kw_only(), py::arg("options"), py::arg("of_fit"),
        py::arg("dimension"));
  m.attr("most_parameters") = ravi::kMostParameters;
  m.def("options_help", ravi::python::options_help);
  m.def("version", [] { return std::string(ravi::version()); });
}
