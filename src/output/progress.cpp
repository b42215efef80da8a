// What is shown while a fit runs: the line that moves, and what a Stan program has to say.
#include <fmt/format.h>

#include <algorithm>
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

ProgressDisplay::ProgressDisplay(std::ostream& out, const Options& options, bool live, int width,
                                 std::function<Time()> clock)
    : out_(out),
      options_(options),
      live_(live),
      width_(width),
      clock_(std::move(clock)),
      started_(clock_()),
      phase_began_(started_),
      last_shown_(started_) {}

void ProgressDisplay::show(const Progress& progress) {
  const Time now = clock_();
  if (phase_ != progress.phase) {
    phase_ = progress.phase;
    phase_began_ = now;
    done_before_ = progress.done;
  }
  if (!due(progress, now)) return;
  last_shown_ = now;
  phase_shown_ = progress.phase;
  const std::string text = line(progress, now);
  if (!live_) {
    out_ << text << std::endl;
    return;
  }
  out_ << erase_line << text.substr(0, static_cast<std::size_t>(width_ - 1)) << std::flush;
  line_is_up_ = true;
}

// A fit that is over in a second needs no lines.
bool ProgressDisplay::due(const Progress& progress, Time now) const {
  if (live_) return !line_is_up_ || now - last_shown_ >= std::chrono::milliseconds(100);
  if (now - started_ < std::chrono::seconds(1)) return false;
  return phase_shown_ != progress.phase || now - last_shown_ >= std::chrono::seconds(10);
}

void ProgressDisplay::clear() {
  if (!line_is_up_) return;
  out_ << erase_line << std::flush;
  line_is_up_ = false;
}

std::string ProgressDisplay::line(const Progress& progress, Time now) const {
  const Check& c = progress.check;
  std::string text = fmt::format("{:<12}", name(progress.phase));
  if (progress.most > 0) {
    text += fmt::format("  {} of {} {}", progress.done, progress.most, progress.unit);
  }
  if (progress.phase == Phase::searching || progress.phase == Phase::averaging) {
    text += against("R-hat", c.rhat_max, progress.rhat_limit, true);
    if (options_.mcse_threshold > 0) {
      text += against("MCSE", c.mcse_median, options_.mcse_threshold, true);
    }
    if (options_.tolerance > 0) text += against("error", c.error, options_.tolerance, true);
    text += against("ESS", c.ess_min, progress.ess_limit, false);
    if (!std::isnan(c.elbo)) text += fmt::format("  ELBO {:.6g}", c.elbo);
  }
  return text + times(progress, now);
}

// How long it has taken; and what is left of this phase at the most, unless that is so much more
// than has passed that it tells nothing.
std::string ProgressDisplay::times(const Progress& progress, Time now) const {
  constexpr double kTellsNothing = 10;
  const auto seconds_since = [&](Time then) {
    return std::chrono::duration<double>(now - then).count();
  };
  std::string text = fmt::format("  {}", duration(seconds_since(started_)));
  const auto done = static_cast<double>(progress.done - done_before_);
  const double passed = seconds_since(phase_began_);
  const double left = passed * static_cast<double>(progress.most - progress.done) / done;
  if (done > 0 && left > 0 && left < kTellsNothing * std::max(1.0, passed)) {
    text += fmt::format(", {} left of this at the most", duration(left));
  }
  return text;
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
