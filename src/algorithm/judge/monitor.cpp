// Records the trace of a fit and where its time goes.
#include "algorithm/judge/monitor.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "model/watched_model.hpp"

namespace ravi {
namespace {

Stopwatch::Part part_of(Phase phase) {
  switch (phase) {
    case Phase::searching:
      return &Timing::search_seconds;
    case Phase::averaging:
      return &Timing::averaging_seconds;
    case Phase::scoring:
      return &Timing::scoring_seconds;
    case Phase::bending:
      return &Timing::bending_seconds;
    case Phase::moving:
      return &Timing::moving_seconds;
  }
  std::abort();
}

}  // namespace

Stopwatch::Part Stopwatch::enter(Part part) {
  const auto now = std::chrono::steady_clock::now();
  const double passed = std::chrono::duration<double>(now - since_).count();
  timing_.*part_ += passed;
  timing_.seconds += passed;
  since_ = now;
  return std::exchange(part_, part);
}

Timing Stopwatch::read() {
  enter(part_);
  return timing_;
}

std::string Monitor::component(Index k) const {
  return k < 0 ? std::string() : prototype_.component_name(k, names_);
}

void Monitor::enter(Phase phase, long most, std::string_view unit, long done) {
  stopwatch_.enter(part_of(phase));
  now_.phase = phase;
  now_.most = most;
  now_.unit = unit;
  done_ = done;
  evaluations_ = 0;
  tell();
}

void Monitor::count(long done) {
  done_.store(done, std::memory_order_relaxed);
  tell();
}

void Monitor::count_one() {
  done_.fetch_add(1, std::memory_order_relaxed);
  tell();
}

void Monitor::report(const Check& check, const Largest& rhat) {
  trace_.push_back(check);
  now_.check = check;
  now_.rhat_parameter = component(rhat.component);
  tell();
}

const Model& Monitor::watch(const Model& model) {
  if (!observer_.progress) return model;
  watched_ = watched(model, [this](Index draws) {
    evaluations_.fetch_add(draws, std::memory_order_relaxed);
    tell();
  });
  return *watched_;
}

void Monitor::tell() {
  if (!observer_.progress || std::this_thread::get_id() != caller_) return;
  now_.evaluations = evaluations_.load(std::memory_order_relaxed);
  // What is scored are draws, and nothing else looks at densities meanwhile.
  const long done = now_.phase == Phase::scoring ? static_cast<long>(now_.evaluations)
                                                 : done_.load(std::memory_order_relaxed);
  now_.done = now_.most > 0 ? std::min(done, now_.most) : done;
  observer_.progress(now_);
}

}  // namespace ravi
