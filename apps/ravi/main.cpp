// The ravi program: signals, streams and memory; everything else is in cli.cpp.
#include <malloc.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <iostream>
#include <string_view>

#include "ravi/cli.hpp"

namespace {

std::atomic<bool> stop_requested = false;
static_assert(std::atomic<bool>::is_always_lock_free);

// The first Ctrl-C asks for a clean end, the second one gets an immediate one.
void request_stop(int signal) {
  stop_requested = true;
  std::signal(signal, SIG_DFL);
}

// Data files are mapped into memory: what another program has cut off can no longer be read.
void report_lost_data(int) {
  constexpr std::string_view message =
      "ravi: a data file became shorter, or could not be read, while it was in use\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message.data(), message.size());
  ::_exit(ravi::cli::kEnvironment);
}

// A fit makes and drops matrices of some hundred kilobytes in every step. Given back to the system
// each time, their pages are cleared anew; what is larger is made once, and still goes back.
void reuse_freed_memory() {
  constexpr int kMegabyte = 1 << 20;
  ::mallopt(M_MMAP_THRESHOLD, 4 * kMegabyte);
  ::mallopt(M_TRIM_THRESHOLD, 64 * kMegabyte);
}

int terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 100;
}

}  // namespace

int main(int argc, char** argv) {
  reuse_freed_memory();
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
  std::signal(SIGBUS, report_lost_data);
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is then an error message, not a crash
  ravi::cli::Console console{
      std::cout,        std::cerr,      isatty(STDOUT_FILENO) != 0, isatty(STDERR_FILENO) != 0,
      terminal_width(), &stop_requested};
  return ravi::cli::run({argv + 1, argv + argc}, console);
}
