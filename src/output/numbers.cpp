// Numbers as people read them.
#include "output/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ravi {
namespace {

constexpr int kMostDecimals = 6;
// Powers of ten: numbers below the first and from the second on are written with an exponent.
constexpr double kSmallestPlain = -4, kLargestPlain = 7;

}  // namespace

std::string with_error(double x, double mcse) {
  if (std::isnan(x)) return "-";
  if (std::isinf(x)) return fmt::format("{}", x);
  if (!(mcse > 0) || std::isinf(mcse)) return fmt::format("{:.{}g}", x, mcse == 0 ? 4 : 1);
  // The place of the last digit that is shown: 1 is tens, 0 ones, -1 tenths.
  const double place = std::floor(std::log10(mcse));
  const double unit = std::pow(10, place);
  if (std::abs(x) < 0.5 * unit) x = 0;  // not "-0.00"
  const double size = x == 0 ? place : std::floor(std::log10(std::abs(x)));
  if (x != 0 && (size < kSmallestPlain || size >= kLargestPlain)) {
    const double behind = std::clamp(size - place, 0.0, static_cast<double>(kMostDecimals));
    return fmt::format("{:.{}e}", x, static_cast<int>(behind));
  }
  if (place > 0) return fmt::format("{:.0f}", std::round(x / unit) * unit);
  return fmt::format("{:.{}f}", x, static_cast<int>(std::min<double>(-place, kMostDecimals)));
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

std::string cost_text(const Cost& cost) {
  std::string text;
  visit_cost(cost, [&](const char* part, std::int64_t count) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", part, count);
  });
  return text;
}

}  // namespace ravi
