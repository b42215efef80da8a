// fit.json, written and read side by side so that neither drifts.
#include "output/fit_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "core/json_file.hpp"
#include "output/fields.hpp"
#include "output/json_values.hpp"
#include "ravi/error.hpp"

namespace ravi {
namespace {

using Json = OrderedJson;

std::string pointer_of(const Key& key) {
  return key.pointer.empty() ? fmt::format("/{}", key.name) : std::string(key.pointer);
}

// Writes the members that one of the lists of output/fields.hpp visits.
auto writer_to(Json& j) {
  return [&j](const Key& key, const auto& value) {
    Json& place = j[Json::json_pointer(pointer_of(key))];
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>) {
      place = number_to_json(value);
    } else {
      place = value;
    }
  };
}

// Reads them. A whole number that is null keeps the value it has.
auto reader_of(const nlohmann::json& j) {
  return [&j](const Key& key, auto& value) {
    const nlohmann::json::json_pointer pointer(pointer_of(key));
    if (!key.always && !j.contains(pointer)) return;
    const nlohmann::json& found = j.at(pointer);
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>) {
      value = number_from_json(found);
    } else if (!(std::is_integral_v<std::decay_t<decltype(value)>> && found.is_null())) {
      found.get_to(value);
    }
  };
}

Json parameters_to_json(const std::vector<ParameterSummary>& parameters) {
  Json array = Json::array();
  for (const ParameterSummary& summary : parameters) {
    const ParameterSummary p = shown(summary);
    Json entry = {{"name", p.name}};
    visit_summary(p, writer_to(entry));
    entry["digits"] = p.digits();
    if (!p.sd_trusted) entry["sd_missing"] = kSdMissing;
    array.push_back(std::move(entry));
  }
  return array;
}

std::vector<ParameterSummary> to_parameters(const nlohmann::json& j) {
  std::vector<ParameterSummary> parameters;
  for (const auto& entry : j) {
    ParameterSummary p{.name = entry.at("name")};
    visit_summary(p, reader_of(entry));
    p.sd_trusted = !entry.contains("sd_missing");
    parameters.push_back(std::move(p));
  }
  return parameters;
}

Json moments_to_json(const Gaussian& q) {
  Json j = {{"family", q.family}, {"mean", vector_to_json(q.mean)}};
  if (q.cov.size() > 0) j["cov"] = matrix_to_json(q.cov);
  if (q.scale.size() > 0) j["scale"] = vector_to_json(q.scale);
  return j;
}

Gaussian to_moments(const nlohmann::json& j) {
  Gaussian q{
      .family = j.at("family"), .mean = vector_from_json(j.at("mean")), .cov = {}, .scale = {}};
  if (j.contains("cov")) q.cov = matrix_from_json(j.at("cov"));
  if (j.contains("scale")) q.scale = vector_from_json(j.at("scale"));
  return q;
}

Json bending_to_json(const Bending& b) {
  Json j;
  visit_bending(b, writer_to(j));
  j["drivers"] = Json::array();
  for (const Driver& driver : b.drivers) {
    Json driven = Json::array();
    for (const Driven& d : driver.driven) visit_driven(d, writer_to(driven.emplace_back()));
    j["drivers"].push_back({{"name", driver.name}, {"driven", std::move(driven)}});
  }
  return j;
}

Bending to_bending(const nlohmann::json& j) {
  Bending b;
  visit_bending(b, reader_of(j));
  for (const auto& driver : j.at("drivers")) {
    b.drivers.push_back({.name = driver.at("name")});
    for (const auto& d : driver.at("driven")) {
      visit_driven(b.drivers.back().driven.emplace_back(), reader_of(d));
    }
  }
  return b;
}

Json modes_to_json(const std::vector<ModeSummary>& modes) {
  Json array = Json::array();
  for (const ModeSummary& mode : modes) {
    Json entry;
    visit_mode(mode, writer_to(entry));
    entry["permutation"] = mode.permutation;
    entry["components"] = mode.components;
    entry["chains"] = mode.chains;
    entry["variational"] = moments_to_json(mode.q);
    entry["parameters"] = parameters_to_json(mode.parameters);
    array.push_back(std::move(entry));
  }
  return array;
}

std::vector<ModeSummary> to_modes(const nlohmann::json& j) {
  std::vector<ModeSummary> modes;
  for (const auto& entry : j) {
    ModeSummary& mode = modes.emplace_back();
    visit_mode(mode, reader_of(entry));
    entry.at("permutation").get_to(mode.permutation);
    entry.at("components").get_to(mode.components);
    entry.at("chains").get_to(mode.chains);
    mode.q = to_moments(entry.at("variational"));
    mode.parameters = to_parameters(entry.at("parameters"));
  }
  return modes;
}

// The score of an approximation: of the answer at the top level, of others beside their moments.
void add_score(const Answer& a, Json& j) {
  visit_answer(a, writer_to(j));
  if (!a.modes.empty()) j["modes"] = modes_to_json(a.modes);
  if (a.bending) j["bending"] = bending_to_json(*a.bending);
  if (a.moves) visit_moves(*a.moves, writer_to(j["moves"]));
}

// An approximation with its score, as last_iterate and chains[] hold it.
Json answer_to_json(const Answer& a) {
  Json j = moments_to_json(a.q);
  add_score(a, j);
  if (a.mode > 0) j["mode"] = {{"number", a.mode}, {"weight", number_to_json(a.mode_weight)}};
  if (a.parameters.empty()) return j;
  j["weighted"] = a.weighted;
  j["parameters"] = parameters_to_json(a.parameters);
  j["unweighted_parameters"] = parameters_to_json(a.unweighted_parameters);
  return j;
}

// The score of j, whose moments are in q.
Answer to_answer(const nlohmann::json& j, const nlohmann::json& q) {
  Answer a{.q = to_moments(q)};
  visit_answer(a, reader_of(j));
  if (!j.contains("draws_kept")) a.draws_kept = a.importance_draws;
  if (j.contains("modes")) a.modes = to_modes(j.at("modes"));
  if (j.contains("bending")) a.bending = to_bending(j.at("bending"));
  if (j.contains("moves")) visit_moves(a.moves.emplace(), reader_of(j.at("moves")));
  if (j.contains("mode") && j.at("mode").is_object()) {
    a.mode = j.at("mode").at("number");
    a.mode_weight = number_from_json(j.at("mode").at("weight"));
  }
  if (!j.contains("parameters")) return a;
  a.weighted = j.at("weighted");
  a.parameters = to_parameters(j.at("parameters"));
  a.unweighted_parameters = to_parameters(j.at("unweighted_parameters"));
  return a;
}

Json finding_to_json(const Finding& f, const Fit& fit) {
  const FindingWords& w = words(f.code);
  Json j = {{"code", w.name},
            {"severity", name(w.severity)},
            {"measure", measure_of(f)},
            {"observed", number_to_json(f.observed)},
            {"limit", number_to_json(f.limit)},
            {"parameter", f.parameter.empty() ? Json(nullptr) : Json(f.parameter)}};
  if (f.iteration >= 0) j["iteration"] = f.iteration;
  if (!f.detail.empty()) j["detail"] = f.detail;
  j["message"] = describe(f);
  j["advice"] = advice(f, fit);
  return j;
}

template <typename Enum, std::size_t n>
Enum by_name(const std::string& text, const Enum (&values)[n]) {
  for (const Enum value : values) {
    if (name(value) == text) return value;
  }
  throw UsageError(fmt::format("'{}' is not a known value", text));
}

Finding to_finding(const nlohmann::json& j) {
  std::string code = j.at("code");
  if (code == "moves-uneven") code = "moves-unsettled";  // two findings until 0.2.0
  const auto entry = std::ranges::find(finding_table(), code, &FindingWords::name);
  if (entry == finding_table().end()) {
    throw UsageError(fmt::format("finding '{}' is not known to this version", code));
  }
  return {entry->code,
          number_from_json(j.at("observed")),
          number_from_json(j.at("limit")),
          j.at("parameter").is_null() ? "" : j.at("parameter").get<std::string>(),
          j.value("iteration", -1L),
          j.value("detail", std::string()),
          j.value("measure", std::string())};
}

constexpr std::string_view kOfLast = "_last";

Json reference_to_json(const Fit& fit) {
  const Answer& last = *fit.last_iterate;
  const ReferenceScore average =
      fit.average ? fit.average->reference.value_or(ReferenceScore{}) : ReferenceScore{};
  Json j;
  visit_reference(average, writer_to(j));
  visit_reference(*last.reference, [&](const Key& key, double value) {
    j[fmt::format("{}{}", key.name, kOfLast)] = number_to_json(value);
  });
  j["khat_last"] = number_to_json(last.khat);
  return j;
}

Json trace_to_json(const std::vector<Check>& trace) {
  Json array = Json::array();
  for (const Check& c : trace) {
    Json entry;
    visit_check(c, writer_to(entry));
    array.push_back(std::move(entry));
  }
  return array;
}

std::vector<Check> to_trace(const nlohmann::json& j) {
  std::vector<Check> trace;
  for (const auto& c : j) {
    visit_check(trace.emplace_back(), reader_of(c));
  }
  return trace;
}

Json list_to_json(const std::vector<double>& values) {
  Json array = Json::array();
  for (const double x : values) array.push_back(number_to_json(x));
  return array;
}

std::vector<double> to_list(const nlohmann::json& j) {
  std::vector<double> values;
  for (const auto& x : j) values.push_back(number_from_json(x));
  return values;
}

Json elbo_to_json(const std::vector<ElboTrace>& traces) {
  Json array = Json::array();
  for (const ElboTrace& t : traces) {
    array.push_back({{"every", t.every}, {"elbo", list_to_json(t.elbo)}});
  }
  return array;
}

std::vector<ElboTrace> to_elbo(const nlohmann::json& j) {
  std::vector<ElboTrace> traces;
  for (const auto& t : j) traces.push_back({t.at("every"), to_list(t.at("elbo"))});
  return traces;
}

Json components_to_json(const std::vector<Component>& components) {
  Json array = Json::array();
  for (const Component& c : components) {
    array.push_back({{"name", c.name},
                     {"rhat", number_to_json(c.rhat)},
                     {"ess", number_to_json(c.ess)},
                     {"mcse", number_to_json(c.mcse)},
                     {"tail_index", number_to_json(c.tail_index)},
                     {"every", c.every},
                     {"autocorrelation", list_to_json(c.autocorrelation)}});
  }
  return array;
}

std::vector<Component> to_components(const nlohmann::json& j) {
  std::vector<Component> components;
  for (const auto& c : j) {
    components.push_back({c.at("name"), number_from_json(c.at("rhat")),
                          number_from_json(c.at("ess")), number_from_json(c.at("mcse")),
                          number_from_json(c.at("tail_index")), c.at("every"),
                          to_list(c.at("autocorrelation"))});
  }
  return components;
}

Json timing_to_json(const Timing& timing) {
  Json j = {{"seconds", timing.seconds}};
  visit_parts(timing, [&](std::string_view part, double seconds) {
    j[fmt::format("{}_seconds", part)] = seconds;
  });
  j["threads"] = timing.threads;
  return j;
}

Timing to_timing(const nlohmann::json& j) {
  Timing timing{.seconds = j.at("seconds"), .threads = j.at("threads")};
  // What was written before there were these parts has others.
  visit_parts(timing, [&](std::string_view part, double& seconds) {
    seconds = j.value(fmt::format("{}_seconds", part), 0.0);
  });
  return timing;
}

Json source_to_json(const Provenance::Source& s) {
  return {{"path", s.path.empty() ? Json(nullptr) : Json(s.path)},
          {"hash", s.hash.empty() ? Json(nullptr) : Json(s.hash)}};
}

Json provenance_to_json(const Provenance& p) {
  return {{"version", p.version},          {"created_at", p.created_at},
          {"interface", p.interface},      {"command", p.command},
          {"platform", p.platform},        {"program", source_to_json(p.program)},
          {"data", source_to_json(p.data)}};
}

Provenance::Source to_source(const nlohmann::json& j) {
  const auto text = [&](const char* key) {
    return j.at(key).is_null() ? std::string() : j.at(key).get<std::string>();
  };
  return {text("path"), text("hash")};
}

Provenance to_provenance(const nlohmann::json& j) {
  return {.version = j.at("version"),
          .created_at = j.at("created_at"),
          .interface = j.at("interface"),
          .command = j.at("command"),
          .platform = j.at("platform"),
          .program = to_source(j.at("program")),
          .data = to_source(j.at("data"))};
}

// The options that shape the answer, by their names.
Json options_to_json(const Options& options) {
  Json j = Json::object();
  visit_fields(options, [&](const Field& field, const auto& value) {
    if (field.shapes_answer()) j[std::string(field.name)] = value;
  });
  return j;
}

}  // namespace

std::string fit_to_json(const Fit& fit, double memory_peak_mb) {
  const Answer nothing;
  const Answer& answer = fit.average ? *fit.average : nothing;
  Json j;
  j["schema"] = kFitSchema;
  j["model"] = fit.model;
  j["dimension"] = fit.dimension;
  j["options"] = options_to_json(fit.options);
  j["seed"] = fit.options.seed;
  j["verdict"] = name(fit.verdict);
  j["termination"] = name(fit.termination);
  visit_iterates(fit, writer_to(j));
  if (fit.averaging_started_at < 0) j["averaging_started_at"] = nullptr;
  visit_cost(fit.cost, [&](const char* part, std::int64_t count) { j["cost"][part] = count; });
  add_score(answer, j);
  j["khat_threshold"] = number_to_json(fit.khat_threshold);
  j["findings"] = Json::array();
  for (const Finding& f : fit.findings) j["findings"].push_back(finding_to_json(f, fit));
  j["variational"] = fit.average ? moments_to_json(answer.q) : Json(nullptr);
  j["last_iterate"] = fit.last_iterate ? answer_to_json(*fit.last_iterate) : Json(nullptr);
  j["chains"] = Json::array();
  for (const Answer& chain : fit.chains) j["chains"].push_back(answer_to_json(chain));
  j["weighted"] = answer.weighted;
  j["parameters"] = parameters_to_json(answer.parameters);
  j["unweighted_parameters"] = parameters_to_json(answer.unweighted_parameters);
  if (fit.last_iterate && fit.last_iterate->reference) j["reference"] = reference_to_json(fit);
  j["trace"] = trace_to_json(fit.trace);
  j["search_elbo"] = elbo_to_json(fit.search_elbo);
  j["chain_elbo"] = elbo_to_json(fit.chain_elbo);
  j["components"] = components_to_json(fit.components);
  j["timing"] = timing_to_json(fit.timing);
  j["memory_peak_mb"] = memory_peak_mb;
  j["provenance"] = provenance_to_json(fit.provenance);
  return layout(j);
}

namespace {

Fit to_fit(const nlohmann::json& j) {
  if (const int schema = j.at("schema"); schema != kFitSchema) {
    throw UsageError(fmt::format("schema is {}, but this version reads {}", schema, kFitSchema));
  }
  Fit fit{.model = j.at("model"), .dimension = j.at("dimension")};
  const auto& options = j.at("options");
  visit_fields(fit.options, [&](const Field& field, auto& value) {
    const std::string name(field.name);
    // Of those that a method chooses some have come later.
    if (field.by_method() && !options.contains(name)) return;
    if (field.shapes_answer()) options.at(name).get_to(value);
  });
  using enum Verdict;
  fit.verdict = by_name(j.at("verdict"), {accurate, usable, unreliable, not_converged, failed});
  using enum Termination;
  fit.termination =
      by_name(j.at("termination"), {not_started, converged, elbo_settled, iterations_done,
                                    max_iterations, rounds_done, diverged, interrupted});
  for (const auto& f : j.at("findings")) fit.findings.push_back(to_finding(f));
  fit.findings = in_order(std::move(fit.findings));
  visit_iterates(fit, reader_of(j));
  if (j.contains("cost")) {
    visit_cost(fit.cost,
               [&](const char* part, std::int64_t& count) { j.at("cost").at(part).get_to(count); });
  }
  fit.khat_threshold = number_from_json(j.at("khat_threshold"));
  if (!j.at("variational").is_null()) fit.average = to_answer(j, j.at("variational"));
  if (const auto& last = j.at("last_iterate"); !last.is_null()) {
    fit.last_iterate = to_answer(last, last);
  }
  for (const auto& chain : j.at("chains")) fit.chains.push_back(to_answer(chain, chain));
  if (j.contains("reference")) {
    const auto& r = j.at("reference");
    if (fit.average) visit_reference(fit.average->reference.emplace(), reader_of(r));
    if (fit.last_iterate) {
      visit_reference(fit.last_iterate->reference.emplace(), [&](const Key& key, double& value) {
        value = number_from_json(r.at(fmt::format("{}{}", key.name, kOfLast)));
      });
    }
  }
  fit.trace = to_trace(j.at("trace"));
  fit.search_elbo = to_elbo(j.at("search_elbo"));
  fit.chain_elbo = to_elbo(j.at("chain_elbo"));
  fit.components = to_components(j.at("components"));
  fit.timing = to_timing(j.at("timing"));
  if (j.contains("provenance")) fit.provenance = to_provenance(j.at("provenance"));
  return fit;
}

}  // namespace

Fit read_fit(const std::string& path) {
  const nlohmann::json j = read_json(path);
  try {
    return to_fit(j);
  } catch (const nlohmann::json::exception& e) {
    throw UsageError(fmt::format("{}: not a fit written by ravi: {}", path, json_problem(e)));
  } catch (const UsageError& e) {
    throw UsageError(fmt::format("{}: {}", path, e.what()));
  }
}

}  // namespace ravi
