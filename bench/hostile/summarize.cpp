// Counts outcomes by class, family and posterior.
#include "summarize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "posterior.hpp"

namespace hostile {

namespace {

using Json = nlohmann::json;
using Fits = std::vector<Json>;

const std::vector<std::string> kOutcomes = {"right",       "silent", "told",
                                            "false alarm", "slow",   "crashed"};

// Programs by label, in the order in which they were first met.
struct Program {
  std::string label;
  Fits fits = {};
};

std::vector<Program> read(const std::vector<std::string>& files) {
  std::vector<Program> programs;
  for (const std::string& file : files) {
    std::ifstream in(file);
    if (!in) throw std::runtime_error("cannot read " + file);
    for (std::string line; std::getline(in, line);) {
      if (line.empty()) continue;
      Json fit = Json::parse(line);
      const std::string label = fit.at("program");
      auto found = std::ranges::find(programs, label, &Program::label);
      if (found == programs.end()) found = programs.insert(programs.end(), {label});
      found->fits.push_back(std::move(fit));
    }
  }
  return programs;
}

Fits where(const Fits& fits, const std::function<bool(const Json&)>& holds) {
  Fits out;
  std::ranges::copy_if(fits, std::back_inserter(out), holds);
  return out;
}

long count(const Fits& fits, const std::string& outcome) {
  return std::ranges::count_if(fits, [&](const Json& f) { return f.at("outcome") == outcome; });
}

std::vector<double> numbers(const Fits& fits, const char* key) {
  std::vector<double> out;
  for (const Json& fit : fits) {
    if (fit.contains(key) && fit[key].is_number()) out.push_back(fit[key].get<double>());
  }
  std::ranges::sort(out);
  return out;
}

std::string of_median(const std::vector<double>& sorted) {
  return sorted.empty() ? "-" : fmt::format("{:.3g}", sorted[sorted.size() / 2]);
}
std::string of_largest(const std::vector<double>& sorted) {
  return sorted.empty() ? "-" : fmt::format("{:.3g}", sorted.back());
}

// "right 2, told 1"
std::string outcomes(const Fits& fits) {
  std::string out;
  for (const std::string& outcome : kOutcomes) {
    const long n = count(fits, outcome);
    if (n > 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", outcome, n);
  }
  return out.empty() ? "-" : out;
}

std::string in_a_cell(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string totals(const std::vector<Program>& programs) {
  std::string out =
      "| posteriors | program | fits | right and said so | silent | told | false alarm "
      "| slow | crashed | CPU s, median | worst | sum | gradients, median |\n"
      "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: "
      "|\n";
  const std::pair<const char*, std::function<bool(const Json&)>> groups[] = {
      {"hostile, a right answer exists",
       [](const Json& f) {
         return f.at("class") == "right answer exists" && f.at("family") != "easy";
       }},
      {"must be told", [](const Json& f) { return f.at("class") == "must be told"; }},
      {"easy", [](const Json& f) { return f.at("family") == "easy"; }},
      {"all", [](const Json&) { return true; }},
  };
  for (const auto& [title, holds] : groups) {
    for (const Program& program : programs) {
      const Fits fits = where(program.fits, holds);
      if (fits.empty()) continue;
      out += fmt::format("| {} | {} | {} |", title, program.label, fits.size());
      for (const std::string& outcome : kOutcomes) {
        const long n = count(fits, outcome);
        out += fmt::format(" {} ({:.1f} %) |", n,
                           100.0 * static_cast<double>(n) / static_cast<double>(fits.size()));
      }
      const std::vector<double> cpu = numbers(fits, "cpu_seconds");
      double sum = 0;
      for (const double c : cpu) sum += c;
      out += fmt::format(" {} | {} | {:.0f} | {} |\n", of_median(cpu), of_largest(cpu), sum,
                         of_median(numbers(fits, "gradients")));
    }
  }
  return out;
}

std::string by(const std::vector<Program>& programs, const char* key, bool details) {
  std::vector<std::string> values;
  for (const Program& program : programs) {
    for (const Json& fit : program.fits) {
      const std::string value = fit.at(key);
      if (std::ranges::find(values, value) == values.end()) values.push_back(value);
    }
  }
  // In the order of the list, whatever order fits ended in.
  std::vector<std::string> order;
  std::map<std::string, std::string> description;
  for (const Posterior& p : all_posteriors()) {
    const std::string& value = details ? p.name : p.family;
    description[p.name] = in_a_cell(p.description);
    if (std::ranges::find(order, value) == order.end()) order.push_back(value);
  }
  std::ranges::stable_sort(values, {}, [&](const std::string& value) {
    return std::ranges::find(order, value) - order.begin();
  });

  std::string out = details ? "| posterior | P |" : "| family |",
              rule = details ? "| --- | ---: |" : "| --- |";
  for (const Program& program : programs) {
    out += fmt::format(" {} |", program.label);
    rule += " --- |";
    if (!details) continue;
    out += " verdicts | error | sd ratio | CPU s |";
    rule += " --- | ---: | ---: | ---: |";
  }
  if (details) out += " what it is |", rule += " --- |";
  out += "\n" + rule + "\n";
  for (const std::string& value : values) {
    std::string row = "| " + value + " |";
    bool first = true;
    for (const Program& program : programs) {
      const Fits fits = where(program.fits, [&](const Json& f) { return f.at(key) == value; });
      if (details && first) {
        row += fits.empty() ? " |" : fmt::format(" {} |", fits.front().at("dimension").get<long>());
        first = false;
      }
      row += " " + outcomes(fits) + " |";
      if (!details) continue;
      std::string verdicts;
      for (const Json& fit : fits) {
        const std::string verdict = fit.value("verdict", "none");
        if (verdicts.find(verdict) == std::string::npos) {
          verdicts += (verdicts.empty() ? "" : ", ") + verdict;
        }
      }
      row += fmt::format(" {} | {} | {} | {} |", verdicts, of_largest(numbers(fits, "error")),
                         of_largest(numbers(fits, "sd_ratio")),
                         of_median(numbers(fits, "cpu_seconds")));
    }
    if (details) row += " " + description[value] + " |";
    out += row + "\n";
  }
  return out;
}

}  // namespace

std::string summarize(const std::vector<std::string>& files) {
  const std::vector<Program> programs = read(files);
  return totals(programs) + "\n" + by(programs, "family", false) + "\n" +
         "`error` is the largest of a mean in sds, `sd ratio` of an sd as a factor, over the seeds "
         "that\n"
         "gave an answer; the time is the median.\n\n" +
         by(programs, "name", true);
}

}  // namespace hostile
