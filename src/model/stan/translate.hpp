// From a Stan program to C++, by the stanc that R's package rstan has.
#pragma once

#include <filesystem>
#include <string_view>

#include "model/stan/build_job.hpp"

namespace ravi {

// Writes program.hpp, the C++ of job's program, into the folder. Throws UsageError, with the user's
// line, when stanc refuses it, and EnvironmentError when stanc cannot be run.
void translate(const BuildJob& job, const Toolchain& tools, const std::filesystem::path& folder);

// How R is told to translate; another way may lead to other C++.
std::string_view translator(const Toolchain& tools);

}  // namespace ravi
