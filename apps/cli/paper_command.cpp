// ravi paper: the evaluation of Dhaka et al. (2020) run again; tables, figures, claims.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>

#include "cli/cli.hpp"
#include "cli/flags.hpp"
#include "core/files.hpp"
#include "core/parallel.hpp"
#include "core/registry.hpp"
#include "core/safe_text.hpp"
#include "paper/evaluation.hpp"
#include "paper/runs_csv.hpp"

namespace ravi::cli {
namespace {

constexpr const char* kPaperFooter = R"(
Writes DIR/index.html (tables, figures and claims in one page), DIR/RESULTS.md (the same without
pictures), DIR/*.svg and DIR/runs.csv. Each run is kept in DIR/cache by its settings and the
program: what was interrupted goes on, and --full takes over from --quick what is the same. Runs are
taken seed by seed, so that with --minutes there are about as many seeds of everything.

Parts: table1, table2, figure1, figure2, supplement, claims; all of them unless some are named.

The data of Wine and Radon, and the digits of posteriordb, are not part of ravi:
wine_quality_red.csv, radon.csv and mnist_100.json are looked for in --data-dir, in the folder that
the environment variable RAVI_DATA names, and in ../shared/data. Where they are missing, the page
says where to get them, and the rest is run.

Examples:
  ravi paper
  ravi paper table1 --output table1
  ravi paper --full --threads 8 --data-dir ~/data
  ravi paper --full --minutes 60)";

struct PaperRequest {
  std::vector<std::string> parts;
  std::string output = "paper-results", data_folder, source = ".", threads = "0", minutes;
  bool quick = false, full = false, quiet = false;
};

bool parse_paper_request(const Arguments& args, Console& console, PaperRequest& r) {
  CommandLine line(
      "Run the evaluation of Dhaka et al. (2020) again, and compare with what it printed.",
      "ravi paper");
  line.option("PART", r.parts, "what to run; everything unless given");
  line.flag("--quick", r.quick,
            "few seeds, shorter runs: some minutes on two cores (unless given)");
  line.flag("--full", r.full, "more seeds, longer runs: less than an hour on two cores");
  line.option("--output", r.output, "folder to write to  [paper-results]", "DIR");
  line.option("--data-dir", r.data_folder, "folder with the data of Wine and Radon", "DIR");
  line.option("--source", r.source, "ravi's source folder, which has paper/ in it  [.]", "DIR");
  line.option("--threads", r.threads, "runs at the same time; 0 takes one per core  [0]", "N");
  line.option("--minutes", r.minutes, "begin no run after so many, and show what is done", "N");
  line.flag("--quiet", r.quiet, "print nothing but errors");
  line.footer(kPaperFooter);
  return line.parse(args, console.out);
}

std::string duration(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", std::ceil(seconds));
  if (seconds < 5400) return fmt::format("{:.0f} min", std::ceil(seconds / 60));
  return fmt::format("{:.1f} h", seconds / 3600);
}

// One line that is rewritten, or, where that cannot be, a line for every tenth of the runs.
class ProgressLine {
 public:
  ProgressLine(Console& console, bool quiet) : console_(console), quiet_(quiet) {}

  void show(const paper::LabProgress& p) {
    if (quiet_) return;
    std::string line = fmt::format("{} of {} runs done", p.done, p.all);
    if (p.done < p.all && !std::isnan(p.seconds_left)) {
      line += fmt::format(", about {} left", duration(p.seconds_left));
    }
    if (console_.err_is_terminal) {
      console_.err << erase_line << line << (p.done == p.all ? "\n" : "") << std::flush;
      return;
    }
    const std::size_t tenth = p.all == 0 ? 10 : 10 * p.done / p.all;
    if (tenth == shown_ && p.done < p.all) return;
    shown_ = tenth;
    console_.err << line << std::endl;
  }

 private:
  Console& console_;
  bool quiet_;
  std::size_t shown_ = 11;  // no tenth at all
};

void write_results(const std::filesystem::path& folder, const paper::Document& document,
                   const paper::Lab& lab) {
  for (const paper::Section& section : document.sections) {
    for (const paper::Block& block : section.blocks) {
      const auto* figures = std::get_if<paper::Figures>(&block);
      if (figures == nullptr) continue;
      for (const paper::Figure& f : *figures) write_atomically(folder / f.file, f.svg);
    }
  }
  write_atomically(folder / "runs.csv", paper::runs_csv(lab));
  write_atomically(folder / "RESULTS.md", paper::to_markdown(document));
  write_atomically(folder / "index.html", paper::to_html(document));
}

}  // namespace

int paper_command(const Arguments& args, Console& console) {
  PaperRequest r;
  if (parse_paper_request(args, console, r)) return kTrustworthy;
  if (r.quick && r.full) throw UsageError("--quick or --full, not both");
  const std::vector<std::string> known(paper::kParts.begin(), paper::kParts.end());
  for (const std::string& part : r.parts) {
    if (std::ranges::find(known, part) == known.end()) {
      throw UsageError(no_such_name("part", part, known));
    }
  }
  const int threads = parse_number<int>(r.threads, "--threads");
  if (threads < 0)
    throw UsageError(fmt::format("--threads = {}, but it must be 0 or more", threads));
  const double minutes =
      r.minutes.empty() ? paper::kNoLimit : parse_number<double>(r.minutes, "--minutes");
  if (!(minutes > 0)) {
    throw UsageError(fmt::format("--minutes = {}, but it must be above 0", r.minutes));
  }
  const paper::Library library(r.source, r.data_folder);
  std::error_code ignored;
  if (!std::filesystem::exists(library.own_file("printed.json"), ignored)) {
    throw UsageError(
        fmt::format("{} is not there: run this in ravi's source folder, or name it with "
                    "--source",
                    library.own_file("printed.json")));
  }
  const paper::Printed printed = paper::read_printed(library.own_file("printed.json"));
  const paper::Effort effort = r.full ? paper::full_effort() : paper::quick_effort();
  const std::filesystem::path folder = r.output;
  const paper::Cache cache(folder / "cache");

  paper::Lab lab(library);
  paper::evaluate(r.parts, lab, effort, printed);  // to learn which runs are needed
  const CleanEnd while_working(console);
  ProgressLine line(console, r.quiet);
  lab.work(cache, resolve_threads(threads), 60 * minutes, console.stop_requested,
           [&](const paper::LabProgress& progress) { line.show(progress); });
  const paper::Share share = lab.done();
  const bool stopped = console.stop_requested && console.stop_requested->load();
  if (!share.complete() && (stopped || share.seeds == 0)) {
    console.err << fmt::format("\n{}; what is done is in {}, and the same command goes on\n",
                               stopped ? "stopped" : "not one seed of everything is done",
                               (folder / "cache").string());
    return kFinished;
  }
  if (!share.complete() && !r.quiet) {
    console.err << fmt::format("\ntime is over: {} of {} runs are done; the same command goes on\n",
                               share.done, share.all);
  }
  write_results(folder, paper::evaluate(r.parts, lab, effort, printed), lab);
  if (!r.quiet) {
    console.out << fmt::format("written: {} and {}\n", (folder / "index.html").string(),
                               (folder / "RESULTS.md").string());
  }
  return kTrustworthy;
}

}  // namespace ravi::cli
