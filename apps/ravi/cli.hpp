// The program as a function: arguments in, exit status out, text to two streams.
#pragma once

#include <atomic>
#include <ostream>
#include <string>
#include <vector>

#include "ravi/stan.hpp"

namespace ravi::cli {

// For scripts: 0 finished, verdict accurate or usable; 1 finished, any other verdict; 2 usage or
// bad input; 3 the environment (cannot read, write, get memory).
enum Exit { kTrustworthy = 0, kFinished = 1, kUsage = 2, kEnvironment = 3 };

// What a command may use of the world besides its arguments.
struct Console {
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  int width = 100;
  const std::atomic<bool>* stop_requested = nullptr;
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
