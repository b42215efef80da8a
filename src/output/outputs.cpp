// Everything that a fit is written to: the one list of output files.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include "core/files.hpp"
#include "core/memory.hpp"
#include "core/safe_text.hpp"
#include "output/draws.hpp"
#include "output/fit_json.hpp"
#include "output/netcdf.hpp"
#include "output/netcdf_library.hpp"
#include "output/report.hpp"
#include "output/stan_csv.hpp"
#include "ravi/error.hpp"
#include "ravi/output.hpp"

namespace ravi {
namespace {

// What a file is made from.
struct Source {
  const Fit& fit;
  const Reference* reference;
  std::size_t chain;  // of a file per chain
};

struct Output {
  OutputKind kind;
  std::size_t (*count)(const Fit&);  // of files: none, one, or one per chain
  void (*write)(const Source&, const Sink&);
};

void write_json(const Source& source, const Sink& sink) {
  sink(fit_to_json(source.fit, memory_peak_mb()));
}

void write_report(const Source& source, const Sink& sink) {
  sink(report_html(source.fit, source.reference));
}

void write_draws(const Source& source, const Sink& sink) {
  const Answer& answer = *source.fit.average;
  write_stan_csv(source.fit, answer, draws_to_use(answer), 1, sink);
}

void write_draws_of_q(const Source& source, const Sink& sink) {
  const Answer& answer = *source.fit.average;
  write_stan_csv(source.fit, answer, draws_of_q(answer), 1, sink);
}

void write_chain(const Source& source, const Sink& sink) {
  const Answer& answer = source.fit.chains[source.chain];
  write_stan_csv(source.fit, answer, draws_to_use(answer), source.chain + 1, sink);
}

void write_groups(const Source& source, const Sink& sink) { write_netcdf(source.fit, sink); }

std::size_t always(const Fit&) { return 1; }
std::size_t if_drawn(const Fit& fit) { return drawn_answers(fit).empty() ? 0 : 1; }
std::size_t if_averaged(const Fit& fit) { return fit.average ? if_drawn(fit) : 0; }
std::size_t if_corrected(const Fit& fit) {
  return fit.average && corrected(*fit.average) ? if_drawn(fit) : 0;
}
std::size_t if_apart(const Fit& fit) { return fit.average ? 0 : drawn_answers(fit).size(); }

// In the order of writing. The first is what makes a folder the folder of a fit.
constexpr std::array kOutputs = {
    Output{{"fit.json", "everything that was found, but for the draws"}, always, write_json},
    Output{{"draws.csv", "the draws to use, as CmdStan writes them"}, if_averaged, write_draws},
    Output{{"draws_variational.csv", "draws of q as it is, where weights or moves correct it"},
           if_corrected,
           write_draws_of_q},
    Output{{"draws_chain_#.csv", "draws of each chain's own answer, when the chains disagree"},
           if_apart,
           write_chain},
    Output{
        {"fit.nc", "all draws with their weights, for ArviZ and xarray"}, if_drawn, write_groups},
    Output{{"report.html", "all of it as a page"}, always, write_report},
};

std::string file_name(const OutputKind& kind, std::size_t chain) {
  std::string name(kind.name);
  const std::size_t at = name.find('#');
  return at == std::string::npos ? name : name.replace(at, 1, std::to_string(chain + 1));
}

bool is_output(const std::string& name) {
  const auto matches = [&](const Output& output) {
    const std::string_view pattern = output.kind.name;
    const std::size_t at = pattern.find('#');
    if (at == std::string_view::npos) return name == pattern;
    const std::string_view before = pattern.substr(0, at), after = pattern.substr(at + 1);
    if (name.size() < pattern.size() || !name.starts_with(before) || !name.ends_with(after)) {
      return false;
    }
    const auto digits = name.substr(at, name.size() - before.size() - after.size());
    return std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
  };
  return std::ranges::any_of(kOutputs, matches);
}

std::vector<std::string> outputs_in(const std::filesystem::path& folder) {
  std::vector<std::string> found;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (is_output(name)) found.push_back(name);
  }
  std::ranges::sort(found);
  return found;
}

struct File {
  std::string name;
  const Output* output;
  std::size_t chain;
};

std::vector<File> files_of(const Fit& fit) {
  std::vector<File> files;
  for (const Output& output : kOutputs) {
    for (std::size_t chain = 0; chain < output.count(fit); ++chain) {
      files.push_back({file_name(output.kind, chain), &output, chain});
    }
  }
  return files;
}

}  // namespace

std::vector<OutputKind> output_kinds() {
  std::vector<OutputKind> kinds;
  for (const Output& output : kOutputs) kinds.push_back(output.kind);
  return kinds;
}

OutputFolder::OutputFolder(std::string folder, bool overwrite)
    : folder_(std::move(folder)), overwrite_(overwrite) {
  if (folder_.empty()) throw UsageError("the name of the output folder is empty");
  netcdf();  // where it is missing, better now than after the fit
  lock_ = prepare_folder(folder_, outputs_in(folder_), overwrite_);
}

OutputFolder::~OutputFolder() = default;

std::vector<std::string> OutputFolder::write(const Fit& fit, const Reference* reference,
                                             const std::atomic<bool>* stop_requested) {
  // The folder may have gone, or somebody's own file come, since it was prepared.
  if (!overwrite_) refuse_existing(folder_, outputs_in(folder_));
  if (!lock_->in_place()) lock_ = prepare_folder(folder_, {}, true);
  const std::filesystem::path path = folder_;
  const std::vector<File> files = files_of(fit);
  std::vector<std::string> written, missing, reasons;
  const auto go_on = [&](const File& file) {
    if (stop_requested == nullptr || !stop_requested->load()) return;
    throw EnvironmentError(
        fmt::format("{}: writing was interrupted", safe_line((path / file.name).string())));
  };
  const auto attempt = [&](const File& file) {
    try {
      go_on(file);
      write_atomically(path / file.name, [&](const Sink& sink) {
        file.output->write({fit, reference, file.chain}, [&](std::string_view text) {
          go_on(file);
          sink(text);
        });
      });
      written.push_back(file.name);
      return;
    } catch (const std::bad_alloc&) {
      reasons.push_back(fmt::format("{}: out of memory", safe_line((path / file.name).string())));
    } catch (const EnvironmentError& e) {
      reasons.push_back(e.what());
    }
    missing.push_back(file.name);
  };
  const std::vector<std::string> earlier = outputs_in(path);
  attempt(files.front());
  if (missing.empty()) {
    // Beside the new fit.json they would be taken for its own.
    std::error_code ignored;
    for (const std::string& name : earlier) {
      if (name != files.front().name) std::filesystem::remove(path / name, ignored);
    }
    std::for_each(files.begin() + 1, files.end(), attempt);
    if (missing.empty()) return written;
  }
  const std::string shown = safe_line(folder_);
  const bool stopped = stop_requested != nullptr && stop_requested->load();
  throw EnvironmentError(
      fmt::format("{}\n{}\n{}run the fit again: the same seed gives the same answer",
                  stopped ? reasons.front() : fmt::format("{}", fmt::join(reasons, "\n")),
                  !written.empty()  ? fmt::format("written to {}: {}; not written: {}", shown,
                                                  fmt::join(written, " "), fmt::join(missing, " "))
                  : earlier.empty() ? fmt::format("nothing was written to {}", shown)
                                    : fmt::format("the earlier fit in {} is as it was", shown),
                  stopped ? "" : "make room or choose another folder, and "));
}

std::vector<std::string> write_outputs(const Fit& fit, const std::string& folder, bool overwrite,
                                       const Reference* reference) {
  return OutputFolder(folder, overwrite).write(fit, reference);
}

}  // namespace ravi
