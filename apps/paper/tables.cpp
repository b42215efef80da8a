// Tables 1 and 2 of the paper, printed and measured.
#include "paper/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ravi::paper {
namespace {

const std::vector<std::string> kHeader = {"Model", "K",      "Stopping rule", "ε",      "which",
                                          "T",     "D_μ",    "D_μ (IA)",      "D_Σ",    "D_Σ (IA)",
                                          "k̂",     "k̂ (IA)", "gradients",     "verdict"};

std::string rule_text(const std::string& rule) {
  return rule == "mcse" ? "MCSE" : rule == "delta-elbo" ? "ΔELBO" : rule;
}

std::string pair_cell(double x, bool khat) { return khat ? khat_text(x) : number_text(x); }

// As in the paper, an asterisk says that the rule had not stopped the run at T_max.
std::string iterations_text(const Group& group) {
  const double t = group.median([](const Result& r) { return static_cast<double>(r.iterations); });
  const std::size_t unfinished =
      group.count([](const Result& r) { return r.termination == "max-iterations"; });
  return fmt::format("{:.0f}{}", t, 2 * unfinished > group.results.size() ? "*" : "");
}

Row printed_row(const PrintedRow& r, bool first) {
  Row row{RowKind::printed,
          {first ? r.model : "", first ? std::to_string(r.size) : "", rule_text(r.rule),
           fmt::format("{:g}", r.epsilon), "paper",
           fmt::format("{}{}", r.iterations, r.converged ? "" : "*")},
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
  row.cells.push_back(group.commonest_verdict());
  return row;
}

std::string which_text(const Comparison& c, std::size_t optimizers) {
  std::string text = c.variant.empty() ? "ravi" : c.variant;
  if (optimizers > 1) text += c.optimizer == "adagrad" ? ", textbook" : ", windowed";
  return text;
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

std::vector<Comparison> compare_rows(const std::vector<PrintedRow>& rows,
                                     const std::vector<std::string>& optimizers, Lab& lab,
                                     const Effort& effort) {
  std::vector<Comparison> all;
  for (std::size_t i = 0; i + 1 < rows.size(); i += 2) {
    const PrintedRow &elbo = rows[i], &mcse = rows[i + 1];
    for (const std::string& posterior : elbo.posteriors) {
      for (const std::string& optimizer : optimizers) {
        Comparison c{elbo.model, posterior, std::string(posterior_of(posterior).variant),
                     optimizer,  elbo,      mcse};
        Run run{.posterior = posterior, .options = paper_options(posterior, effort)};
        run.options.optimizer = optimizer;
        const int seeds = seeds_of(posterior, effort);

        Run by_elbo = run;
        by_elbo.options.stop = "delta-elbo";
        by_elbo.options.elbo_threshold = elbo.epsilon;
        c.elbo = lab.ask(by_elbo, seeds);

        Run by_mcse = run;
        by_mcse.options.stop = "mcse";
        by_mcse.options.mcse_threshold = mcse.epsilon;
        c.mcse = lab.ask(by_mcse, seeds);

        Run fixed = run;
        fixed.options.stop = "fixed";
        fixed.options.max_iterations =
            std::min(run.options.max_iterations, static_cast<int>(mcse.iterations));
        c.second_half = lab.ask(fixed, seeds);

        const Run robust{.posterior = posterior, .options = robust_options(posterior, effort)};
        c.robust = lab.ask(robust, seeds);
        all.push_back(std::move(c));
      }
    }
  }
  return all;
}

Section table_section(const std::string& title, const std::vector<Comparison>& comparisons,
                      Lab& lab) {
  Table table{.caption = {}, .header = kHeader};
  for (std::size_t begin = 0; begin < comparisons.size();) {
    std::size_t end = begin;
    while (end < comparisons.size() && comparisons[end].model == comparisons[begin].model) ++end;
    const Comparison& first = comparisons[begin];
    const auto ways = static_cast<std::size_t>(
        std::count_if(comparisons.begin() + static_cast<std::ptrdiff_t>(begin),
                      comparisons.begin() + static_cast<std::ptrdiff_t>(end),
                      [&](const Comparison& c) { return c.posterior == first.posterior; }));
    const auto add = [&](const char* rule, auto epsilon, Group Comparison::*group) {
      for (std::size_t i = begin; i < end; ++i) {
        const Comparison& c = comparisons[i];
        if (!lab.has(posterior_of(c.posterior))) continue;
        const bool robust = group == &Comparison::robust;
        if (robust && i > begin && comparisons[i - 1].posterior == c.posterior) continue;
        table.rows.push_back(
            measured_row(rule, epsilon(c), which_text(c, robust ? 1 : ways), c.*group));
      }
    };
    const auto none = [](const Comparison&) { return std::string(); };
    table.rows.push_back(printed_row(first.printed_elbo, true));
    for (std::size_t i = begin; i < end; ++i) {
      const Posterior& posterior = posterior_of(comparisons[i].posterior);
      if (!lab.has(posterior)) table.rows.push_back(missing_row("", posterior));
    }
    add(
        "ΔELBO", [](const Comparison& c) { return fmt::format("{:g}", c.printed_elbo.epsilon); },
        &Comparison::elbo);
    table.rows.push_back(printed_row(first.printed_mcse, false));
    add(
        "MCSE", [](const Comparison& c) { return fmt::format("{:g}", c.printed_mcse.epsilon); },
        &Comparison::mcse);
    add("second half", none, &Comparison::second_half);
    add("robust", none, &Comparison::robust);
    begin = end;
  }
  Section section{title};
  section.blocks.emplace_back(
      "Each row of the paper is followed by what ravi measures. ΔELBO and MCSE are the rules as "
      "printed; with the MCSE rule, an asterisk and no R-hat below tau, the average is that of the "
      "last W = 100 iterates, as line 11 of Algorithm 1 says. \"Second half\" runs as long as the "
      "paper's MCSE row and averages the second half of the run, whatever R-hat says. \"Robust\" "
      "is ravi's default method, with four chains and no setting. Columns without (IA) are the "
      "last iterate. Gradients are evaluations of the gradient of log p, over all draws and "
      "chains. Rows called linear have Gaussian noise of known variance 0.4 and an exact truth; "
      "rows called logistic ask whether the outcome reaches its median.");
  section.blocks.emplace_back(std::move(table));
  return section;
}

NetworkRuns network_runs(Lab& lab, const Effort& effort) {
  Run run{.posterior = "mnist100", .options = paper_options("mnist100", effort)};
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
      {"which", "J", "T", "max R̂", "k̂", "k̂ (IA)", "ELBO", "ELBO (IA)", "verdict"}};
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
          text([](const Result& r) { return r.average.elbo; }), g.commonest_verdict()}});
  };
  add("1", runs.one);
  add("4", runs.four);
  return table;
}

}  // namespace ravi::paper
