// Writes a fit to a folder, in files for people and for other programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ravi/fit.hpp"

namespace ravi {

// A kind of file that a fit is written to.
struct OutputKind {
  std::string_view name;  // '#' stands for the number of a chain
  std::string_view what;  // it holds, in a line
};
std::vector<OutputKind> output_kinds();

// Makes the folder and checks that a fit can be written there: worth calling before a long fit.
// Throws UsageError when it cannot, or when an earlier fit is there and overwrite is false.
void prepare_outputs(const std::string& folder, bool overwrite = false);

// Prepares the folder, writes everything that the fit has, and returns the names of the files, the
// first of which is fit.json. A fit without draws, one that failed, has no files of draws. The
// reference, if given, is drawn in the report. Files of an
// earlier fit that this one does not replace are removed. Each file is written whole or not at all.
// When some cannot be written, EnvironmentError says which, and which are there.
std::vector<std::string> write_outputs(const Fit& fit, const std::string& folder,
                                       bool overwrite = false,
                                       const Reference* reference = nullptr);

}  // namespace ravi
