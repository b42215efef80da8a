// Records the trace of a fit and where its time goes, and tells the caller's observer.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "algorithm/judge/precision.hpp"
#include "family/approximation.hpp"
#include "ravi/fit.hpp"

namespace ravi {

inline constexpr std::string_view kIterations = "iterations";

// Every moment belongs to one part, so that the parts add up.
class Stopwatch {
 public:
  using Part = double Timing::*;
  Part enter(Part part);  // returns the part before
  Timing read();          // until now

 private:
  Timing timing_;
  Part part_ = &Timing::search_seconds;
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

class Monitor {
 public:
  Monitor(const Observer& observer, const Approximation& prototype, const Limits& limits,
          std::vector<std::string> names, const Stopwatch& stopwatch = {})
      : observer_(observer),
        prototype_(prototype),
        names_(std::move(names)),
        stopwatch_(stopwatch) {
    now_.rhat_limit = limits.rhat;
    now_.ess_limit = limits.ess;
  }

  // A phase of so many units at the most, of which some are done already.
  void enter(Phase phase, long most, std::string_view unit, long done = 0);
  // How many of them are done, or that one more is; in any thread.
  void count(long done);
  void count_one();
  // A check of what the chains have done.
  void report(const Check& check, const Largest& rhat);

  // The model, which then tells the observer, if there is one, that the fit is alive.
  const Model& watch(const Model& model);

  std::string component(Index k) const;
  const std::atomic<bool>* stop_requested() const { return observer_.stop_requested; }
  const std::vector<Check>& trace() const { return trace_; }
  Stopwatch& stopwatch() { return stopwatch_; }

 private:
  void tell();  // in the thread that runs the fit; nothing in others

  const Observer& observer_;
  const Approximation& prototype_;
  std::vector<std::string> names_;
  Stopwatch stopwatch_;
  std::vector<Check> trace_;
  Progress now_;
  std::unique_ptr<Model> watched_;
  std::thread::id caller_ = std::this_thread::get_id();
  std::atomic<long> done_ = 0;
  std::atomic<std::int64_t> evaluations_ = 0;
};

// Time until its end is spent on judging iterates.
class Judging {
 public:
  explicit Judging(Monitor& monitor)
      : stopwatch_(monitor.stopwatch()), before_(stopwatch_.enter(&Timing::diagnostics_seconds)) {}
  ~Judging() { stopwatch_.enter(before_); }
  Judging(const Judging&) = delete;
  Judging& operator=(const Judging&) = delete;

 private:
  Stopwatch& stopwatch_;
  Stopwatch::Part before_;
};

}  // namespace ravi
