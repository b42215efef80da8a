// What there is to choose from, by the registries.
#include "algorithm/choices.hpp"

#include <array>
#include <span>
#include <string>

#include "algorithm/chains/starts.hpp"
#include "algorithm/methods.hpp"
#include "algorithm/paper/rules.hpp"
#include "algorithm/paper/stops.hpp"
#include "optimizer/optimizer.hpp"

namespace ravi {
namespace {

constexpr std::array kOffsetPlaces = {
    Choice{kOutside, "g / (sqrt(v) + offset)"},
    Choice{kInside, "g / sqrt(v + offset)"},
};

template <typename Entry>
std::vector<Choice> choices_in(std::span<const Entry> registry) {
  std::vector<Choice> choices;
  for (const Entry& entry : registry) choices.push_back({entry.name, entry.description});
  return choices;
}

}  // namespace

std::vector<std::string> NamedOption::names() const {
  std::vector<std::string> names;
  for (const Choice& choice : choices) names.emplace_back(choice.name);
  return names;
}

std::vector<NamedOption> named_options() {
  return {
      {"family", "family", "Families", choices_in(family_registry())},
      {"optimizer", "optimizer", "Optimizers", choices_in(optimizer_registry())},
      {"stop", "stopping rule", "Stopping rules", choices_in(stop_registry())},
      {"method", "method", "Methods", choices_in(method_registry())},
      {"offset_place",
       "place of the offset",
       "Places of the offset",
       {kOffsetPlaces.begin(), kOffsetPlaces.end()}},
      {"start", "start", "Starts", choices_in(start_registry())},
      {"root", "root", "Roots of the covariance", choices_in(root_registry())},
      {"rhat_window", "window of R-hat", "Windows of R-hat", choices_in(rhat_window_registry())},
      {"rhat_gates", "kind of gates", "Gates of R-hat", choices_in(rhat_gates_registry())},
      {"mcse_over", "choice of iterates", "Iterates of the MCSE", choices_in(mcse_over_registry())},
      {"ess_over", "choice of components", "Effective sample sizes",
       choices_in(ess_over_registry())},
      {"elbo_rule", "rule of the ELBO", "Rules of the ELBO", choices_in(elbo_rule_registry())},
      {"elbo_average", "average", "Averages of delta-elbo", choices_in(elbo_average_registry())},
  };
}

}  // namespace ravi
