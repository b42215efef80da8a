// A fit as a person reads it in a terminal: the summary, and the line that moves while it runs.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <ostream>
#include <string>

#include "ravi/fit.hpp"
#include "ravi/output.hpp"
#include "ravi/stan.hpp"

namespace ravi {

// As summary(), in colors where the stream has them.
void write_summary(std::ostream& out, const Fit& fit, const SummaryStyle& style);

// A Stan program whose compilation and prints are told on a stream; live: below a line that is
// rewritten.
StanOptions stan_messages(std::ostream& out, bool live);

// Shows progress on one line that is rewritten (live), or, after a second, as a plain line when the
// phase changes and every ten seconds. Owns the clock for what is left; nothing in a fit decides by
// one.
class ProgressDisplay {
 public:
  using Time = std::chrono::steady_clock::time_point;
  ProgressDisplay(std::ostream& out, const Options& options, bool live, int width,
                  std::function<Time()> clock = std::chrono::steady_clock::now);
  ~ProgressDisplay() { clear(); }
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  void show(const Progress& progress);
  void clear();  // removes the live line

 private:
  std::string line(const Progress& progress, Time now) const;
  std::string times(const Progress& progress, Time now) const;
  bool due(const Progress& progress, Time now) const;

  std::ostream& out_;
  const Options& options_;
  bool live_;
  int width_;
  std::function<Time()> clock_;
  Time started_, phase_began_, last_shown_;
  std::optional<Phase> phase_ = {}, phase_shown_ = {};
  long done_before_ = 0;  // when the phase began
  bool line_is_up_ = false;
};

}  // namespace ravi
