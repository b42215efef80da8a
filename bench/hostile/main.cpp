// The hostile posteriors: lists them, checks them, fits them, and sums fits up.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"
#include "posterior.hpp"
#include "run.hpp"
#include "summarize.hpp"

namespace {

constexpr const char* kUsage =
    R"(hostile: posteriors with exact answers that are made to mislead (README.md)

  hostile --list                    names, classes and descriptions
  hostile --check [DRAWS]           each against itself, without any fit
  hostile --seeds 1-5 > fits.jsonl  fits, a line of JSON for each
  hostile --summarize FILE...       tables of such files, side by side

  --only TEXT           those with this in their name or family; may be repeated
  --program-label TEXT  the program's name in the tables
  -j N                  processes at a time, unless given 1
  --factor F            hostile_scaled: again with each limit times F; may be repeated
  --most-seconds X      ... of fits that take no longer, 0.3 unless given
)";

std::vector<std::uint64_t> parse_seeds(const std::string& text) {
  const auto dash = text.find('-');
  const std::uint64_t first = std::stoull(text),
                      last = dash == std::string::npos ? first : std::stoull(text.substr(dash + 1));
  std::vector<std::uint64_t> seeds;
  for (std::uint64_t seed = first; seed <= last; ++seed) seeds.push_back(seed);
  return seeds;
}

int run_checks(const std::vector<hostile::Posterior>& posteriors, int draws) {
  int wrong = 0;
  for (const hostile::Posterior& posterior : posteriors) {
    for (const std::string& line : hostile::check(posterior, draws)) {
      fmt::print("{}: {}\n", posterior.name, line);
      ++wrong;
    }
  }
  fmt::print("{} posteriors checked, {} faults\n", posteriors.size(), wrong);
  return wrong == 0 ? 0 : 1;
}

int start(const std::vector<std::string>& arguments) {
  hostile::Run options;
  std::vector<std::string> only, files;
  enum { help, list, check, fits, summary } mode = help;
  int draws = 100000;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const auto value = [&]() -> const std::string& {
      if (i + 1 == arguments.size()) throw std::runtime_error(argument + " needs a value");
      return arguments[++i];
    };
    if (argument == "--list") {
      mode = list;
    } else if (argument == "--check") {
      mode = check;
      if (i + 1 < arguments.size() && arguments[i + 1][0] != '-') draws = std::stoi(value());
    } else if (argument == "--seeds") {
      mode = fits;
      options.seeds = parse_seeds(value());
    } else if (argument == "--summarize") {
      mode = summary;
    } else if (argument == "--only") {
      only.push_back(value());
    } else if (argument == "--program-label") {
      options.label = value();
    } else if (argument == "--factor") {
      options.factors.push_back(value());
    } else if (argument == "--most-seconds") {
      options.most_seconds = std::stod(value());
    } else if (argument == "-j") {
      options.processes = std::max(1, std::stoi(value()));
    } else if (mode == summary && argument[0] != '-') {
      files.push_back(argument);
    } else {
      throw std::runtime_error("unknown argument " + argument + "\n" + kUsage);
    }
  }
  if (mode == help) {
    fmt::print("{}", kUsage);
    return 0;
  }
  if (mode == summary) {
    fmt::print("{}", hostile::summarize(files));
    return 0;
  }
  std::vector<hostile::Posterior> chosen;
  for (hostile::Posterior& posterior : hostile::all_posteriors()) {
    bool wanted = only.empty();
    for (const std::string& text : only) {
      wanted = wanted || posterior.name.find(text) != std::string::npos ||
               posterior.family.find(text) != std::string::npos;
    }
    if (wanted) chosen.push_back(std::move(posterior));
  }
  if (mode == check) return run_checks(chosen, draws);
  if (mode == fits) {
    hostile::run(chosen, options, std::cout);
    return 0;
  }
  for (const hostile::Posterior& posterior : chosen) {
    fmt::print("{:28} {:16} P = {:<3} {:20} {}\n", posterior.name, posterior.family,
               posterior.dimension,
               posterior.kind == hostile::Kind::answer ? "right answer exists" : "must be told",
               posterior.description);
  }
  fmt::print("{} posteriors\n", chosen.size());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return start({argv + 1, argv + argc});
  } catch (const std::exception& e) {
    fmt::print(stderr, "hostile: {}\n", e.what());
    return 2;
  }
}
