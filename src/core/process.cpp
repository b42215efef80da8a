// Runs other programs with posix_spawn: no shell, so that no name needs quoting.
#include "core/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>
#include <string_view>

#include "ravi/error.hpp"

extern char** environ;

namespace ravi {
namespace {

std::vector<std::string> environment_with(const Environment& changed) {
  std::map<std::string, std::string, std::less<>> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    variables[std::string(text.substr(0, equals))] = text.substr(equals + 1);
  }
  for (const auto& [name, value] : changed) variables[name] = value;
  std::vector<std::string> result;
  for (const auto& [name, value] : variables) result.push_back(fmt::format("{}={}", name, value));
  return result;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (std::string& s : strings) result.push_back(s.data());
  result.push_back(nullptr);
  return result;
}

// Starts the program with its outputs in the given pipe end; 0 when it cannot be started.
pid_t start(std::vector<std::string> command, std::vector<std::string> environment, int output,
            int& problem) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  // ravi may ignore signals that its children must not.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ}) sigaddset(&defaults, signal);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  problem = posix_spawnp(&child, command[0].c_str(), &actions, &attributes,
                         pointers(command).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return problem == 0 ? child : 0;
}

// Reads until the writing end is closed, or stop() says so.
bool read_to_end(int input, const std::function<bool()>& stop, std::string& text) {
  std::vector<char> buffer(1 << 16);
  for (;;) {
    if (stop && stop()) return false;
    pollfd ready{input, POLLIN, 0};
    if (::poll(&ready, 1, 100) <= 0) continue;
    const ssize_t size = ::read(input, buffer.data(), buffer.size());
    if (size > 0) text.append(buffer.data(), static_cast<std::size_t>(size));
    if (size == 0 || (size < 0 && errno != EINTR && errno != EAGAIN)) return true;
  }
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& command, const Environment& changed,
                          const std::function<bool()>& stop) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    throw EnvironmentError(fmt::format("no pipe to {}: {}", command[0], std::strerror(errno)));
  }
  int problem = 0;
  const pid_t child = start(command, environment_with(changed), ends[1], problem);
  ::close(ends[1]);
  ProcessResult result;
  if (child != 0) result.stopped = !read_to_end(ends[0], stop, result.output);
  ::close(ends[0]);
  if (child == 0) {
    throw EnvironmentError(
        fmt::format("{} cannot be started: {}", command[0], std::strerror(problem)));
  }
  if (result.stopped) ::kill(child, SIGTERM);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

std::optional<std::string> find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = fmt::format("{}/{}", folder.empty() ? "." : folder, name);
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return std::nullopt;
}

}  // namespace ravi
