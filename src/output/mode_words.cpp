// Modes of a mixture, as people read of them.
#include "output/mode_words.hpp"

#include <fmt/format.h>

#include <vector>

#include "output/numbers.hpp"

namespace ravi {

std::string percent_with_error(double share, double error) {
  return fmt::format("{} +- {:.1g} %", with_error(100 * share, 100 * error), 100 * error);
}

std::string exchange_text(const ModeSummary& mode) {
  if (mode.exchanged == 0) return "";
  std::vector<int> here, there;
  for (std::size_t i = 0; i < mode.permutation.size(); ++i) {
    const int index = static_cast<int>(i) + 1;
    if (mode.permutation[i] == index) continue;
    here.push_back(index);
    there.push_back(mode.permutation[i]);
  }
  return fmt::format("mode {} with indices {} in place of {}", mode.exchanged,
                     fmt::join(here, ", "), fmt::join(there, ", "));
}

}  // namespace ravi
