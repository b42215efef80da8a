// Numbers as people read them.
#include "output/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ravi {

std::string with_error(double x, double mcse) {
  if (!std::isfinite(x)) return fmt::format("{}", x);
  if (!(mcse > 0)) return fmt::format("{:.4g}", x);
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(mcse))), 0, 6);
  if (std::abs(x) < 0.5 * std::pow(10, -decimals)) x = 0;  // not "-0.00"
  return std::abs(x) < 1e7 ? fmt::format("{:.{}f}", x, decimals) : fmt::format("{:.4g}", x);
}

std::string short_number(double x) { return std::isnan(x) ? "?" : fmt::format("{:.3g}", x); }

std::string time_text(const Timing& timing) {
  std::string text = fmt::format("{:.3g} s", timing.seconds);
  const char* before = ": ";
  visit_parts(timing, [&](std::string_view part, double seconds) {
    if (!(seconds > 0)) return;
    text += fmt::format("{}{} {:.2g}", before, part, seconds);
    before = ", ";
  });
  return text;
}

}  // namespace ravi
