// A process per fit: a crash, a hang or a leak in one leaves the others alone.
#include "run.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "judge.hpp"
#include "ravi/ravi.hpp"

namespace hostile {

namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

// CPU time is what is limited, since that does not depend on what else the machine does; a process
// that only sleeps ends after ten times as much.
constexpr auto kWallAtMost = std::chrono::seconds(10 * kSecondsAtMost);

struct Child {
  int output;  // end of its pipe
  Json record;
  Clock::time_point started;
  bool stopped = false;
};

// Numbers that JSON has no word for are null.
Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

// What one fit is made with.
struct Task {
  std::uint64_t seed;
  bool moments = false;     // whether the record has means and sds
  std::string scaled = {};  // NAME=FACTOR of a limit
  std::string read = {};    // the file for names of limits that were looked at
};

// Means, sds and densities besides gradients, to compare fits with.
void add_moments(const ravi::Fit& fit, Json& record) {
  if (!fit.average) return;
  record["importance_draws"] = fit.average->importance_draws;
  for (const ravi::ParameterSummary& p : fit.average->parameters) {
    record["mean"].push_back(number(p.mean));
    record["sd"].push_back(number(p.sd));
  }
}

Json fit_record(const Posterior& posterior, const std::vector<Marginal>& truth, const Task& task) {
  ravi::Options options;
  options.seed = task.seed;
  options.threads = 1;
  const ravi::Fit fit = ravi::fit(*make(posterior), options);
  const Judgment judgment = judge(posterior, truth, fit);
  Json findings = Json::array();
  for (const ravi::Finding& finding : fit.findings) {
    findings.push_back(ravi::words(finding.code).name);
  }
  const Json khat = fit.average ? number(fit.average->khat) : Json(nullptr);
  Json record = {{"outcome", judgment.outcome},
                 {"verdict", ravi::name(fit.verdict)},
                 {"right", judgment.right},
                 {"error", number(judgment.error)},
                 {"sd_ratio", number(judgment.ratio)},
                 {"sds_excused", judgment.sds_excused},
                 {"khat", khat},
                 {"findings", findings},
                 {"gradients", fit.gradient_evaluations}};
  if (task.moments) add_moments(fit, record);
  return record;
}

[[noreturn]] void be_child(int output, const Posterior& posterior,
                           const std::vector<Marginal>& truth, const Task& task) {
  const rlimit limit{kSecondsAtMost, kSecondsAtMost + 5};
  setrlimit(RLIMIT_CPU, &limit);
  if (task.moments) {
    setenv("RAVI_SCALED_LIMIT", task.scaled.c_str(), 1);
    setenv("RAVI_LIMITS_READ", task.read.c_str(), 1);
  }
  std::string text;
  try {
    text = fit_record(posterior, truth, task).dump();
  } catch (const std::exception& e) {
    text = Json{{"outcome", "told"}, {"verdict", "exception"}, {"findings", {e.what()}}}.dump();
  }
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = write(output, text.data() + done, text.size() - done);
    if (n <= 0) _exit(1);
    done += static_cast<std::size_t>(n);
  }
  if (task.moments) std::exit(0);  // which writes the names of limits
  _exit(0);
}

std::string read_all(int file) {
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = read(file, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(n));
  }
  return text;
}

class Pool {
 public:
  Pool(const Run& options, std::ostream& out) : options_(options), out_(out) {}

  void start(const Posterior& posterior, const std::vector<Marginal>& truth, const Task& task) {
    wait_until(options_.processes - 1);
    int ends[2];
    if (pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    const pid_t pid = fork();
    if (pid < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (pid == 0) {
      close(ends[0]);
      be_child(ends[1], posterior, truth, task);
    }
    close(ends[1]);
    children_[pid] = {
        ends[0],
        {{"program", options_.label},
         {"name", posterior.name},
         {"family", posterior.family},
         {"class", posterior.kind == Kind::answer ? "right answer exists" : "must be told"},
         {"dimension", posterior.dimension},
         {"seed", task.seed}},
        Clock::now()};
    if (task.moments) children_[pid].record["scaled"] = task.scaled;
  }

  // Blocks while more than so many are running.
  void wait_until(int running) {
    while (static_cast<int>(children_.size()) > running) {
      int status = 0;
      rusage usage{};
      const pid_t pid = wait4(-1, &status, WNOHANG, &usage);
      if (pid > 0) {
        finish(pid, status, usage);
        continue;
      }
      for (auto& [id, child] : children_) {
        if (!child.stopped && Clock::now() - child.started > kWallAtMost) {
          child.stopped = true;
          kill(id, SIGKILL);
        }
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }

  double last_seconds() const { return last_seconds_; }

 private:
  void finish(pid_t pid, int status, const rusage& usage) {
    const auto found = children_.find(pid);
    if (found == children_.end()) return;
    Child& child = found->second;
    // A record fits into a pipe's buffer, so that the child never waits for this.
    const std::string text = read_all(child.output);
    close(child.output);
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    const double cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    Json& record = child.record;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      record.update(Json::parse(text));
    } else if (child.stopped || (WIFSIGNALED(status) && cpu >= kSecondsAtMost - 1)) {
      record["outcome"] = "slow";
    } else {
      record["outcome"] = "crashed";
      record["signal"] = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    }
    record["cpu_seconds"] = std::round(1000 * cpu) / 1000;
    last_seconds_ = cpu;
    out_ << record.dump() << std::endl;  // flushed, so that nothing is lost when it is interrupted
    children_.erase(found);
  }

  const Run& options_;
  std::ostream& out_;
  double last_seconds_ = 0;
  std::map<pid_t, Child> children_;
};

// One as it is, and then with every limit that it looked at scaled.
void start_scaled(Pool& pool, const Run& options, const Posterior& posterior,
                  const std::vector<Marginal>& truth, std::uint64_t seed) {
  const std::string file =
      std::filesystem::temp_directory_path() / ("hostile-limits-" + std::to_string(getpid()));
  pool.start(posterior, truth, {.seed = seed, .moments = true, .read = file});
  pool.wait_until(0);
  std::ifstream names(file);
  std::vector<std::string> read;
  for (std::string name; std::getline(names, name);) read.push_back(name);
  std::filesystem::remove(file);
  if (read.empty()) throw std::runtime_error("the limits of this program cannot be scaled");
  if (pool.last_seconds() > options.most_seconds) return;
  for (const std::string& name : read) {
    for (const std::string& factor : options.factors) {
      pool.start(
          posterior, truth,
          {.seed = seed, .moments = true, .scaled = name + "=" + factor, .read = "/dev/null"});
    }
  }
}

}  // namespace

void run(const std::vector<Posterior>& posteriors, const Run& options, std::ostream& out) {
  Pool pool(options, out);
  for (const Posterior& posterior : posteriors) {
    const std::vector<Marginal> truth =
        posterior.truth ? posterior.truth() : std::vector<Marginal>{};
    for (const std::uint64_t seed : options.seeds) {
      if (options.factors.empty()) {
        pool.start(posterior, truth, {.seed = seed});
      } else {
        start_scaled(pool, options, posterior, truth, seed);
      }
    }
  }
  pool.wait_until(0);
}

}  // namespace hostile
