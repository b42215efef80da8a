// A Fit as Python sees it: numbers, names, and arrays that are views of the Fit's own.
#include "bindings/fit_fields.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <functional>
#include <utility>

#include "output/criteria.hpp"
#include "output/numbers.hpp"
#include "output/summary_fields.hpp"

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
  const ParameterSummary blank;
  visit_summary(blank, [&](const char* key, const double&) {
    table[key] = column(parameters, [&](const ParameterSummary& p) {
      double found = kUnknown;
      visit_summary(shown(p), [&](const char* other, double value) {
        if (key == std::string_view(other)) found = value;
      });
      return found;
    });
  });
  py::array_t<int> digits(static_cast<py::ssize_t>(parameters.size()));
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
  using namespace py::literals;
  return py::dict("d_mu"_a = a.reference->d_mu, "d_sigma"_a = a.reference->d_sigma,
                  "kl"_a = a.reference->kl);
}

py::object moves_of(const Answer& a) {
  if (!a.moves) return py::none();
  using py::literals::operator""_a;
  const Moves& m = *a.moves;
  return py::dict("draws"_a = m.draws, "transitions"_a = m.transitions,
                  "gradient_evaluations"_a = m.evaluations, "memory"_a = m.memory,
                  "tail_memory"_a = m.tail_memory, "drift"_a = m.drift, "sd_drift"_a = m.sd_drift,
                  "unevenness"_a = m.unevenness, "kept"_a = m.kept);
}

py::object fields_of(const Answer& a, const py::object& owner) {
  const WeightedDraws& d = a.draws;
  py::dict j;
  j["family"] = a.q.family;
  j["mean"] = view(a.q.mean, owner);
  j["full_cov"] = or_none(a.q.cov.size() > 0, view(a.q.cov, owner).attr("T"));
  j["scale"] = or_none(a.q.scale.size() > 0, view(a.q.scale, owner));
  j["elbo"] = a.elbo;
  j["elbo_mcse"] = a.elbo_mcse;
  j["khat"] = a.khat;
  j["khat_text"] = khat_text(a);
  j["khat_quartiles"] = py::make_tuple(a.khat_low, a.khat_high);
  j["efficiency"] = a.efficiency;
  j["perplexity"] = a.perplexity;
  j["importance_draws"] = a.draws_scored;
  j["importance_ess"] = a.importance_ess;
  j["unseen_mass"] = a.unseen_mass;
  j["tail_shape"] = a.tail_shape;
  j["unseen_variance"] = a.unseen_variance;
  j["share_of_q"] = a.share_of_q;
  j["coarseness"] = a.coarseness;
  j["draws_kept"] = a.draws_kept;
  j["resampled_distinct"] = a.distinct;
  j["log_evidence"] = a.log_evidence;
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
  j["iteration"] = column(trace, &Check::iteration);
  j["elbo"] = column(trace, &Check::elbo);
  j["rhat_max"] = column(trace, &Check::rhat_max);
  j["mcse_median"] = column(trace, &Check::mcse_median);
  j["ess_min"] = column(trace, &Check::ess_min);
  j["error"] = column(trace, &Check::error);
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
  j["iterations"] = fit.iterations;
  j["averaging_started_at"] =
      or_none(fit.averaging_started_at >= 0, py::int_(fit.averaging_started_at));
  j["gradient_evaluations"] = fit.gradient_evaluations;
  j["failed_draws"] = fit.failed_draws;
  j["rhat_max"] = fit.rhat_max;
  j["rhat_limit"] = fit.rhat_limit;
  j["rhat_parameter"] = fit.rhat_parameter;
  j["error"] = fit.error;
  j["mcse_median"] = fit.mcse_median;
  j["mcse_max"] = fit.mcse_max;
  j["ess_min"] = fit.ess_min;
  j["ess_limit"] = fit.ess_limit;
  j["tail_index_max"] = fit.tail_index_max;
  j["tail_index_limit"] = fit.tail_index_limit;
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
  j["provenance"] = provenance_of(fit.provenance);
  return j;
}

}  // namespace ravi::python
