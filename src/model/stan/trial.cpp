// Loads a library in a child process: the system's loader does not survive every damaged file.
#include "model/stan/trial.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <vector>

#include "ravi/error.hpp"

namespace ravi {
namespace {

constexpr std::chrono::seconds kPatience{10};  // for each step
constexpr char kLoaded = 'l', kDone = 'd';
constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};

// In the child, which is not heard or seen, leaves no core and does not outlive its parent.
[[noreturn]] void attempt(const LibraryImage& library, const StanData& data, std::uint32_t seed,
                          int report) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int signal : kCrashes) ::signal(signal, SIG_DFL);
  const rlimit nothing{0, 0};
  ::setrlimit(RLIMIT_CORE, &nothing);
  const int silence = ::open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(silence, stream);
  const auto say = [report](char word) { return ::write(report, &word, 1) == 1; };
  try {
    void* const loaded = load_privately(library).handle;
    say(kLoaded);
    std::unique_ptr<StanInstance> instance = load_instance(library, data, seed).instance;
    const PrintScope quiet(nullptr);
    // Everything that is asked of it later; names and words may be at an address that is none.
    instance->name();
    instance->thread_safe();
    instance->unconstrained_names();
    for (const bool more : {false, true}) instance->names(more, more);
    const std::vector<double> theta(static_cast<std::size_t>(instance->dimension()));
    std::vector<double> gradient(theta.size()),
        values(static_cast<std::size_t>(instance->size(true, true)));
    double log_density = 0;
    instance->gradient(theta.data(), &log_density, gradient.data(), nullptr);
    instance->log_density(theta.data(), &log_density);
    instance->generator(seed)->draw(theta.data(), values.data(), nullptr);
    // What it does when a process ends.
    instance.reset();
    ::dlclose(loaded);
  } catch (...) {
    // Will be met, and told, where it is no trial.
  }
  say(kDone);
  ::_exit(0);
}

// Adds what the child says within the time; false when it has said all that it will.
bool hear(int child, std::string& words) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + kPatience;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd ready{child, POLLIN, 0};
    const int found = left > 0 ? ::poll(&ready, 1, static_cast<int>(left)) : 0;
    if (found < 0 && errno == EINTR) continue;
    if (found <= 0) return false;
    char word = 0;
    const ssize_t size = ::read(child, &word, 1);
    if (size < 0 && errno == EINTR) continue;
    if (size == 1) words += word;
    return size == 1;
  }
}

// How it ended; nothing when it was ended by others, or nobody knows.
std::string how_it_ended(pid_t child) {
  int status = 0;
  pid_t ended = 0;
  while ((ended = ::waitpid(child, &status, 0)) < 0 && errno == EINTR) {
  }
  if (ended != child) return {};
  if (WIFEXITED(status)) return fmt::format("exit status {}", WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  return std::ranges::find(kCrashes, signal) == std::end(kCrashes) ? "" : ::strsignal(signal);
}

}  // namespace

void try_library(const LibraryImage& library, const StanData& data, std::uint32_t seed) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return;
  const pid_t child = ::fork();
  if (child == 0) attempt(library, data, seed, ends[1]);
  ::close(ends[1]);
  std::string words;
  while (child > 0 && !words.ends_with(kDone) && hear(ends[0], words)) {
  }
  pollfd rest{ends[0], POLLIN, 0};
  const bool silent = ::poll(&rest, 1, 0) == 0;  // neither a word nor an end: it still runs
  ::close(ends[0]);
  if (child <= 0) return;
  const bool done = words.ends_with(kDone), loaded = words.starts_with(kLoaded);
  if (!done && silent) ::kill(child, SIGKILL);
  const std::string end = how_it_ended(child);
  if (done || (loaded && silent)) return;
  if (silent) {
    throw UsageError(fmt::format("{}: is damaged: loading it takes longer than {} s", library.path,
                                 kPatience.count()));
  }
  if (end.empty()) return;
  throw UsageError(
      fmt::format("{}: is damaged, or not meant for this machine: {} it ends a process ({})",
                  library.path, loaded ? "the first use of" : "loading", end));
}

}  // namespace ravi
