// The summary of a fit for a terminal.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "core/safe_text.hpp"
#include "output/criteria.hpp"
#include "output/driver_words.hpp"
#include "output/fields.hpp"
#include "output/mode_words.hpp"
#include "output/numbers.hpp"
#include "output/run_words.hpp"
#include "output/terminal.hpp"

namespace ravi {
namespace {

// Columns of text, right aligned but for the first.
using Row = std::vector<std::string>;

std::string table(std::vector<Row> rows) {
  std::vector<std::size_t> widths;
  for (Row& row : rows) {
    for (std::string& cell : row) cell = safe_line(cell);
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line = "  ";
    for (std::size_t c = 0; c < row.size(); ++c) {
      line += c == 0 ? fmt::format("{:<{}}", row[c], widths[c])
                     : fmt::format("  {:>{}}", row[c], widths[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

// Below a table that has such an sd.
std::string sd_note() { return fmt::format("  sd -: {}\n", kSdMissing); }

std::string parameter_table(const Answer& answer, int max_rows) {
  std::vector<Row> rows = {{"parameter", "mean", "sd", "5%", "50%", "95%", "mcse", "digits"}};
  bool missing = false;
  for (const ParameterSummary& parameter : answer.parameters) {
    if (static_cast<int>(rows.size()) > max_rows) break;
    const ParameterSummary p = shown(parameter);
    missing = missing || !p.sd_trusted;
    rows.push_back({p.name, with_error(p.mean, p.mcse), with_error(p.sd, p.mcse_sd),
                    with_error(p.q5, p.mcse_q5), with_error(p.q50, p.mcse_q50),
                    with_error(p.q95, p.mcse_q95), fmt::format("{:.2g}", p.mcse),
                    std::to_string(p.digits())});
  }
  std::string text = table(rows);
  if (missing) text += sd_note();
  const std::size_t left = answer.parameters.size() - (rows.size() - 1);
  if (left > 0) text += fmt::format("  ... and {} more, in fit.json\n", left);
  return text;
}

// "mean (sd)", to be compared, not quoted: two digits of the sd are enough.
std::string mean_and_sd(const ParameterSummary& parameter) {
  const ParameterSummary p = shown(parameter);
  const double resolution = 0.02 * parameter.sd;
  return fmt::format("{} ({})", with_error(p.mean, std::max(p.mcse, resolution)),
                     with_error(p.sd, std::max(p.mcse_sd, resolution)));
}

// Modes of a mixture side by side, in what they differ.
std::string mode_table(const Answer& answer, int max_rows) {
  constexpr std::size_t kMostColumns = 5;
  const std::size_t columns = std::min(answer.modes.size(), kMostColumns);
  std::vector<Row> rows = {{"mode"}, {"its mass"}, {"starts"}, {"chains"}};
  for (std::size_t m = 0; m < columns; ++m) {
    const ModeSummary& mode = answer.modes[m];
    rows[0].push_back(std::to_string(m + 1));
    rows[1].push_back(percent_with_error(mode.mass, mode.mass_error));
    rows[2].push_back(std::to_string(mode.seen));
    rows[3].push_back(fmt::format("{}", fmt::join(mode.chains, ",")));
  }
  // Those whose mean is somewhere else by more than an sd.
  std::size_t differ = 0;
  for (std::size_t i = 0; i < answer.parameters.size(); ++i) {
    const ParameterSummary& first = answer.modes.front().parameters[i];
    if (std::ranges::none_of(answer.modes, [&](const ModeSummary& mode) {
          return std::abs(mode.parameters[i].mean - first.mean) > first.sd;
        })) {
      continue;
    }
    if (static_cast<int>(++differ) > max_rows) continue;
    Row row = {first.name};
    for (std::size_t m = 0; m < columns; ++m) {
      row.push_back(mean_and_sd(answer.modes[m].parameters[i]));
    }
    rows.push_back(row);
  }
  std::string text = table(rows);
  if (static_cast<int>(differ) > max_rows) {
    text += fmt::format("  ... and {} more, in fit.json\n", static_cast<int>(differ) - max_rows);
  }
  if (columns < answer.modes.size()) {
    text += fmt::format("  ... and {} more modes, in fit.json\n", answer.modes.size() - columns);
  }
  for (std::size_t m = 0; m < answer.modes.size(); ++m) {
    const ModeSummary& mode = answer.modes[m];
    if (mode.exchanged == 0) continue;
    text +=
        fmt::format("  mode {} is {}: the same under other names\n", m + 1, exchange_text(mode));
  }
  return text;
}

// Disagreeing chains side by side, mean and sd of each.
std::string chain_table(const Fit& fit, int max_rows) {
  Row header = {"parameter"}, mode = {"mode"}, weight = {"its mass"}, elbo = {"ELBO"},
      khat = {"k-hat"};
  for (std::size_t j = 0; j < fit.chains.size(); ++j) {
    header.push_back(fmt::format("chain {}", j + 1));
    mode.push_back(std::to_string(fit.chains[j].mode));
    weight.push_back(fmt::format("{:.0f} %", 100 * fit.chains[j].mode_weight));
    elbo.push_back(with_error(fit.chains[j].elbo, fit.chains[j].elbo_mcse));
    khat.push_back(khat_text(fit.chains[j]));
  }
  bool missing = false;
  std::vector<Row> rows = {header};
  const std::size_t count = fit.chains.front().parameters.size();
  const std::size_t rows_shown = std::min(count, static_cast<std::size_t>(max_rows));
  for (std::size_t i = 0; i < rows_shown; ++i) {
    Row row = {fit.chains.front().parameters[i].name};
    for (const Answer& chain : fit.chains) {
      missing = missing || !chain.parameters[i].sd_trusted;
      row.push_back(mean_and_sd(chain.parameters[i]));
    }
    rows.push_back(row);
  }
  rows.push_back(mode);
  rows.push_back(weight);
  rows.push_back(elbo);
  rows.push_back(khat);
  std::string text = table(rows);
  if (missing) text += sd_note();
  if (rows_shown < count)
    text += fmt::format("  ... and {} more, in fit.json\n", count - rows_shown);
  return text + "  mean (sd) of each chain on its own; they are not averaged\n";
}

// Each criterion with its value and its limit, as the paper names them.
std::string criteria_table(const Fit& fit) {
  std::vector<Row> rows;
  for (const Criterion& c : criteria(fit)) {
    const std::string limit =
        fmt::format("{}{}", c.holds || c.limit.empty() ? "" : "not ", c.limit);
    rows.push_back(
        {std::string(c.label), short_number(c.value), fmt::format("{:<12}{}", limit, c.note)});
  }
  if (fit.average) {
    const Answer& a = *fit.average;
    rows.push_back(
        {"ELBO", with_error(a.elbo, a.elbo_mcse), fmt::format("+- {:.2g}", a.elbo_mcse)});
  }
  // The table aligns to the right; the last column reads better to the left.
  std::size_t width = 0;
  for (const Row& row : rows) width = std::max(width, row.back().size());
  for (Row& row : rows) row.back().resize(width, ' ');
  return table(rows);
}

std::string reference_lines(const Fit& fit) {
  std::vector<Row> rows = {{"against the reference", "D_mu", "D_Sigma", "KL"}};
  const auto add = [&](const char* label, const std::optional<Answer>& a) {
    if (!a || !a->reference) return;
    rows.push_back({label, short_number(a->reference->d_mu), short_number(a->reference->d_sigma),
                    short_number(a->reference->kl)});
  };
  add("average", fit.average);
  add("last iterate", fit.last_iterate);
  return rows.size() > 1 ? table(rows) + "\n" : "";
}

// Words broken into lines of a given width; every line after the first is indented. Lines of the
// text itself are joined.
std::string wrap(const std::string& text, std::size_t width, std::size_t indent) {
  std::string result;
  std::size_t column = indent;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", start), text.size());
    if (column + 1 + (end - start) > width && column > indent) {
      result += '\n';
      result.append(indent, ' ');
      column = indent;
    } else if (start > 0) {
      result += ' ';
      ++column;
    }
    result += text.substr(start, end - start);
    column += end - start;
    start = end + 1;
  }
  return result;
}

Style style_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::accurate:
      return Style::good;
    case Verdict::usable:
      return Style::fair;
    default:
      return Style::bad;
  }
}

Style style_of(Severity severity) {
  return severity == Severity::failure   ? Style::failure
         : severity == Severity::warning ? Style::warning
                                         : Style::note;
}

// What the table of parameters rests on.
std::string weighting(const Answer& answer) {
  if (!answer.weighted) return "  not weighted: the weights are not to be trusted";
  if (answer.moved()) {
    return fmt::format("  {} draws, each moved by {} Hamiltonian transitions", answer.moves->draws,
                       answer.moves->transitions);
  }
  std::string text = fmt::format("  importance weighted, {} draws worth {:.0f}",
                                 answer.importance_draws, answer.importance_ess);
  if (answer.draws_kept < answer.importance_draws) {
    text += fmt::format("; {} of them are kept", answer.draws_kept);
  }
  return text;
}

}  // namespace

std::string summary(const Fit& fit, const SummaryStyle& style) {
  std::ostringstream text;
  SafeStream safe(text, false);
  write_summary(safe, fit, style);
  safe.flush();
  return text.str();
}

void write_summary(std::ostream& out, const Fit& fit, const SummaryStyle& style) {
  const Options& o = fit.options;
  const auto width = static_cast<std::size_t>(std::max(40, style.width));
  std::string text = fmt::format(
      "{}: P = {}, {}, {}, J = {}, M = {}{}, {}\n\n", safe_line(fit.model), fit.dimension, o.family,
      o.optimizer.empty() ? o.method : fmt::format("{} with eta = {}", o.optimizer, o.step_size),
      o.chains, o.draws, o.minibatch > 0 ? fmt::format(", |S| = {}", o.minibatch) : "",
      iterations_text(fit));
  if (fit.average) {
    text += parameter_table(*fit.average, style.max_parameters);
    text += weighting(*fit.average) + "\n";
    if (fit.average->modes.size() > 1) {
      text += "\n" + mode_table(*fit.average, style.max_parameters / 3);
    }
    for (const std::string& line : drivers_text(*fit.average)) {
      text += fmt::format("  q bends: {}\n", wrap(safe_line(line), width - 2, 4));
    }
    text += "\n";
  } else if (!fit.chains.empty()) {
    text += chain_table(fit, style.max_parameters) + "\n";
  }
  text += criteria_table(fit);
  if (const std::string cost = cost_text(fit.cost); !cost.empty()) {
    text += fmt::format("  gradients: {}\n", cost);
  }
  text += "\n" + reference_lines(fit);
  const std::string verdict(name(fit.verdict));
  const std::string_view label = "verdict: ";
  const std::string rest =
      wrap(fmt::format("{}{} - {}", label, verdict, meaning(fit.verdict)), width, 2)
          .substr(label.size() + verdict.size());
  out << text << label << style_of(fit.verdict) << verdict << Style::plain << rest << "\n";
  for (const Finding& finding : fit.findings) {
    const FindingWords& w = words(finding.code);
    out << "\n  " << style_of(w.severity) << name(w.severity) << Style::plain
        << fmt::format(" {}\n    {}\n    -> {}\n", w.name, wrap(describe(finding), width, 4),
                       wrap(advice(finding, fit), width, 7));
  }
}

}  // namespace ravi
