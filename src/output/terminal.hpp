// A fit as a person reads it in a terminal: the summary, and the line that moves while it runs.
#pragma once

#include <chrono>
#include <ostream>
#include <string>

#include "ravi/fit.hpp"
#include "ravi/stan.hpp"

namespace ravi {

struct TerminalStyle {
  int width = 100;
  int max_parameters = 24;  // rows of the table; the rest is in fit.json
};

// Table of parameters, the numbers behind the verdict, the verdict, the findings with advice.
void write_summary(std::ostream& out, const Fit& fit, const TerminalStyle& style);
std::string summary(const Fit& fit, const TerminalStyle& style);  // without colors

// A Stan program whose compilation and prints are told on a stream; live: below a line that is
// rewritten.
StanOptions stan_messages(std::ostream& out, bool live);

// Shows progress on one line that is rewritten (live), or as a plain line every tenth of the way.
// Owns the clock for "time left"; nothing else in a fit looks at one.
class ProgressDisplay {
 public:
  ProgressDisplay(std::ostream& out, const Options& options, bool live, int width);
  ~ProgressDisplay() { clear(); }
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  void show(const Progress& progress);
  void clear();  // removes the live line

 private:
  std::string line(const Progress& progress) const;
  std::string time_left(long iteration) const;

  std::ostream& out_;
  const Options& options_;
  bool live_;
  int width_;
  std::chrono::steady_clock::time_point started_, last_shown_;
  int tenths_shown_ = 0;
  bool line_is_up_ = false;
};

}  // namespace ravi
