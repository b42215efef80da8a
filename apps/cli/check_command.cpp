// ravi check: the gradient of a model beside finite differences of its log density.
#include <fmt/format.h>

#include "algorithm/gradient_check.hpp"
#include "cli/cli.hpp"
#include "cli/flags.hpp"
#include "model/open_model.hpp"
#include "ravi/error.hpp"

namespace ravi::cli {
namespace {

std::string_view words_for(const SlopeComparison& slope, bool matters) {
  if (!matters) return "the log density does not depend on it";
  switch (slope.result) {
    case SlopeComparison::Result::same:
      return "same";
    case SlopeComparison::Result::different:
      return "different";
    case SlopeComparison::Result::unknown:
      break;
  }
  return "differences vary too much to tell";
}

}  // namespace

int check_command(const Arguments& args, Console& console) {
  CommandLine line(
      "Compare the gradient of a model with finite differences of its log density, at the first "
      "place\nwhere a fit would start. Exit status 1 where they differ.",
      "ravi check");
  std::string path, data, seed = "1";
  line.option("MODEL", path, "as for 'ravi fit'");
  line.option("--data", data, "data of the model", "F");
  line.option("--seed", seed, "chooses the place  [1]");
  if (line.parse(args, console.out)) return kTrustworthy;
  if (path.empty()) throw UsageError("which model? 'ravi list' names them");
  const auto seed_value = parse_number<std::uint64_t>(seed, "--seed");
  const auto model = open_model(path, data, stan_options(console, false));
  const std::optional<CoordinateSlopes> slopes = compare_slopes(*model, seed_value);
  if (!slopes) {
    throw UsageError("the log density is not finite at any of the places where a fit would start");
  }
  const std::vector<std::string> names = model->unconstrained_names();
  std::size_t widest = 9;
  for (const std::string& name : names) widest = std::max(widest, name.size());
  std::string text = fmt::format(
      "log density {:.10g} at the first start of seed {}\n\n{:<{}}  {:>12} {:>14} {:>14}\n",
      slopes->at.log_density, seed_value, "parameter", widest, "value", "gradient", "difference");
  bool good = true;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const SlopeComparison& slope = slopes->of_coordinate[k];
    const bool matters = slopes->matters[k];
    good = good && matters && slope.result != SlopeComparison::Result::different;
    text += fmt::format("{:<{}}  {:>12.6g} {:>14.6g} {:>14.6g}  {}\n", names[k], widest,
                        slopes->at.theta(static_cast<Index>(k)), slope.gradient, slope.difference,
                        words_for(slope, matters));
  }
  console.out << text;
  return good ? kTrustworthy : kFinished;
}

}  // namespace ravi::cli
