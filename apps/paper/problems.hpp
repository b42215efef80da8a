// The posteriors of the evaluation: their models, where their data and their truth are.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "paper/runs.hpp"
#include "ravi/fit.hpp"

namespace ravi::paper {

struct Posterior {
  std::string_view name;       // "logistic-boston"
  std::string_view variant;    // "logistic", where the paper's row can be read in two ways
  std::string_view model;      // a built-in one
  std::string_view data;       // a file; empty: the built-in's own, or simulated
  std::string_view reference;  // a file; empty: no truth is known
  std::string_view source;     // where the data can be had, when they are not part of ravi
  // The first author's code has other data, and a reference that can be computed: authors.hpp.
  bool of_authors = false;
};

std::span<const Posterior> posteriors();
const Posterior& posterior_of(std::string_view name);

struct Problem {
  std::unique_ptr<Model> model;
  std::optional<Reference> reference = {};
  // What the printed distances are measured from, where that is not the posterior.
  std::optional<Reference> printed_reference = {};
  // What the ELBO has here and not in the first author's code.
  double elbo_constants = 0;
};

// Finds the files of the evaluation: in the data folder given, the folder that RAVI_DATA names,
// ravi's own source folder, and ../shared/data beside that.
class Library {
 public:
  Library(std::filesystem::path source, const std::string& data_folder);

  bool has(const Posterior& posterior) const;
  // Throws UsageError when a file is missing or wrong.
  Problem load(const Run& run) const;

  // A file of the folder paper/.
  std::string own_file(const std::string& name) const;

 private:
  std::string find(std::string_view file, const std::vector<std::filesystem::path>& places) const;

  std::filesystem::path source_;
  std::vector<std::filesystem::path> data_places_, reference_places_;
};

}  // namespace ravi::paper
