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

void as_in_september(Options& o) {
  if (o.stop == std::string_view("delta-elbo")) {
    o.elbo_rule = "recent-apart";
    return;
  }
  o.rhat_threshold = 1.3;
  o.mcse_threshold = 0.05;
  o.ess_threshold = 20;
  o.scale_ess_threshold = 5;
  o.least_averaged = 500;
}

// Where the code of June and that of September have different rules: T and k-hat of the average by
// both, small posteriors.
Table dates_table(Lab& lab, const Effort& effort, const Printed& printed) {
  Table table{
      "Rules that the authors' code changed between June and September 2020",
      {"Model", "rule", "T: printed", "June", "September", "k̂ (IA): printed", "June", "September"}};
  const auto add = [&](const std::vector<PrintedRow>& rows, const std::string& optimizer,
                       const char* rule) {
    bool first = true;
    for (std::size_t i = 0; i + 1 < rows.size(); i += 2) {
      const RowsOfModel of_model{rows[i], rows[i + 1]};
      const PrintedRow& row = rows[i].rule == rule ? rows[i] : rows[i + 1];
      for (const AuthorsSetting& setting : authors_settings()) {
        if (setting.model != row.model || !is_small(row.model)) continue;
        const Run june = authors_run_of(setting, optimizer, of_model, rule, effort);
        Run september = june;
        as_in_september(september.options);
        const int seeds = seeds_of(june.posterior, effort);
        const Group g[] = {lab.ask(june, seeds), lab.ask(september, seeds)};
        if (g[0].empty() || g[1].empty()) continue;
        const auto khat = [](const Result& r) { return r.average.khat; };
        table.rows.push_back(
            {RowKind::measured,
             {row.model, fmt::format("{}, {}", rule_text(rule), optimizer), iterations_text(row),
              iterations_text(g[0]), iterations_text(g[1]), khat_text(row.khat.average),
              khat_text(g[0].median(khat)), khat_text(g[1].median(khat))},
             std::exchange(first, false)});
      }
    }
  };
  add(printed.table1, kTable1Optimizers.authors, "delta-elbo");
  add(printed.table2, kTable2Optimizers.authors, "mcse");
  return table;
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

Section choices_section(Lab& lab, const Effort& effort, const Printed& printed) {
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
  section.blocks.emplace_back(
      "Two rules of the authors' code have two dates. With Adagrad the MCSE rule asks for a median "
      "below 0.03 and R-hat below 1.25 in June, for 0.05, 1.3 and an effective sample size in "
      "September. ΔELBO with RMSprop compares successive estimates in June, and estimates 200 "
      "iterations apart in September. The tables below have the rules of June for both: by that of "
      "ΔELBO more of the printed T come out, and with Adagrad both dates are near. The MCSE rule "
      "with RMSprop is that of September, whose 0.02 is the printed epsilon; in June it was "
      "0.005.");
  section.blocks.emplace_back(dates_table(lab, effort, printed));
  return section;
}

}  // namespace ravi::paper
