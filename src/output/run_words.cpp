// How a fit ran, in the words that the terminal and the report share.
#include "output/run_words.hpp"

#include <fmt/format.h>

namespace ravi {

std::string iterations_text(const Fit& fit) {
  std::string text = fmt::format("{} iterations", fit.iterations);
  const bool settled = fit.verdict != Verdict::not_converged && fit.verdict != Verdict::failed;
  if (fit.termination != Termination::converged || settled) {
    text += fmt::format(" ({})", name(fit.termination));
  }
  return text;
}

std::optional<std::string> averaged_text(const Fit& fit) {
  if (fit.averaging_started_at < 0 || fit.averaging_started_at >= fit.iterations) return {};
  return fmt::format("{} to {}", fit.averaging_started_at + 1, fit.iterations);
}

}  // namespace ravi
