// Answers in different places: how much of the mass each holds, and whether they are one region.
#include "algorithm/judge/modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

#include "core/append.hpp"
#include "core/numeric.hpp"
#include "limits/limits.hpp"

namespace ravi {
namespace {

// Whether log p does not fall between two points, on the line from one to the other.
bool connected(const Model& model, const Vector& a, const Vector& b) {
  Matrix line(a.size(), count(Limit::points_between) + 2);
  for (Index i = 0; i < line.cols(); ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(line.cols() - 1);
    line.col(i) = (1 - part) * a + part * b;
  }
  Vector values(line.cols());
  model.log_density(line, values);
  if (!values.allFinite()) return false;
  return values.minCoeff() >
         std::min(values(0), values(values.size() - 1)) - limit(Limit::fall_between);
}

}  // namespace

std::vector<std::size_t> regions_of(const Model& model, const std::vector<Vector>& points) {
  std::vector<std::size_t> region;
  for (std::size_t i = 0; i < points.size(); ++i) {
    region.push_back(i);
    for (std::size_t j = 0; j < i; ++j) {
      if (region[j] == region[i] || !connected(model, points[i], points[j])) continue;
      std::ranges::replace(region, std::size_t{region[i]}, std::size_t{region[j]});
    }
  }
  return region;
}

void weigh_modes(const std::vector<int>& mode_of_chain, std::vector<Answer>& chains) {
  const int modes = std::ranges::max(mode_of_chain);
  Vector evidence(modes);
  for (int m = 1; m <= modes; ++m) {
    std::vector<double> of_chains;
    for (std::size_t j = 0; j < chains.size(); ++j) {
      if (mode_of_chain[j] == m) of_chains.push_back(chains[j].log_evidence);
    }
    evidence(m - 1) = std::accumulate(of_chains.begin(), of_chains.end(), 0.0) /
                      static_cast<double>(of_chains.size());
  }
  const double all = log_sum_exp(evidence);
  for (std::size_t j = 0; j < chains.size(); ++j) {
    chains[j].mode = mode_of_chain[j];
    chains[j].mode_weight = std::exp(evidence(mode_of_chain[j] - 1) - all);
  }
}

namespace {

// Quantities by their variable: theta[1], theta[2], ... are one with two elements, others by
// themselves.
struct Variable {
  std::string name;
  std::vector<std::size_t> element;
  bool indexed;
};

std::vector<Variable> variables_of(const std::vector<ParameterSummary>& parameters) {
  std::vector<Variable> variables;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::string& name = parameters[i].name;
    const std::size_t bracket = name.find('[');
    const bool indexed = bracket != std::string::npos && name.find(',') == std::string::npos;
    const std::string variable = indexed ? name.substr(0, bracket) : name;
    if (indexed && !variables.empty() && variables.back().indexed &&
        variables.back().name == variable) {
      variables.back().element.push_back(i);
    } else {
      variables.push_back({variable, {i}, indexed});
    }
  }
  return variables;
}

// The indices of one mode as those of another, if the two are the same posterior under other names:
// all variables with so many elements are permuted in one way, and nothing else differs, but for
// what becomes its complement to 1 where there are two. Means and sds are the same within a tenth
// of an sd, or their errors, which in several coordinates at once they are not by chance.
class Exchange {
 public:
  Exchange(const ModeSummary& from, const ModeSummary& to)
      : from_(from.parameters), to_(to.parameters), variables_(variables_of(to_)) {}

  std::vector<int> permutation() {
    std::set<std::size_t> sizes;
    for (const Variable& of : variables_) {
      if (of.indexed && of.element.size() > 1 && !identical(of)) sizes.insert(of.element.size());
    }
    for (const std::size_t k : sizes) {
      permutation_.clear();
      if (!match(k)) continue;
      if (std::ranges::all_of(variables_, [&](const Variable& of) {
            return (of.indexed && of.element.size() == k) || identical(of) || complement(of);
          })) {
        return permutation_;
      }
    }
    return {};
  }

 private:
  static bool same(double a, double b, double sd, double error) {
    constexpr double kTenth = 0.1, kErrors = 4;
    return std::abs(a - b) <= std::max(kTenth * sd, kErrors * error);
  }
  static bool same_sd(const ParameterSummary& x, const ParameterSummary& y) {
    return same(x.sd, y.sd, y.sd, std::hypot(x.mcse_sd, y.mcse_sd));
  }
  bool alike(std::size_t a, std::size_t b) const {
    const ParameterSummary &x = from_[a], &y = to_[b];
    return same(x.mean, y.mean, y.sd, std::hypot(x.mcse, y.mcse)) && same_sd(x, y);
  }
  bool identical(const Variable& of) const {
    return std::ranges::all_of(of.element, [&](std::size_t i) { return alike(i, i); });
  }
  bool complement(const Variable& of) const {
    if (permutation_.size() != 2) return false;
    return std::ranges::all_of(of.element, [&](std::size_t i) {
      const ParameterSummary &x = from_[i], &y = to_[i];
      return y.q5 >= 0 && y.q95 <= 1 &&
             same(x.mean, 1 - y.mean, y.sd, std::hypot(x.mcse, y.mcse)) && same_sd(x, y);
    });
  }
  // Each index here with the one there at which all variables of k elements are alike.
  bool match(std::size_t k) {
    std::vector<char> taken(k, 0);
    for (std::size_t i = 0; i < k; ++i) {
      std::size_t j = 0;
      for (; j < k; ++j) {
        if (!taken[j] && std::ranges::all_of(variables_, [&](const Variable& of) {
              return !of.indexed || of.element.size() != k || alike(of.element[i], of.element[j]);
            })) {
          break;
        }
      }
      if (j == k) return false;
      taken[j] = 1;
      permutation_.push_back(static_cast<int>(j) + 1);
    }
    return true;
  }

  const std::vector<ParameterSummary>&from_, &to_;
  std::vector<Variable> variables_;
  std::vector<int> permutation_;
};

std::vector<Vector> means_of(const std::vector<ModeSummary>& modes) {
  std::vector<Vector> means;
  for (const ModeSummary& mode : modes) means.push_back(mode.q.mean);
  return means;
}

// Whether they have the same mass, but for noise.
bool same_mass(const ModeSummary& a, const ModeSummary& b) {
  return std::abs(a.mass - b.mass) < 3 * std::hypot(a.mass_error, b.mass_error);
}

}  // namespace

void describe_modes(const std::vector<ModeSummary>& known, Answer& answer) {
  std::vector<std::size_t> order(answer.modes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{},
                           [&](std::size_t m) { return answer.modes[m].mass; });
  std::vector<ModeSummary> modes;
  for (const std::size_t m : order) {
    ModeSummary& mode = modes.emplace_back(std::move(answer.modes[m]));
    for (const int component : mode.components) {
      const ModeSummary& of = known[static_cast<std::size_t>(component - 1)];
      mode.seen += of.seen;
      append(mode.chains, of.chains);
    }
    std::ranges::sort(mode.chains);
    for (std::size_t other = 0; other + 1 < modes.size() && mode.exchanged == 0; ++other) {
      if (modes[other].exchanged != 0 || !same_mass(mode, modes[other])) continue;
      mode.permutation = Exchange(mode, modes[other]).permutation();
      if (!mode.permutation.empty()) mode.exchanged = static_cast<int>(other) + 1;
    }
  }
  answer.modes = std::move(modes);
  answer.draws.share_of_mode = Matrix(answer.draws.share_of_mode(Eigen::all, order));
}

std::map<std::size_t, int> regions(const Model& model, const std::vector<ModeSummary>& modes) {
  const std::vector<std::size_t> region = regions_of(model, means_of(modes));
  std::map<std::size_t, int> seen;
  for (std::size_t m = 0; m < modes.size(); ++m) seen[region[m]] += modes[m].seen;
  return seen;
}

std::vector<Finding> judge_modes(const Model& model, const Answer& answer) {
  const std::vector<std::size_t> region = regions_of(model, means_of(answer.modes));
  std::map<std::size_t, int> seen = regions(model, answer.modes);
  const auto count = static_cast<double>(answer.modes.size());
  std::vector<Finding> findings{{FindingCode::modes_combined, count}};
  const double most = limit(Limit::unseen_mass);
  for (std::size_t m = 0; m < answer.modes.size(); ++m) {
    const ModeSummary& mode = answer.modes[m];
    Finding apart{.code = FindingCode::modes_apart, .parameter = fmt::format("mode {}", m + 1)};
    // Negated, so that a value that could not be computed does not pass.
    if (!(mode.mass_error <= most)) {
      apart.observed = mode.mass_error;
      apart.limit = most;
      apart.measure = "error of the mass";
      findings.push_back(apart);
    } else if (seen[region[m]] < 2 && !(mode.mass < limit(Limit::negligible_mass))) {
      apart.observed = seen[region[m]];
      findings.push_back(apart);
    }
  }
  return findings;
}

Finding why_apart(const std::vector<Finding>& findings) {
  const auto severity = [](const Finding& x) { return words(x.code).worst; };
  Finding worst = *std::ranges::max_element(findings, {}, severity);
  if (worst.code == FindingCode::modes_apart) return worst;
  worst.measure =
      fmt::format("of their mixture, {}: {}", words(worst.code).name, measure_of(worst));
  worst.code = FindingCode::modes_apart;
  return worst;
}

}  // namespace ravi
