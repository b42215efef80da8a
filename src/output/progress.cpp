// What is shown while a fit runs: the line that moves, and what a Stan program has to say.
#include <fmt/format.h>

#include <cmath>

#include "core/safe_text.hpp"
#include "output/terminal.hpp"

namespace ravi {
namespace {

std::string duration(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s", std::ceil(seconds));
  if (seconds < 3600) return fmt::format("{:.0f} min", std::ceil(seconds / 60));
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string against(const char* label, double value, double limit, bool below) {
  if (std::isnan(value)) return "";
  const bool holds = below ? value < limit : value > limit;
  const char* relation = below == holds ? "<" : ">";
  return fmt::format("  {} {:.3g} {} {:.3g}", label, value, relation, limit);
}

}  // namespace

ProgressDisplay::ProgressDisplay(std::ostream& out, const Options& options, bool live, int width)
    : out_(out),
      options_(options),
      live_(live),
      width_(width),
      started_(std::chrono::steady_clock::now()) {}

void ProgressDisplay::show(const Progress& progress) {
  const auto now = std::chrono::steady_clock::now();
  if (live_) {
    if (line_is_up_ && now - last_shown_ < std::chrono::milliseconds(100)) return;
    last_shown_ = now;
    const std::string text = line(progress).substr(0, static_cast<std::size_t>(width_ - 1));
    out_ << erase_line << text << std::flush;
    line_is_up_ = true;
    return;
  }
  const auto tenths =
      static_cast<int>(10 * progress.check.iteration / std::max(1, options_.max_iterations));
  if (tenths <= tenths_shown_) return;
  tenths_shown_ = tenths;
  out_ << line(progress) << std::endl;
}

void ProgressDisplay::clear() {
  if (!line_is_up_) return;
  out_ << erase_line << std::flush;
  line_is_up_ = false;
}

std::string ProgressDisplay::line(const Progress& progress) const {
  const Check& c = progress.check;
  std::string text =
      fmt::format("{:<9}  t {}/{}", name(progress.phase), c.iteration, options_.max_iterations);
  text += against("R-hat", c.rhat_max, progress.rhat_limit, true);
  if (options_.mcse_threshold > 0) {
    text += against("MCSE", c.mcse_median, options_.mcse_threshold, true);
  }
  if (options_.tolerance > 0) text += against("error", c.error, options_.tolerance, true);
  text += against("ESS", c.ess_min, progress.ess_limit, false);
  if (!std::isnan(c.elbo)) text += fmt::format("  ELBO {:.6g}", c.elbo);
  return text + time_left(c.iteration);
}

std::string ProgressDisplay::time_left(long iteration) const {
  if (iteration <= 0) return "";
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started_;
  const double left = elapsed.count() * static_cast<double>(options_.max_iterations - iteration) /
                      static_cast<double>(iteration);
  return fmt::format("  {} left at the most", duration(left));
}

StanOptions stan_messages(std::ostream& out, bool live) {
  StanOptions options;
  options.progress = [&out](std::string_view line) { out << line << "\n" << std::flush; };
  // A program prints in every evaluation, thousands of times a second: the first ones will do.
  constexpr int kShown = 20;
  options.print = [&out, live, shown = 0](std::string_view text) mutable {
    if (shown > kShown) return;
    if (shown++ == kShown) {
      out << "print: (what the program prints from here on is not shown)\n" << std::flush;
      return;
    }
    while (text.ends_with('\n')) text.remove_suffix(1);
    if (live) out << erase_line;
    out << "print: " << text << "\n" << std::flush;
  };
  return options;
}

}  // namespace ravi
