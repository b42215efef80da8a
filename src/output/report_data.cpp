// What the report shows: verdict, findings, numbers, tables and traces.
#include "output/report_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "output/criteria.hpp"
#include "output/driver_words.hpp"
#include "output/fields.hpp"
#include "output/mode_words.hpp"
#include "output/numbers.hpp"
#include "output/report_draws.hpp"
#include "output/run_words.hpp"
#include "ravi/version.hpp"

namespace ravi {
namespace {

using Json = OrderedJson;

// Rows over all tables: about 45 bytes each, so that a page with D3 stays below 2 MB.
constexpr std::size_t kMostRows = 28000;

template <typename List, typename Get>
Json rounded_list(const List& list, Get get) {
  Json array = Json::array();
  for (const auto& x : list) array.push_back(rounded(get(x)));
  return array;
}

Json rounded_list(const std::vector<double>& list) {
  return rounded_list(list, [](double x) { return x; });
}

Json findings_of(const Fit& fit) {
  Json array = Json::array();
  for (const Finding& f : fit.findings) {
    const FindingWords& w = words(f.code);
    array.push_back({{"code", w.name},
                     {"severity", name(w.severity)},
                     {"message", describe(f)},
                     {"advice", advice(f, fit)},
                     {"source", w.source}});
  }
  return array;
}

Json criteria_of(const Fit& fit) {
  Json array = Json::array();
  for (const Criterion& c : criteria(fit)) {
    array.push_back({{"label", c.label},
                     {"value", short_number(c.value)},
                     {"holds", c.holds},
                     {"limit", c.limit},
                     {"note", c.note},
                     {"meaning", c.meaning}});
  }
  return array;
}

// How the fit ran, as labels and values.
Json run_of(const Fit& fit) {
  Json array = Json::array();
  const auto add = [&](const char* label, const std::string& value) {
    array.push_back({label, value});
  };
  if (fit.average) {
    const Answer& a = *fit.average;
    add("ELBO", fmt::format("{} ± {:.2g}", with_error(a.elbo, a.elbo_mcse), a.elbo_mcse));
    add("importance draws", fmt::format("{}, worth {:.0f}", a.importance_draws, a.importance_ess));
    if (a.moved()) {
      add("moved draws",
          fmt::format("{}, {} transitions each", a.moves->draws, a.moves->transitions));
    }
    for (const std::string& line : drivers_text(a)) add("q bends", line);
    if (a.draws_kept < a.importance_draws) add("draws kept", std::to_string(a.draws_kept));
  }
  add("gradient evaluations", std::to_string(fit.gradient_evaluations));
  if (const std::string cost = cost_text(fit.cost); !cost.empty()) add("of which", cost);
  if (fit.failed_draws > 0) add("failed draws", std::to_string(fit.failed_draws));
  add("run", iterations_text(fit));
  if (const auto averaged = averaged_text(fit)) add("averaged iterations", *averaged);
  add("time", time_text(fit.timing));
  add("threads", std::to_string(fit.timing.threads));
  add("seed", std::to_string(fit.options.seed));
  if (!fit.provenance.created_at.empty()) add("made", fit.provenance.created_at);
  return array;
}

Json options_of(const Options& options) {
  Json array = Json::array();
  visit_fields(options, [&](const Field& field, const auto& value) {
    if (!field.shapes_answer()) return;
    const std::string text = left_open(value) && field.by_method() ? "" : fmt::format("{}", value);
    array.push_back({field.name, field.symbol, text, field.meaning});
  });
  return array;
}

Json reference_of(const Fit& fit) {
  Json array = Json::array();
  const auto add = [&](const char* label, const std::optional<Answer>& a) {
    if (!a || !a->reference) return;
    const ReferenceScore& r = *a->reference;
    array.push_back({label, short_number(r.d_mu), short_number(r.d_sigma), short_number(r.kl)});
  };
  add("average", fit.average);
  add("last iterate", fit.last_iterate);
  return array;
}

// One text per column, its values parted by spaces.
Json columns_of(const std::vector<ParameterSummary>& parameters, std::size_t rows) {
  std::string mean, sd, q5, q50, q95, mcse, digits;
  const auto add = [](std::string& column, const std::string& value) {
    column += (column.empty() ? "" : " ") + value;
  };
  for (std::size_t i = 0; i < rows; ++i) {
    const ParameterSummary p = shown(parameters[i]);
    add(mean, with_error(p.mean, p.mcse));
    add(sd, with_error(p.sd, p.mcse_sd));
    add(q5, with_error(p.q5, p.mcse_q5));
    add(q50, with_error(p.q50, p.mcse_q50));
    add(q95, with_error(p.q95, p.mcse_q95));
    add(mcse, fmt::format("{:.2g}", p.mcse));
    add(digits, std::to_string(p.digits()));
  }
  return {mean, sd, q5, q50, q95, mcse, digits};
}

// Tables of the same parameters, one for each answer, with one or two views: by weight and not.
Json tables_of(const Fit& fit) {
  const std::vector<const Answer*> answers = shown_answers(fit);
  Json tables = {{"names", Json::array()}, {"left_out", 0}, {"answers", Json::array()}};
  if (answers.empty()) return tables;
  std::size_t views = 0;
  for (const Answer* a : answers) views += a->weighted ? 2 : 1;
  const std::vector<ParameterSummary>& all = answers.front()->parameters;
  const std::size_t rows = std::min(all.size(), kMostRows / views);
  for (std::size_t i = 0; i < rows; ++i) tables["names"].push_back(all[i].name);
  tables["left_out"] = all.size() - rows;
  for (std::size_t j = 0; j < answers.size(); ++j) {
    const Answer& a = *answers[j];
    Json entry = {{"label", label_of(fit, j)}};
    if (a.mode > 0) entry["mode_weight"] = rounded(a.mode_weight);
    if (!fit.average) entry["elbo"] = with_error(a.elbo, a.elbo_mcse);
    entry["weighted"] = a.weighted ? columns_of(a.parameters, rows) : Json(nullptr);
    entry["moved"] = a.moved();
    const auto untrusted = [](const ParameterSummary& p) { return !p.sd_trusted; };
    if (std::ranges::any_of(a.parameters, untrusted)) entry["sd_missing"] = kSdMissing;
    entry["unweighted"] = columns_of(a.unweighted_parameters, rows);
    tables["answers"].push_back(std::move(entry));
  }
  return tables;
}

// Of a mixture: how much each mode holds, and who came to it.
Json modes_of(const Fit& fit) {
  Json modes = Json::array();
  if (!fit.average) return modes;
  for (const ModeSummary& mode : fit.average->modes) {
    modes.push_back({{"mass", percent_with_error(mode.mass, mode.mass_error)},
                     {"starts", mode.seen},
                     {"chains", fmt::format("{}", fmt::join(mode.chains, ", "))},
                     {"exchanged", exchange_text(mode)}});
  }
  return modes;
}

Json traces_of(const std::vector<ElboTrace>& traces) {
  Json array = Json::array();
  for (const ElboTrace& t : traces) array.push_back({t.every, rounded_list(t.elbo)});
  return array;
}

Json trace_of(const std::vector<Check>& trace) {
  return {{"iteration", rounded_list(trace, [](const Check& c) { return double(c.iteration); })},
          {"rhat", rounded_list(trace, [](const Check& c) { return c.rhat_max; })},
          {"mcse", rounded_list(trace, [](const Check& c) { return c.mcse_median; })},
          {"ess", rounded_list(trace, [](const Check& c) { return c.ess_min; })},
          {"error", rounded_list(trace, [](const Check& c) { return c.error; })}};
}

Json components_of(const std::vector<Component>& components) {
  Json array = Json::array();
  for (const Component& c : components) {
    array.push_back({{"name", c.name},
                     {"rhat", rounded(c.rhat)},
                     {"ess", rounded(c.ess)},
                     {"mcse", rounded(c.mcse)},
                     {"tail_index", rounded(c.tail_index)},
                     {"every", c.every},
                     {"autocorrelation", rounded_list(c.autocorrelation)}});
  }
  return array;
}

}  // namespace

OrderedJson rounded(double x) {
  if (!std::isfinite(x)) return nullptr;
  const double value = std::strtod(fmt::format("{:.6g}", x).c_str(), nullptr);
  // Whole numbers without a point.
  if (value == std::floor(value) && std::abs(value) < 1e9) return static_cast<long>(value);
  return value;
}

std::vector<const Answer*> shown_answers(const Fit& fit) {
  std::vector<const Answer*> answers;
  if (fit.average) answers.push_back(&*fit.average);
  for (const Answer& chain : fit.chains) answers.push_back(&chain);
  return answers;
}

std::string label_of(const Fit& fit, std::size_t answer) {
  if (fit.average) return "";
  const int mode = fit.chains[answer].mode;
  return fmt::format("chain {}{}", answer + 1, mode > 0 ? fmt::format(", mode {}", mode) : "");
}

OrderedJson report_data(const Fit& fit, const Reference* reference) {
  Json j;
  j["version"] = version();
  j["model"] = fit.model;
  j["dimension"] = fit.dimension;
  j["family"] = fit.options.family;
  j["method"] = fit.options.method;
  j["chains"] = fit.options.chains;
  j["verdict"] = name(fit.verdict);
  j["meaning"] = meaning(fit.verdict);
  j["findings"] = findings_of(fit);
  j["criteria"] = criteria_of(fit);
  j["run"] = run_of(fit);
  j["options"] = options_of(fit.options);
  j["reference"] = reference_of(fit);
  j["tables"] = tables_of(fit);
  j["modes"] = modes_of(fit);
  j["iterations"] = fit.iterations;
  j["averaging_started_at"] = fit.averaging_started_at;
  j["limits"] = {{"rhat", rounded(fit.rhat_limit)},
                 {"error", rounded(fit.options.tolerance)},
                 {"mcse", rounded(fit.options.mcse_threshold)},
                 {"ess", rounded(fit.ess_limit)},
                 {"tail_index", rounded(fit.tail_index_limit)},
                 {"khat", rounded(fit.khat_threshold)}};
  j["trace"] = trace_of(fit.trace);
  j["chain_elbo"] = traces_of(fit.chain_elbo);
  j["search_elbo"] = traces_of(fit.search_elbo);
  j["components"] = components_of(fit.components);
  j["draws"] = figures_of_draws(fit, reference);
  return j;
}

}  // namespace ravi
