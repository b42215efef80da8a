// Tables 1 and 2 of the paper, printed and measured.
#include "paper/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ravi::paper {

std::string rule_text(const std::string& rule) {
  return rule == "mcse" ? "MCSE" : rule == "delta-elbo" ? "ΔELBO" : rule;
}

bool has_stopped(const Group& group) {
  return 2 * group.count([](const Result& r) { return r.termination == "max-iterations"; }) <=
         group.results.size();
}

// As in the paper, an asterisk says that the rule had not stopped the run at T_max.
std::string iterations_text(const Group& group) {
  const double t = group.median([](const Result& r) { return static_cast<double>(r.iterations); });
  return fmt::format("{:.0f}{}", t, has_stopped(group) ? "" : "*");
}

std::string iterations_text(const PrintedRow& row) {
  return fmt::format("{}{}", row.iterations, row.converged ? "" : "*");
}

bool is_small(const std::string& model) { return model != "Radon" && model != "MNIST100"; }

namespace {

const std::vector<std::string> kHeader = {"Model", "K",      "Stopping rule", "ε",      "which",
                                          "T",     "D_μ",    "D_μ (IA)",      "D_Σ",    "D_Σ (IA)",
                                          "k̂",     "k̂ (IA)", "gradients",     "verdict"};

std::string pair_cell(double x, bool khat) { return khat ? khat_text(x) : number_text(x); }

Row printed_row(const PrintedRow& r, bool first) {
  Row row{RowKind::printed,
          {first ? r.model : "", first ? std::to_string(r.size) : "", rule_text(r.rule),
           fmt::format("{:g}", r.epsilon), "paper", iterations_text(r)},
          first};
  for (const bool khat : {false, true}) {
    if (khat) {
      row.cells.push_back(pair_cell(r.khat.last, true));
      row.cells.push_back(pair_cell(r.khat.average, true));
    } else {
      for (const PrintedPair& p : {r.d_mu, r.d_sigma}) {
        row.cells.push_back(pair_cell(p.last, false));
        row.cells.push_back(pair_cell(p.average, false));
      }
    }
  }
  row.cells.insert(row.cells.end(), {"", ""});
  return row;
}

Row measured_row(const std::string& rule, const std::string& epsilon, const std::string& which,
                 const Group& group) {
  Row row{RowKind::measured, {"", "", rule, epsilon, which}};
  if (group.empty()) {
    row.kind = RowKind::missing;
    row.cells.resize(kHeader.size());
    return row;
  }
  row.cells.push_back(iterations_text(group));
  const auto add = [&](double Quality::*member, bool khat) {
    row.cells.push_back(
        pair_cell(group.median([&](const Result& r) { return r.last.*member; }), khat));
    row.cells.push_back(
        pair_cell(group.median([&](const Result& r) { return r.average.*member; }), khat));
  };
  add(&Quality::d_mu, false);
  add(&Quality::d_sigma, false);
  add(&Quality::khat, true);
  row.cells.push_back(fmt::format(
      "{:.0f}", group.median([](const Result& r) { return static_cast<double>(r.evaluations); })));
  // Of chains that ravi does not judge it is said why they ended.
  row.cells.push_back(group.commonest(
      [](const Result& r) { return r.verdict.empty() ? r.termination : r.verdict; }));
  return row;
}

std::string with_variant(const std::string& what, const std::string& variant) {
  return variant.empty() ? what : fmt::format("{}, {}", what, variant);
}

Row missing_row(const std::string& model, const Posterior& posterior) {
  Row row{RowKind::missing,
          {model, "", "", "", fmt::format("{} needs {}", posterior.name, posterior.source)}};
  row.cells.resize(kHeader.size());
  return row;
}

}  // namespace

std::string number_text(double x) {
  if (std::isnan(x)) return "-";
  if (std::isinf(x)) return "inf";
  return std::abs(x) >= 100 ? fmt::format("{:.0f}", x) : fmt::format("{:.2g}", x);
}

std::string khat_text(double x) {
  if (std::isnan(x)) return "-";
  return std::isinf(x)       ? "inf"
         : std::abs(x) >= 10 ? fmt::format("{:.1f}", x)
                             : fmt::format("{:.2f}", x);
}

Run authors_run_of(const AuthorsSetting& setting, const std::string& optimizer,
                   const RowsOfModel& rows, const char* rule, const Effort& effort) {
  Run run = authors_run(setting, optimizer, effort);
  Options& o = run.options;
  o.stop = rule;
  o.elbo_threshold = rows.elbo.epsilon;
  // With Adagrad their code has a threshold of its own, whatever is printed.
  if (o.optimizer == kTable1Optimizers.authors) o.mcse_threshold = rows.mcse.epsilon;
  if (!rows.mcse.converged && setting.max_iterations < rows.mcse.iterations) {
    o.max_iterations = static_cast<int>(rows.mcse.iterations);
  }
  return run;
}

TableRuns table_runs(const std::vector<PrintedRow>& rows, const TableOptimizers& optimizers,
                     Lab& lab, const Effort& effort) {
  TableRuns all;
  for (std::size_t i = 0; i + 1 < rows.size(); i += 2) {
    const PrintedRow &elbo = rows[i], &mcse = rows[i + 1];
    const auto ask = [&](const Run& run) { return lab.ask(run, seeds_of(run.posterior, effort)); };
    const auto as_printed = [&](Run run, const char* rule) {
      run.options.stop = rule;
      run.options.elbo_threshold = elbo.epsilon;
      run.options.mcse_threshold = mcse.epsilon;
      return ask(run);
    };
    for (const std::string& posterior : elbo.posteriors) {
      Run run{.posterior = posterior,
              .options = paper_options(posterior, effort),
              .khat_draws = network_khat_draws(posterior, effort)};
      run.options.optimizer = optimizers.text;
      all.text.push_back({elbo.model, posterior, std::string(posterior_of(posterior).variant),
                          optimizers.text, elbo, mcse, as_printed(run, "delta-elbo"),
                          as_printed(run, "mcse")});
      if (run.khat_draws > 0) continue;  // no scores by ravi
      const Run robust{.posterior = posterior};
      all.text.back().robust = lab.ask(robust, seeds_of(posterior, effort));
    }
    bool has_data = false;  // a further setting is for where the data of the first are missing
    for (const AuthorsSetting& setting : authors_settings()) {
      if (setting.model != elbo.model || has_data) continue;
      const std::string posterior(setting.posterior);
      has_data = lab.has(posterior_of(posterior));
      const auto as_ran = [&](const char* rule) {
        return ask(authors_run_of(setting, optimizers.authors, {elbo, mcse}, rule, effort));
      };
      all.authors.push_back({elbo.model, posterior, std::string(posterior_of(posterior).variant),
                             optimizers.authors, elbo, mcse, setting.dimension,
                             as_ran("delta-elbo"), as_ran("mcse")});
    }
  }
  return all;
}

namespace {

// Where the paper measured from something else than the posterior.
Row from_printed_reference(const AuthorsRuns& runs, const std::string& rule, const Group& group) {
  Row row{RowKind::measured, {"", "", rule, "", "from their reference", ""}};
  const auto add = [&](double Quality::*member) {
    row.cells.push_back(number_text(group.median([&](const Result& r) { return r.last.*member; })));
    row.cells.push_back(
        number_text(group.median([&](const Result& r) { return r.average.*member; })));
  };
  add(&Quality::printed_d_mu);
  add(&Quality::printed_d_sigma);
  row.cells.resize(kHeader.size());
  if (runs.posterior.find("mnist") != std::string::npos) row.cells[4] = "from zero";
  return row;
}

bool has_printed_reference(const Group& group) {
  return !group.empty() && !std::isnan(group.first().last.printed_d_mu);
}

// A number of the last iterate and of the average, each the median over seeds.
using Value = double (*)(const Quality&, double dimension);
double median_of(const Group& group, Value value, Index dimension, bool average) {
  return group.median([&](const Result& r) {
    return value(average ? r.average : r.last, static_cast<double>(dimension));
  });
}

struct Norm {
  const char* name;
  Value value;
};
constexpr std::array kMeanNorms = {
    Norm{"norm", [](const Quality& q, double) { return q.d_mu; }},
    Norm{"rms", [](const Quality& q, double p) { return q.d_mu / std::sqrt(p); }},
    Norm{"sum of squares", [](const Quality& q, double) { return q.d_mu * q.d_mu; }},
};
constexpr std::array kCovarianceNorms = {
    Norm{"root of spectral norm", [](const Quality& q, double) { return q.d_sigma; }},
    Norm{"spectral norm", [](const Quality& q, double) { return q.d_sigma * q.d_sigma; }},
    Norm{"rms", [](const Quality& q, double p) { return q.frobenius / p; }},
};

Table norms_table(const TableRuns& runs) {
  Table table{"The distances of the runs by the authors' settings, in more norms",
              {"Model", "rule", "which"}};
  for (const Norm& norm : kMeanNorms) {
    table.header.push_back(fmt::format("D_μ: {}", norm.name));
    table.header.push_back("(IA)");
  }
  for (const Norm& norm : kCovarianceNorms) {
    table.header.push_back(fmt::format("D_Σ: {}", norm.name));
    table.header.push_back("(IA)");
  }
  for (const AuthorsRuns& r : runs.authors) {
    const auto add = [&](const PrintedRow& printed, const Group& group) {
      if (group.empty() || std::isnan(group.first().last.d_mu)) return;
      Row paper{RowKind::printed, {r.model, rule_text(printed.rule), "paper"}, true};
      paper.cells.resize(table.header.size());
      paper.cells[3] = number_text(printed.d_mu.last);
      paper.cells[4] = number_text(printed.d_mu.average);
      paper.cells[3 + 2 * kMeanNorms.size()] = number_text(printed.d_sigma.last);
      paper.cells[4 + 2 * kMeanNorms.size()] = number_text(printed.d_sigma.average);
      table.rows.push_back(paper);
      Row row{RowKind::measured, {"", "", "authors"}};
      const auto add_norm = [&](const Norm& norm) {
        for (const bool average : {false, true}) {
          row.cells.push_back(number_text(median_of(group, norm.value, r.dimension, average)));
        }
      };
      for (const Norm& norm : kMeanNorms) add_norm(norm);
      for (const Norm& norm : kCovarianceNorms) add_norm(norm);
      table.rows.push_back(row);
    };
    add(r.printed_elbo, r.elbo);
    add(r.printed_mcse, r.mcse);
  }
  return table;
}

}  // namespace

Section table_section(const std::string& title, const TableRuns& runs, Lab& lab) {
  Table table{.caption = {}, .header = kHeader};
  for (std::size_t begin = 0; begin < runs.text.size();) {
    std::size_t end = begin;
    while (end < runs.text.size() && runs.text[end].model == runs.text[begin].model) ++end;
    const Comparison& first = runs.text[begin];
    const auto epsilon = [](const PrintedRow& row) { return fmt::format("{:g}", row.epsilon); };
    const auto add = [&](const PrintedRow& printed, Group Comparison::*text,
                         Group AuthorsRuns::*authors, bool is_first) {
      const std::string rule = rule_text(printed.rule);
      table.rows.push_back(printed_row(printed, is_first));
      for (std::size_t i = begin; i < end; ++i) {
        const Comparison& c = runs.text[i];
        if (!lab.has(posterior_of(c.posterior))) {
          if (is_first) table.rows.push_back(missing_row("", posterior_of(c.posterior)));
          continue;
        }
        table.rows.push_back(
            measured_row(rule, epsilon(printed), with_variant("text", c.variant), c.*text));
      }
      for (const AuthorsRuns& r : runs.authors) {
        if (r.model != first.model) continue;
        if (!lab.has(posterior_of(r.posterior))) {
          if (is_first) table.rows.push_back(missing_row("", posterior_of(r.posterior)));
          continue;
        }
        const Group& group = r.*authors;
        table.rows.push_back(
            measured_row(rule, epsilon(printed), with_variant("authors", r.variant), group));
        if (has_printed_reference(group)) {
          table.rows.push_back(from_printed_reference(r, rule, group));
        }
      }
    };
    add(first.printed_elbo, &Comparison::elbo, &AuthorsRuns::elbo, true);
    add(first.printed_mcse, &Comparison::mcse, &AuthorsRuns::mcse, false);
    for (std::size_t i = begin; i < end; ++i) {
      const Comparison& c = runs.text[i];
      if (c.robust.empty()) continue;
      table.rows.push_back(measured_row("robust", "", with_variant("ravi", c.variant), c.robust));
    }
    begin = end;
  }
  Section section{title};
  section.blocks.emplace_back(
      "Each row of the paper is followed by the same as its text has it (--method paper), as its "
      "authors ran it (--method authors, their data and priors, see what the paper does not say), "
      "and by ravi's default method with no setting, but for MNIST100, of which scores and "
      "summaries of 7951 parameters take longer than all the rest. As the text has it, with no "
      "R-hat below tau "
      "by T_max (an asterisk) the average is that of the last W = 100 iterates, as line 11 of "
      "Algorithm 1 says. Columns without (IA) are the last iterate. Gradients are evaluations of "
      "the gradient of log p, over all draws and chains. Rows called linear have Gaussian noise of "
      "known variance 0.4 and an exact truth; rows called logistic ask whether the outcome reaches "
      "its median. \"From their reference\" has the distances of the same runs from what the "
      "authors took for the truth.");
  section.blocks.emplace_back(std::move(table));
  section.blocks.emplace_back(norms_table(runs));
  return section;
}

namespace {

constexpr double kNearFactor = 1.5;

bool near(double measured, double printed) {
  const double ratio = measured / printed;
  return ratio <= kNearFactor && ratio >= 1 / kNearFactor;
}

// Of one row; further ones of a distance are tried as well.
void count(const PrintedRow& printed, const Group& group, Index dimension, bool nearest_norm,
           Nearness& n) {
  if (group.empty()) return;
  const auto add = [](bool is_near, std::size_t& near_ones, std::size_t& all) {
    near_ones += is_near;
    ++all;
  };
  const double t = group.median([](const Result& r) { return static_cast<double>(r.iterations); });
  add(has_stopped(group) == printed.converged && near(t, static_cast<double>(printed.iterations)),
      n.t, n.t_all);
  const auto khat = [](const Quality& q, double) { return q.khat; };
  add(near(median_of(group, khat, dimension, false), printed.khat.last), n.khat, n.khat_all);
  add(near(median_of(group, khat, dimension, true), printed.khat.average), n.khat_average,
      n.khat_average_all);
  const auto distance = [&](const auto& norms, Value from_reference, double number, bool average) {
    bool is_near = false;
    for (const Norm& norm : norms) {
      is_near = is_near || near(median_of(group, norm.value, dimension, average), number);
      if (!nearest_norm) break;
    }
    if (nearest_norm) {
      is_near = is_near || near(median_of(group, from_reference, dimension, average), number);
    }
    add(is_near, n.d, n.d_all);
  };
  const Value mean_from = [](const Quality& q, double) { return q.printed_d_mu; };
  const Value cov_from = [](const Quality& q, double) { return q.printed_d_sigma; };
  distance(kMeanNorms, mean_from, printed.d_mu.last, false);
  distance(kMeanNorms, mean_from, printed.d_mu.average, true);
  distance(kCovarianceNorms, cov_from, printed.d_sigma.last, false);
  distance(kCovarianceNorms, cov_from, printed.d_sigma.average, true);
}

}  // namespace

std::vector<Nearness> nearness(const TableRuns& table1, const TableRuns& table2, bool small_only) {
  std::vector<Nearness> all;
  for (const char* variant : {"linear", "logistic"}) {
    Nearness n{fmt::format("as the text has it, {}", variant)};
    for (const TableRuns* table : {&table1, &table2}) {
      for (const Comparison& c : table->text) {
        if ((small_only && !is_small(c.model)) || (!c.variant.empty() && c.variant != variant)) {
          continue;
        }
        count(c.printed_elbo, c.elbo, 1, false, n);
        count(c.printed_mcse, c.mcse, 1, false, n);
      }
    }
    all.push_back(n);
  }
  for (const bool nearest_norm : {false, true}) {
    Nearness n{nearest_norm ? "the same, by the nearest of their norms and references"
                            : "as the authors ran it"};
    for (const TableRuns* table : {&table1, &table2}) {
      for (const AuthorsRuns& r : table->authors) {
        if (small_only && !is_small(r.model)) continue;
        count(r.printed_elbo, r.elbo, r.dimension, nearest_norm, n);
        count(r.printed_mcse, r.mcse, r.dimension, nearest_norm, n);
      }
    }
    all.push_back(n);
  }
  return all;
}

Section nearness_section(const TableRuns& table1, const TableRuns& table2) {
  Section section{"How much of the tables comes out"};
  section.blocks.emplace_back(
      "Printed numbers of Tables 1 and 2 that come out within a factor of 1.5, as medians over "
      "seeds; T only where the rule stopped the run as in the paper, or did not, as there. "
      "Distances are D_mu and D_Sigma, of the last iterate and of the average; a distance "
      "of "
      "which no truth is known does not come out.");
  for (const bool small_only : {false, true}) {
    Table table{small_only ? "Regressions and eight schools only" : "All rows",
                {"which", "T", "distances", "k̂", "k̂ (IA)", "all", "T and k̂ (IA)"}};
    for (const Nearness& n : nearness(table1, table2, small_only)) {
      const auto of = [](std::size_t near_ones, std::size_t all) {
        return fmt::format("{} of {}", near_ones, all);
      };
      table.rows.push_back({RowKind::measured,
                            {n.which, of(n.t, n.t_all), of(n.d, n.d_all), of(n.khat, n.khat_all),
                             of(n.khat_average, n.khat_average_all),
                             of(n.t + n.d + n.khat + n.khat_average,
                                n.t_all + n.d_all + n.khat_all + n.khat_average_all),
                             of(n.t + n.khat_average, n.t_all + n.khat_average_all)}});
    }
    section.blocks.emplace_back(std::move(table));
  }
  return section;
}

NetworkRuns network_runs(Lab& lab, const Effort& effort) {
  Run run{.posterior = "mnist100",
          .options = paper_options("mnist100", effort),
          .khat_draws = network_khat_draws("mnist100", effort)};
  run.options.stop = "mcse";
  NetworkRuns runs;
  run.options.mcse_threshold = 0.02;
  runs.one = lab.ask(run, effort.large_seeds);
  run.options.chains = 4;
  runs.four = lab.ask(run, effort.large_seeds);
  return runs;
}

Table network_table(const NetworkRuns& runs, const Printed& printed) {
  Table table{
      "MNIST100, mean-field, MCSE rule. No trustworthy truth is known, so there are no distances; "
      "chains that disagree are never averaged",
      {"which", "J", "T", "max R̂", "k̂", "k̂ (IA)", "ELBO", "ELBO (IA)", "end"}};
  table.rows.push_back({RowKind::printed,
                        {"paper", "4", "", khat_text(printed.network_rhat), "", "", "", "", ""},
                        true});
  const auto add = [&](const char* chains, const Group& g) {
    if (g.empty()) return;
    const auto text = [&](auto value) { return khat_text(g.median(value)); };
    table.rows.push_back(
        {RowKind::measured,
         {"ravi", chains, iterations_text(g), text([](const Result& r) { return r.rhat; }),
          text([](const Result& r) { return r.last.khat; }),
          text([](const Result& r) { return r.average.khat; }),
          text([](const Result& r) { return r.last.elbo; }),
          text([](const Result& r) { return r.average.elbo; }),
          g.commonest([](const Result& r) { return r.termination; })}});
  };
  add("1", runs.one);
  add("4", runs.four);
  return table;
}

}  // namespace ravi::paper
