// Whether options fit together, and fit the model.
#include "algorithm/validate.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "algorithm/methods.hpp"
#include "algorithm/search.hpp"
#include "core/registry.hpp"

namespace ravi {
namespace {

template <typename Entry>
void check_name(std::span<const Entry> registry, std::string_view name, std::string_view kind,
                std::vector<std::string>& problems) {
  const std::vector<std::string> choices = names_of(registry);
  if (std::ranges::find(choices, name) == choices.end()) {
    problems.push_back(no_such_name(kind, name, choices));
  }
}

void check_minibatch(const Options& options, const Model& model,
                     std::vector<std::string>& problems) {
  if (options.minibatch <= 0) return;
  const auto* rows = dynamic_cast<const RowModel*>(&model);
  if (!rows) {
    problems.push_back(
        fmt::format("minibatch = {}, but this model is not a sum over rows of data; leave it at 0",
                    options.minibatch));
  } else if (options.minibatch > rows->rows()) {
    problems.push_back(fmt::format("minibatch = {}, but the data have only {} rows",
                                   options.minibatch, rows->rows()));
  }
}

// Iterates, and per chain a few vectors of size K and a few matrices of P x M and P x P.
void check_memory(const Options& options, const Model& model) {
  const Index p = model.dimension();
  const Index k = entry_of(family_registry(), options.family, "family").size(p);
  const auto per_chain = 8.0 * static_cast<double>(k) +
                         static_cast<double>(p) * static_cast<double>(3 * options.draws) +
                         (k > 2 * p ? 2.0 * static_cast<double>(p) * static_cast<double>(p) : 0.0);
  const double needed = Iterates::bytes_needed(options.chains, k, options.window) +
                        sizeof(double) * per_chain * options.chains;
  const double there =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (needed <= there) return;
  throw EnvironmentError(
      fmt::format("this fit needs about {:.0f} GB of memory (K = {} variational parameters), but "
                  "the machine has {:.0f} GB; --family mean-field, fewer --chains or a shorter "
                  "--window need less",
                  needed / 1e9, k, there / 1e9));
}

std::vector<std::string> problems_of(const Options& options) {
  std::vector<std::string> problems = range_violations(options);
  check_name(family_registry(), options.family, "family", problems);
  check_name(method_registry(), options.method, "method", problems);
  check_name(stop_registry(), options.stop, "stopping rule", problems);
  check_name(optimizer_registry(), options.optimizer, "optimizer", problems);
  if (options.window > options.max_iterations) {
    problems.push_back(
        fmt::format("window = {}, but it must not be larger than max_iterations = {}  "
                    "(W and T_max in the paper)",
                    options.window, options.max_iterations));
  }
  if (options.method == "robust" && (options.family != "full-rank" || options.minibatch > 0)) {
    problems.push_back(
        "method robust is for family full-rank and all rows of data (minibatch = 0); use method "
        "paper");
  }
  return problems;
}

void report(const std::vector<std::string>& problems) {
  if (problems.empty()) return;
  if (problems.size() == 1) throw UsageError(problems.front());
  throw UsageError(fmt::format("{} problems:\n  {}", problems.size(), fmt::join(problems, "\n  ")));
}

}  // namespace

void validate(const Options& options) { report(problems_of(options)); }

void validate(const Options& options, const Model& model) {
  std::vector<std::string> problems = problems_of(options);
  check_minibatch(options, model, problems);
  if (model.dimension() == 0 && model.parameter_names().empty()) {
    problems.push_back("the model has neither parameters nor quantities to report");
  }
  report(problems);
  check_memory(options, model);
}

}  // namespace ravi
