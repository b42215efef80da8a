// A Fit as Python sees it: numbers, names, and arrays that are views of the Fit's own.
#include "bindings/fit_fields.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <functional>
#include <utility>

#include "output/criteria.hpp"
#include "output/fields.hpp"
#include "output/numbers.hpp"

namespace ravi::python {
namespace py = pybind11;
namespace {

// Views share memory with the fit, so they are read-only.
template <typename Number>
py::array view(const Number* data, std::vector<py::ssize_t> shape, const py::object& owner) {
  py::array array(py::dtype::of<Number>(), std::move(shape), {}, data, owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

py::array view(const Vector& x, const py::object& owner) {
  return view(x.data(), {x.size()}, owner);
}

// A row per draw: Eigen keeps a draw in a column, and columns one after another.
py::array view(const Matrix& m, const py::object& owner) {
  return view(m.data(), {m.cols(), m.rows()}, owner);
}

py::str name_of(const Key& key) { return py::str(std::string(key.name)); }

// Adds the members that one of the lists of output/fields.hpp visits.
auto adder_to(py::dict& j) {
  return [&j](const Key& key, const auto& value) { j[name_of(key)] = value; };
}

py::object or_none(bool is_there, const py::object& value) {
  return is_there ? value : py::object(py::none());
}

template <typename Records, typename Member>
py::array column(const Records& records, Member member) {
  py::array_t<double> values(static_cast<py::ssize_t>(records.size()));
  std::size_t i = 0;
  for (const auto& record : records) {
    values.mutable_data()[i++] = static_cast<double>(std::invoke(member, record));
  }
  return values;
}

// Column by column: {"name": [...], "mean": array, ..., "digits": array}.
py::dict table_of(const std::vector<ParameterSummary>& parameters) {
  py::list names;
  for (const ParameterSummary& p : parameters) names.append(p.name);
  py::dict table;
  table["name"] = names;
  const auto rows = static_cast<py::ssize_t>(parameters.size());
  std::vector<double*> columns;
  visit_summary(ParameterSummary{}, [&](const Key& key, double) {
    py::array_t<double> values(rows);
    columns.push_back(values.mutable_data());
    table[name_of(key)] = std::move(values);
  });
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    auto column = columns.begin();
    visit_summary(shown(parameters[i]), [&](const Key&, double value) { (*column++)[i] = value; });
  }
  py::array_t<int> digits(rows);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    digits.mutable_data()[i] = parameters[i].digits();
  }
  table["digits"] = digits;
  // Each number with the digits that its own error allows.
  py::dict text;
  const auto add_text = [&](const char* key, double ParameterSummary::*value,
                            double ParameterSummary::*error) {
    py::list cells;
    for (const ParameterSummary& p : parameters) {
      const ParameterSummary s = shown(p);
      cells.append(with_error(s.*value, s.*error));
    }
    text[key] = cells;
  };
  add_text("mean", &ParameterSummary::mean, &ParameterSummary::mcse);
  add_text("sd", &ParameterSummary::sd, &ParameterSummary::mcse_sd);
  add_text("q5", &ParameterSummary::q5, &ParameterSummary::mcse_q5);
  add_text("q50", &ParameterSummary::q50, &ParameterSummary::mcse_q50);
  add_text("q95", &ParameterSummary::q95, &ParameterSummary::mcse_q95);
  table["text"] = text;
  return table;
}

py::object reference_of(const Answer& a) {
  if (!a.reference) return py::none();
  py::dict j;
  visit_reference(*a.reference, adder_to(j));
  return j;
}

py::object moves_of(const Answer& a) {
  if (!a.moves) return py::none();
  py::dict j;
  visit_moves(*a.moves, adder_to(j));
  return j;
}

py::object bending_of(const Answer& a) {
  if (!a.bending) return py::none();
  py::dict j;
  visit_bending(*a.bending, adder_to(j));
  py::list drivers;
  for (const Driver& driver : a.bending->drivers) {
    py::list driven;
    for (const Driven& d : driver.driven) {
      py::dict of;
      visit_driven(d, adder_to(of));
      driven.append(of);
    }
    py::dict of;
    of["name"] = driver.name;
    of["driven"] = driven;
    drivers.append(of);
  }
  j["drivers"] = drivers;
  return j;
}

py::list modes_of(const Answer& a) {
  py::list modes;
  for (const ModeSummary& mode : a.modes) {
    py::dict of;
    visit_mode(mode, adder_to(of));
    of["permutation"] = mode.permutation;
    of["components"] = mode.components;
    of["chains"] = mode.chains;
    of["parameters"] = table_of(mode.parameters);
    modes.append(of);
  }
  return modes;
}

py::object fields_of(const Answer& a, const py::object& owner) {
  const WeightedDraws& d = a.draws;
  py::dict j;
  j["family"] = a.q.family;
  j["mean"] = view(a.q.mean, owner);
  j["full_cov"] = or_none(a.q.cov.size() > 0, view(a.q.cov, owner).attr("T"));
  j["scale"] = or_none(a.q.scale.size() > 0, view(a.q.scale, owner));
  visit_answer(a, adder_to(j));
  j["khat_text"] = khat_text(a);
  j["modes"] = modes_of(a);
  j["bending"] = bending_of(a);
  j["moves"] = moves_of(a);
  j["weighted"] = a.weighted;
  j["parameters"] = table_of(a.parameters);
  j["unweighted_parameters"] = table_of(a.unweighted_parameters);
  j["reference"] = reference_of(a);
  j["mode"] = or_none(a.mode > 0, py::int_(a.mode));
  j["mode_weight"] = a.mode_weight;
  j["theta"] = view(d.theta, owner);
  j["quantities"] = view(d.quantities, owner);
  j["plain"] = d.plain;
  j["log_density"] = view(d.log_density, owner);
  j["log_q"] = view(d.log_q, owner);
  j["log_proposal"] = view(d.log_proposal, owner);
  j["log_weights"] = view(d.log_weights, owner);
  j["share_of_mode"] = view(d.share_of_mode, owner).attr("T");
  j["resampled"] = view(d.resampled.data(), {static_cast<py::ssize_t>(d.resampled.size())}, owner);
  return j;
}

py::object fields_of(const std::optional<Answer>& a, const py::object& owner) {
  return a ? fields_of(*a, owner) : py::none();
}

py::dict fields_of(const Finding& f, const Fit& fit) {
  const FindingWords& w = words(f.code);
  py::dict j;
  j["code"] = w.name;
  j["severity"] = name(w.severity);
  j["message"] = describe(f);
  j["advice"] = advice(f, fit);
  j["measure"] = measure_of(f);
  j["observed"] = f.observed;
  j["limit"] = f.limit;
  j["parameter"] = or_none(!f.parameter.empty(), py::str(f.parameter));
  j["iteration"] = or_none(f.iteration >= 0, py::int_(f.iteration));
  j["detail"] = or_none(!f.detail.empty(), py::str(f.detail));
  j["source"] = w.source;
  return j;
}

py::dict trace_of(const std::vector<Check>& trace) {
  py::dict j;
  std::vector<double*> columns;
  visit_check(Check{}, [&](const Key& key, auto) {
    py::array_t<double> values(static_cast<py::ssize_t>(trace.size()));
    columns.push_back(values.mutable_data());
    j[name_of(key)] = std::move(values);
  });
  for (std::size_t i = 0; i < trace.size(); ++i) {
    auto column = columns.begin();
    visit_check(trace[i],
                [&](const Key&, auto value) { (*column++)[i] = static_cast<double>(value); });
  }
  return j;
}

// One array of iterations and one of ELBOs for every trace.
py::list traces_of(const std::vector<ElboTrace>& traces) {
  py::list list;
  for (const ElboTrace& trace : traces) {
    py::dict j;
    j["every"] = trace.every;
    j["elbo"] = column(trace.elbo, [](double x) { return x; });
    list.append(j);
  }
  return list;
}

py::dict options_of(const Options& options) {
  py::dict j;
  visit_fields(options, [&](const Field& field, const auto& value) {
    j[py::str(std::string(field.name))] = value;
  });
  return j;
}

py::dict provenance_of(const Provenance& p) {
  const auto source = [](const Provenance::Source& s) {
    py::dict j;
    j["path"] = or_none(!s.path.empty(), py::str(s.path));
    j["hash"] = or_none(!s.hash.empty(), py::str(s.hash));
    return j;
  };
  py::dict j;
  j["version"] = p.version;
  j["created_at"] = p.created_at;
  j["interface"] = p.interface;
  j["command"] = p.command;
  j["platform"] = p.platform;
  j["program"] = source(p.program);
  j["data"] = source(p.data);
  return j;
}

}  // namespace

py::dict fields_of(const std::shared_ptr<Core>& core) {
  const Fit& fit = core->fit;
  const py::object owner = py::cast(core);
  py::dict j;
  j["core"] = owner;
  j["model"] = fit.model;
  j["dimension"] = fit.dimension;
  j["unconstrained_names"] = core->unconstrained_names;
  j["options"] = options_of(fit.options);
  j["verdict"] = name(fit.verdict);
  j["meaning"] = meaning(fit.verdict);
  j["trustworthy"] = trustworthy(fit.verdict);
  j["termination"] = name(fit.termination);
  py::list findings;
  for (const Finding& f : fit.findings) findings.append(fields_of(f, fit));
  j["findings"] = findings;
  visit_iterates(fit, adder_to(j));
  if (fit.averaging_started_at < 0) j["averaging_started_at"] = py::none();
  j["khat_threshold"] = fit.khat_threshold;
  j["answer"] = fields_of(fit.average, owner);
  j["last_iterate"] = fields_of(fit.last_iterate, owner);
  py::list chains;
  for (const Answer& chain : fit.chains) chains.append(fields_of(chain, owner));
  j["chains"] = chains;
  j["trace"] = trace_of(fit.trace);
  j["search_elbo"] = traces_of(fit.search_elbo);
  j["chain_elbo"] = traces_of(fit.chain_elbo);
  j["seconds"] = fit.timing.seconds;
  py::dict parts;
  visit_parts(fit.timing, [&](std::string_view part, double seconds) {
    parts[py::str(std::string(part))] = seconds;
  });
  j["timing"] = parts;
  py::dict cost;
  visit_cost(fit.cost, [&](const char* part, std::int64_t count) { cost[part] = count; });
  j["cost"] = cost;
  j["provenance"] = provenance_of(fit.provenance);
  return j;
}

}  // namespace ravi::python
