// fit.json: a Fit as JSON, schema version 1, and back.
#pragma once

#include <string>

#include "ravi/fit.hpp"

namespace ravi {

inline constexpr int kFitSchema = 1;

// Same seed, same bytes, but for "timing", "memory_peak_mb" and "provenance", which are about the
// run and not the answer. Numbers are written so that they
// read back bit for bit; NaN is null, infinity the string "Inf".
std::string fit_to_json(const Fit& fit, double memory_peak_mb);

// Reads what fit_to_json() wrote; draws are not part of the file. Throws UsageError that names the
// file and the key at fault.
Fit read_fit(const std::string& path);

}  // namespace ravi
