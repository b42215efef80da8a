// What the settings do that the paper leaves open.
#include <fmt/format.h>

#include "paper/evidence.hpp"

namespace ravi::paper {
namespace {

constexpr const char* kExample = "linear-boston";

Run example_run(const Effort& effort) {
  return {.posterior = kExample, .options = paper_options(kExample, effort)};
}

Row row_of(std::string setting, const Group& g) {
  Row row{RowKind::measured, {std::move(setting)}};
  if (g.empty()) return row;
  const auto median = [&](auto value) { return g.median(value); };
  row.cells.push_back(
      fmt::format("{:.0f}", median([](const Result& r) { return double(r.iterations); })));
  row.cells.push_back(
      fmt::format("{} of {}", g.count([](const Result& r) { return r.averaging_started_at >= 0; }),
                  g.results.size()));
  row.cells.push_back(number_text(median([](const Result& r) { return r.last.d(); })));
  row.cells.push_back(number_text(median([](const Result& r) { return r.average.d(); })));
  row.cells.push_back(number_text(median([](const Result& r) { return r.average.kl; })));
  row.cells.push_back(khat_text(median([](const Result& r) { return r.last.khat; })));
  row.cells.push_back(khat_text(median([](const Result& r) { return r.average.khat; })));
  return row;
}

}  // namespace

std::vector<std::pair<double, Group>> elbo_threshold_runs(Lab& lab, const Effort& effort) {
  std::vector<std::pair<double, Group>> all;
  for (const double epsilon : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    Run run = example_run(effort);
    run.options.stop = "delta-elbo";
    run.options.elbo_threshold = epsilon;
    all.emplace_back(epsilon, lab.ask(run, effort.seeds));
  }
  return all;
}

Section choices_section(Lab& lab, const Effort& effort) {
  Table table{"Boston, linear, RMSprop, J = 1",
              {"setting", "T", "averaging began", "D", "D (IA)", "KL (IA)", "k̂", "k̂ (IA)"}};
  const auto ask = [&](const std::string& setting, const Run& run) {
    table.rows.push_back(row_of(setting, lab.ask(run, effort.seeds)));
    return &table.rows.back();
  };
  for (const int draws : {1, 10, 100}) {
    Run run = example_run(effort);
    run.options.stop = "fixed";
    run.options.draws = draws;
    ask(fmt::format("M = {}, second half of 15000", draws), run)->first_of_group = draws == 1;
  }
  for (const int window : {100, 500, 2000}) {
    Run run = example_run(effort);
    run.options.stop = "mcse";
    run.options.window = window;
    ask(fmt::format("MCSE rule, W = {}", window), run)->first_of_group = window == 100;
  }
  bool first = true;
  for (const auto& [epsilon, group] : elbo_threshold_runs(lab, effort)) {
    table.rows.push_back(row_of(fmt::format("ΔELBO, epsilon = {:g}", epsilon), group));
    table.rows.back().first_of_group = std::exchange(first, false);
  }
  Section section{"Settings the paper leaves open"};
  section.blocks.emplace_back(
      "The paper gives neither M, the number of draws per gradient, nor the exact form of the "
      "ΔELBO rule, nor which iterates an average covers when that rule stops; W = 100 is given. "
      "Its authors' code answers all three (see what the paper does not say); this is what they do "
      "to the algorithm as printed. M "
      "hardly changes the last iterate, because RMSprop scales its steps by the size of the "
      "gradients, noise included; the average gets better with it. W sets whether R-hat can fall "
      "below 1.1 at all: neighboring iterates are so correlated that a window of 100 holds few "
      "effective draws, and the largest of K values of R-hat stays high. \"Averaging began\" "
      "counts the seeds in which it did fall (for ΔELBO and the second half, averaging does not "
      "wait for it).");
  section.blocks.emplace_back(std::move(table));
  return section;
}

}  // namespace ravi::paper
