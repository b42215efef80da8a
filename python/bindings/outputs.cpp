// The files that a fit can be written to: one line for each.
#include "bindings/outputs.hpp"

#include <pybind11/stl.h>

#include <vector>

#include "core/files.hpp"
#include "output/draws.hpp"
#include "output/fit_json.hpp"
#include "output/netcdf.hpp"
#include "output/report.hpp"
#include "output/terminal.hpp"
#include "ravi/error.hpp"
#include "ravi/output.hpp"

namespace ravi::python {
namespace {

const Reference* reference_of(const Core& c) { return c.reference ? &*c.reference : nullptr; }

}  // namespace

void define_outputs(pybind11::class_<Core, std::shared_ptr<Core>>& core) {
  core.def("text", [](const Core& c, int width, int max_parameters) {
    return summary(c.fit, {.width = width, .max_parameters = max_parameters});
  });
  core.def("json", [](const Core& c) { return fit_to_json(c.fit, c.memory_peak_mb); });
  core.def("write_json", [](const Core& c, const std::string& path) {
    write_atomically(path, fit_to_json(c.fit, c.memory_peak_mb));
  });
  core.def("write_report", [](const Core& c, const std::string& path) {
    write_atomically(path, report_html(c.fit, reference_of(c)));
  });
  core.def("write_netcdf", [](const Core& c, const std::string& path) {
    if (drawn_answers(c.fit).empty()) throw UsageError("there is no answer to draw from");
    write_atomically(path, [&](const Sink& sink) { write_netcdf(c.fit, sink); });
  });
  core.def("write_outputs", [](const Core& c, const std::string& folder, bool overwrite) {
    return write_outputs(c.fit, folder, overwrite, c.reference ? &*c.reference : nullptr);
  });
}

}  // namespace ravi::python
