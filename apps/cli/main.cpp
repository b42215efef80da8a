// The ravi program: signals, streams and memory; everything else is in cli.cpp.
#include <fcntl.h>
#include <malloc.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <ostream>
#include <streambuf>
#include <string_view>

#include "cli/cli.hpp"

namespace {

std::atomic<bool> stop_requested = false, ends_cleanly = false;
static_assert(std::atomic<bool>::is_always_lock_free);

// The first Ctrl-C asks for a clean end where somebody listens, the second one gets an immediate
// one.
void request_stop(int signal) {
  stop_requested = true;
  std::signal(signal, SIG_DFL);
  if (!ends_cleanly) ::raise(signal);  // comes when this function has returned
}

// Data files are mapped into memory: what another program has cut off can no longer be read.
void report_lost_data(int) {
  constexpr std::string_view message =
      "ravi: a data file became shorter, or could not be read, while it was in use\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message.data(), message.size());
  ::_exit(ravi::cli::kEnvironment);
}

void handle_signals() {
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
  // The terminal is gone; nohup says that this is to be ignored.
  if (std::signal(SIGHUP, request_stop) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
  std::signal(SIGBUS, report_lost_data);
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is then an error message, not a crash
  std::signal(SIGPIPE, SIG_IGN);  // see Output
}

// A file that is opened must not get the number of a stream that the caller has closed: what is
// printed would end up in it.
void open_closed_streams() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(number, F_GETFD) != -1 || errno != EBADF) continue;
    [[maybe_unused]] const int lowest = ::open("/dev/null", O_RDWR);
  }
}

// What is printed, to a descriptor. A reader who has left, as in 'ravi list | head -1', has seen
// what he wanted: what comes after is dropped, and nothing has failed.
class Output : public std::streambuf {
 public:
  explicit Output(int descriptor) : descriptor_(descriptor) {
    setp(buffer_.data(), buffer_.data() + buffer_.size());
  }

 protected:
  int sync() override {
    const char* at = pbase();
    while (at < pptr()) {
      const ssize_t written = ::write(descriptor_, at, static_cast<std::size_t>(pptr() - at));
      if (written >= 0) {
        at += written;
      } else if (errno == EPIPE) {
        break;
      } else if (errno != EINTR) {
        return -1;
      }
    }
    setp(buffer_.data(), buffer_.data() + buffer_.size());
    return 0;
  }
  int_type overflow(int_type c) override {
    if (sync() != 0) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }

 private:
  int descriptor_;
  std::array<char, 1 << 14> buffer_;
};

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
  handle_signals();
  open_closed_streams();
  Output to_out(STDOUT_FILENO), to_err(STDERR_FILENO);
  std::ostream out(&to_out), err(&to_err);
  ravi::cli::Console console{out,
                             err,
                             isatty(STDOUT_FILENO) != 0,
                             isatty(STDERR_FILENO) != 0,
                             terminal_width(),
                             &stop_requested,
                             &ends_cleanly};
  return ravi::cli::run({argv + 1, argv + argc}, console);
}
