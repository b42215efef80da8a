// Runs and results as JSON.
#include "paper/runs.hpp"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "algorithm/methods.hpp"
#include "core/content_hash.hpp"
#include "output/json_values.hpp"
#include "ravi/version.hpp"

namespace ravi::paper {
namespace {

// Raised when the same settings come to mean another computation.
constexpr const char* kFormat = "2";

// How many times that of a regression a gradient costs.
double weight_of(const std::string& posterior) {
  if (posterior.find("mnist100") != std::string::npos) return 100;
  if (posterior.ends_with("radon")) return 6;
  if (posterior.ends_with("wine")) return 4;
  return posterior.starts_with("eight") || posterior == "bimodal" ? 1 : 1.5;
}

OrderedJson to_json(const Quality& q) {
  return {{"d_mu", number_to_json(q.d_mu)},
          {"d_sigma", number_to_json(q.d_sigma)},
          {"kl", number_to_json(q.kl)},
          {"khat", number_to_json(q.khat)},
          {"elbo", number_to_json(q.elbo)},
          {"frobenius", number_to_json(q.frobenius)},
          {"printed_d_mu", number_to_json(q.printed_d_mu)},
          {"printed_d_sigma", number_to_json(q.printed_d_sigma)}};
}

Quality quality_from_json(const nlohmann::json& j) {
  return {number_from_json(j.at("d_mu")),         number_from_json(j.at("d_sigma")),
          number_from_json(j.at("kl")),           number_from_json(j.at("khat")),
          number_from_json(j.at("elbo")),         number_from_json(j.at("frobenius")),
          number_from_json(j.at("printed_d_mu")), number_from_json(j.at("printed_d_sigma"))};
}

OrderedJson to_json(const Point& p) {
  return {{"iteration", p.iteration},
          {"elbo", number_to_json(p.elbo)},
          {"rhat_window", number_to_json(p.rhat_window)},
          {"rhat_half", number_to_json(p.rhat_half)},
          {"last", to_json(p.last)},
          {"average", to_json(p.average)}};
}

Point point_from_json(const nlohmann::json& j) {
  return {j.at("iteration").get<long>(),         number_from_json(j.at("elbo")),
          number_from_json(j.at("rhat_window")), number_from_json(j.at("rhat_half")),
          quality_from_json(j.at("last")),       quality_from_json(j.at("average"))};
}

}  // namespace

std::string Run::settings() const {
  OrderedJson j = {{"kind", static_cast<int>(kind)}, {"posterior", posterior}};
  if (dimension > 0) {
    j["dimension"] = dimension;
    j["gamma"] = gamma;
    j["realization"] = realization;
  }
  visit_fields(options, [&](const Field& field, const auto& value) {
    if (field.shapes_answer()) j["options"][std::string(field.name)] = value;
  });
  if (!checkpoints.empty()) j["checkpoints"] = checkpoints;
  if (!parameters.empty()) j["parameters"] = parameters;
  if (khat_draws > 0) j["khat_draws"] = khat_draws;
  return j.dump();
}

std::string Run::name() const {
  const std::array<std::string, 3> parts = {std::string(version()), kFormat, settings()};
  return content_hash(parts);
}

double Run::cost() const {
  const Options filled = filled_in(options, dimension > 0 ? dimension : 10);
  const double p = dimension > 0 ? static_cast<double>(dimension) : 10;
  const double gradients = options.method == "robust"
                               ? 5000 + 40.0 * options.max_iterations
                               : static_cast<double>(filled.max_iterations) * filled.chains *
                                     filled.draws * (dimension > 0 ? 0.2 + p * p / 5000 : 0.2);
  // Scoring: 16000 draws, at least, for each approximation.
  const auto scores = 2 * static_cast<double>(std::max<std::size_t>(1, checkpoints.size()));
  return weight_of(posterior) * (gradients + 30000 * scores * (0.5 + p / 80));
}

double Quality::d() const { return std::hypot(d_mu, d_sigma); }

OrderedJson to_json(const Result& r) {
  OrderedJson points = OrderedJson::array();
  for (const Point& p : r.points) points.push_back(to_json(p));
  return {{"termination", r.termination},
          {"verdict", r.verdict},
          {"iterations", r.iterations},
          {"averaging_started_at", r.averaging_started_at},
          {"evaluations", r.evaluations},
          {"rhat", number_to_json(r.rhat)},
          {"ess", number_to_json(r.ess)},
          {"tail_index", number_to_json(r.tail_index)},
          {"last", to_json(r.last)},
          {"average", to_json(r.average)},
          {"points", points},
          {"autocorrelation", matrix_to_json(r.autocorrelation)}};
}

Result result_from_json(const nlohmann::json& j) {
  Result r{.termination = j.at("termination").get<std::string>(),
           .verdict = j.at("verdict").get<std::string>(),
           .iterations = j.at("iterations").get<long>(),
           .averaging_started_at = j.at("averaging_started_at").get<long>(),
           .evaluations = j.at("evaluations").get<std::int64_t>(),
           .rhat = number_from_json(j.at("rhat")),
           .ess = number_from_json(j.at("ess")),
           .tail_index = number_from_json(j.at("tail_index")),
           .last = quality_from_json(j.at("last")),
           .average = quality_from_json(j.at("average")),
           .autocorrelation = matrix_from_json(j.at("autocorrelation"))};
  for (const nlohmann::json& p : j.at("points")) r.points.push_back(point_from_json(p));
  return r;
}

}  // namespace ravi::paper
