// A fit as text, and in files for people and for other programs.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ravi/fit.hpp"

namespace ravi {

struct SummaryStyle {
  int width = 100;
  int max_parameters = 24;  // rows of the table; the rest is in fit.json
};

// What a person reads of a fit: the table of parameters, the numbers behind the verdict, the
// verdict, the findings with advice.
std::string summary(const Fit& fit, const SummaryStyle& style = {});

// A kind of file that a fit is written to.
struct OutputKind {
  std::string_view name;  // '#' stands for the number of a chain
  std::string_view what;  // it holds, in a line
};
std::vector<OutputKind> output_kinds();

class FolderLock;

// A folder to write fits to: worth having before a long fit. While it lives, nobody else's fit can
// be written there, by this program or another.
class OutputFolder {
 public:
  // Makes the folder and checks that a fit can be written there. Throws UsageError when an earlier
  // fit is there and overwrite is false, EnvironmentError when the folder cannot be written to or
  // another process has it; the message says which.
  explicit OutputFolder(std::string folder, bool overwrite = false);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  // Writes everything that the fit has, and returns the names of the files, the first of which is
  // fit.json. A fit without draws, one that failed, has no files of draws. The reference, if given,
  // is drawn in the report. Files of an earlier fit that this one does not replace are removed.
  // Each file is written whole or not at all. When some cannot be written, or *stop_requested
  // becomes true, EnvironmentError says which, and which are there.
  std::vector<std::string> write(const Fit& fit, const Reference* reference = nullptr,
                                 const std::atomic<bool>* stop_requested = nullptr);

 private:
  std::string folder_;
  bool overwrite_;
  std::unique_ptr<FolderLock> lock_;
};

// The same in one go.
std::vector<std::string> write_outputs(const Fit& fit, const std::string& folder,
                                       bool overwrite = false,
                                       const Reference* reference = nullptr);

}  // namespace ravi
