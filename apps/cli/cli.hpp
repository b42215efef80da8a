// The program as a function: arguments in, exit status out, text to two streams.
#pragma once

#include <atomic>
#include <ostream>
#include <string>
#include <vector>

#include "ravi/stan.hpp"

namespace ravi::cli {

// For scripts: 0 finished, verdict accurate or usable; 1 finished, any other verdict; 2 usage or
// bad input, also a file that cannot be read; 3 the environment (cannot write, get memory).
enum Exit { kTrustworthy = 0, kFinished = 1, kUsage = 2, kEnvironment = 3 };

// What a command may use of the world besides its arguments. Commands get streams on which text is
// safe for a terminal, whatever it is (core/safe_text.hpp).
struct Console {
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  int width = 100;
  const std::atomic<bool>* stop_requested = nullptr;
  std::atomic<bool>* ends_cleanly = nullptr;  // see CleanEnd
};

// While it lives a signal only sets *stop_requested, which somebody looks at; at other times it
// ends the program on the spot.
class CleanEnd {
 public:
  explicit CleanEnd(const Console& console) : ends_cleanly_(console.ends_cleanly) { set(true); }
  ~CleanEnd() { set(false); }
  CleanEnd(const CleanEnd&) = delete;
  CleanEnd& operator=(const CleanEnd&) = delete;

 private:
  void set(bool value) {
    if (ends_cleanly_ != nullptr) ends_cleanly_->store(value);
  }
  std::atomic<bool>* ends_cleanly_;
};

using Arguments = std::vector<std::string>;

// args without the program's name. Never exits, never throws.
int run(const Arguments& args, Console& console);

// One command each; UsageError and EnvironmentError pass through to run().
int check_command(const Arguments& args, Console& console);
int compile_command(const Arguments& args, Console& console);
int fit_command(const Arguments& args, Console& console);
int list_command(const Arguments& args, Console& console);
int simulate_command(const Arguments& args, Console& console);
int diagnose_command(const Arguments& args, Console& console);
int report_command(const Arguments& args, Console& console);
int paper_command(const Arguments& args, Console& console);

// How a Stan program is compiled and run under this console: news and what it prints go to err,
// unless quiet.
StanOptions stan_options(Console& console, bool quiet);

}  // namespace ravi::cli
