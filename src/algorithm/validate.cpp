// Whether options fit together, and fit the model.
#include "algorithm/validate.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "algorithm/methods.hpp"
#include "algorithm/search.hpp"
#include "core/registry.hpp"

namespace ravi {
namespace {

constexpr int kSmallestWindow = 4;  // of which R-hat takes two halves

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

// An option that the method would not look at is refused: the user expects it to do something.
void check_use(const Options& options, std::vector<std::string>& problems) {
  const auto method = std::ranges::find(method_registry(), options.method, &MethodEntry::name);
  if (method == method_registry().end()) return;
  visit_pairs(options, method->own(options, 1),
              [&](const Field& field, const auto& value, const auto& own) {
                if (!field.by_method || left_open(value) || !left_open(own)) return;
                std::vector<std::string_view> users;
                for (const MethodEntry& entry : method_registry()) {
                  const Options options_of_entry = entry.own(options, 1);
                  visit_pairs(options_of_entry, options_of_entry,
                              [&](const Field& f, const auto& used, const auto&) {
                                if (f.name == field.name && !left_open(used))
                                  users.push_back(entry.name);
                              });
                }
                problems.push_back(
                    fmt::format("{} = {}, but method {} has no use for it; leave it out, or use "
                                "method {}",
                                field.name, value, options.method, fmt::join(users, " or ")));
              });
}

std::vector<std::string> problems_of(const Options& options) {
  std::vector<std::string> problems = range_violations(options);
  check_name(family_registry(), options.family, "family", problems);
  check_name(method_registry(), options.method, "method", problems);
  if (!options.stop.empty()) check_name(stop_registry(), options.stop, "stopping rule", problems);
  if (!options.optimizer.empty()) {
    check_name(optimizer_registry(), options.optimizer, "optimizer", problems);
  }
  check_use(options, problems);
  if (options.window > 0 && options.window < kSmallestWindow) {
    problems.push_back(fmt::format("window = {}, but it must be {} or more  (W in the paper)",
                                   options.window, kSmallestWindow));
  }
  if (options.max_iterations > 0 && options.window > options.max_iterations) {
    problems.push_back(
        fmt::format("window = {}, but it must not be larger than max_iterations = {}  "
                    "(W and T_max in the paper)",
                    options.window, options.max_iterations));
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

void validate(const Options& given, const Model& model) {
  std::vector<std::string> problems = problems_of(given);
  check_minibatch(given, model, problems);
  if (model.dimension() == 0 && model.parameter_names().empty()) {
    problems.push_back("the model has neither parameters nor quantities to report");
  }
  report(problems);
  check_memory(filled_in(given, model.dimension()), model);
}

}  // namespace ravi
