// Whether options fit together, and fit the model.
#include "algorithm/validate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "algorithm/choices.hpp"
#include "algorithm/methods.hpp"
#include "algorithm/paper/rules.hpp"
#include "core/memory.hpp"
#include "core/registry.hpp"
#include "model/model_sizes.hpp"
#include "objective/minibatch.hpp"
#include "optimizer/optimizer.hpp"
#include "ravi/stan.hpp"
#include "scoring/score.hpp"

namespace ravi {
namespace {

constexpr int kSmallestWindow = 4;  // of which R-hat takes two halves

// One that is left open is the method's.
void check_names(const Options& options, std::vector<std::string>& problems) {
  const std::vector<NamedOption> named = named_options();
  visit_fields(options, [&](const Field& field, const auto& value) {
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>) {
      const auto found = std::ranges::find(named, field.name, &NamedOption::option);
      if (field.by_method() && left_open(value)) return;
      const std::vector<std::string> choices = found->names();
      if (std::ranges::find(choices, value) == choices.end()) {
        problems.push_back(no_such_name(found->kind, value, choices));
      }
    }
  });
}

bool wants_batches(const Options& options) {
  return options.minibatch > 0 || options.minibatch == kAuto;
}

std::string no_batches(const Options& options) {
  return fmt::format(
      "minibatch = {}, but this model is not a sum over rows of data that can be told apart "
      "(a Stan program never is); leave it at 0",
      options.minibatch == kAuto ? std::string(kAutoWord) : std::to_string(options.minibatch));
}

void check_minibatch(const Options& options, const Model& model,
                     std::vector<std::string>& problems) {
  if (!wants_batches(options)) return;
  const Index rows = rows_of(model);
  if (rows == 0) {
    problems.push_back(no_batches(options));
  } else if (options.minibatch > rows) {
    problems.push_back(
        fmt::format("minibatch = {}, but the data have only {} rows", options.minibatch, rows));
  }
}

// What a fit comes to hold at the most, besides the model and what is written of it.
double bytes_needed(const Options& options, const Model& model, Index quantities) {
  const auto p = static_cast<double>(model.dimension());
  const Index size = entry_of(family_registry(), options.family, "family").size(model.dimension());
  const auto k = static_cast<double>(size);
  // Of a chain: vectors of size K, L and other matrices of as many numbers, matrices of P x M.
  const double chain = 8 * k + 16 * k + 6 * p * options.draws;
  // Of an answer: the covariance, of the average, the last iterate and the distance to a reference.
  const double answer = 6 * k;
  const bool history =
      options.stop == "mcse" && entry_of(mcse_over_registry(), options.mcse_over, "choice").history;
  return Iterates::bytes_needed(options.chains, size, options.window) +
         (history ? 2 * History::bytes_needed(options.chains, size) : 0) +
         sizeof(double) * (chain * options.chains + answer) +
         bytes_for_scores(model.dimension(), quantities, options);
}

std::string gigabytes(double bytes) {
  return fmt::format("{:.{}f} GB", bytes / 1e9, bytes < 1e10 ? 1 : 0);
}

void check_memory(const Options& given, const Model& model, Index quantities) {
  const Options options = filled_in(given, model);
  const double needed = bytes_needed(options, model, quantities), there = available_memory();
  if (needed <= there) return;
  std::vector<std::string> ways;
  const auto suggest = [&](std::string_view words, const Options& other) {
    const double less = bytes_needed(filled_in(other, model), model, quantities);
    if (less < needed) ways.push_back(fmt::format("{} needs {}", words, gigabytes(less)));
  };
  Options other = given;
  for (const FamilyEntry& family : family_registry()) {
    other.family = family.name;
    suggest(fmt::format("--family {}", family.name), other);
  }
  other = given;
  other.chains = std::min(2, options.chains);
  suggest("--chains 2", other);
  const Index k = entry_of(family_registry(), options.family, "family").size(model.dimension());
  throw EnvironmentError(fmt::format(
      "this fit needs about {} of memory, for {} variational parameters in {} chains, but {} are "
      "free{}{}",
      gigabytes(needed), k, options.chains, gigabytes(there), ways.empty() ? "" : "; ",
      fmt::join(ways, ", ")));
}

// An option that the method would not look at is refused: the user expects it to do something.
void check_use(const Options& options, std::vector<std::string>& problems) {
  const auto method = std::ranges::find(method_registry(), options.method, &MethodEntry::name);
  if (method == method_registry().end()) return;
  visit_pairs(options, method->own(options, 1),
              [&](const Field& field, const auto& value, const auto& own) {
                if (!field.by_method() || left_open(value) || !left_open(own)) return;
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
                    users.empty()
                        ? fmt::format("{} = {}, but optimizer {} has no use for it; leave it out",
                                      field.name, value, options.optimizer)
                        : fmt::format("{} = {}, but method {} has no use for it; leave it out, or "
                                      "use method {}",
                                      field.name, value, options.method, fmt::join(users, " or ")));
              });
}

std::vector<std::string> problems_of(const Options& options) {
  std::vector<std::string> problems = range_violations(options);
  check_names(options, problems);
  check_use(options, problems);
  if (options.window > 0 && options.window < kSmallestWindow) {
    problems.push_back(fmt::format("window = {}, but it must be {} or more  (W in the paper)",
                                   options.window, kSmallestWindow));
  }
  if (options.rhat_threshold > 0 && !(options.rhat_threshold > 1)) {
    problems.push_back(
        fmt::format("rhat_threshold = {}, but it must lie in (1, inf)  (tau in the paper)",
                    options.rhat_threshold));
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

void validate(const Options& options, std::string_view model) {
  std::vector<std::string> problems = problems_of(options);
  if (is_stan_path(model) && wants_batches(options)) problems.push_back(no_batches(options));
  report(problems);
}

void validate(const Options& given, const Model& model) {
  detail::check_dimension(model.dimension());
  std::vector<std::string> problems = problems_of(given);
  check_minibatch(given, model, problems);
  report(problems);
  // Before a name is made of every parameter, which may be more than memory holds.
  check_room_for_parameters(static_cast<double>(model.dimension()), "the model");
  check_memory(given, model, 0);
  problems = size_problems(model);
  const auto quantities = static_cast<Index>(model.parameter_names().size());
  if (model.dimension() == 0 && quantities == 0) {
    problems.push_back("the model has neither parameters nor quantities to report");
  }
  report(problems);
  check_memory(given, model, quantities);
}

}  // namespace ravi
