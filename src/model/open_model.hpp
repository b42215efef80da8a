// A model by what a user calls it, in the program and in Python.
#pragma once

#include <memory>
#include <string>

#include "ravi/fit.hpp"
#include "ravi/model.hpp"
#include "ravi/stan.hpp"

namespace ravi {

// A built-in's name, a .stan program or a .so library. The data are a .json, .csv or .npy file, a
// JSON text that begins with '{', or nothing. Throws UsageError and what compile_stan() throws.
std::unique_ptr<Model> open_model(const std::string& name, const std::string& data,
                                  const StanOptions& stan);

// The same by what they hold, for the record: the program or library, and the data.
Provenance::Source program_source(const std::string& name);
Provenance::Source data_source(const std::string& data);

}  // namespace ravi
