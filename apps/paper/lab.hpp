// Runs asked for, and their results: every part of the evaluation is written down once, and is
// asked twice, first for the runs it needs and then for what to show.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "paper/cache.hpp"
#include "paper/problems.hpp"
#include "paper/runs.hpp"

namespace ravi::paper {

// The results of runs that differ in their seeds only. Empty while runs are only being collected,
// or when the data are missing.
struct Group {
  std::vector<const Result*> results = {};

  bool empty() const { return results.empty(); }
  // Medians over those whose value is known; unknown when there is none.
  double median(const std::function<double(const Result&)>& value) const;
  double median(const std::function<double(const Point&)>& value, std::size_t point) const;
  std::size_t count(const std::function<bool(const Result&)>& holds) const;
  std::string commonest(const std::function<std::string(const Result&)>& value) const;
  std::string commonest_verdict() const {
    return commonest([](const Result& r) { return r.verdict; });
  }
  const Result& first() const { return *results.front(); }
};

struct LabProgress {
  std::size_t done = 0, all = 0;
  double seconds_left = kUnknown;
};

// What part of the runs is done: all of them with seeds up to `seeds`, and some with later ones.
struct Share {
  std::size_t done = 0, all = 0;
  std::uint64_t seeds = 0;

  bool complete() const { return done == all; }
};

// Seconds for which work() may go on.
inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();

class Lab {
 public:
  explicit Lab(const Library& library) : library_(library) {}

  // The run with seeds 1 .. seeds, which are also the realizations of simulated data. What has not
  // been carried out is noted, and left out of the group.
  Group ask(const Run& run, int seeds);

  // Carries out, on that many threads, all that was asked for, or takes it from the cache: seed by
  // seed, so that what is done when time is over has as many seeds of everything; of one seed the
  // longest first. Results do not depend on the order. No run begins after that many seconds.
  void work(const Cache& cache, int threads, double seconds,
            const std::atomic<bool>* stop_requested,
            const std::function<void(const LabProgress&)>& progress);

  // Of those asked for, how many are done, and up to which seed all are.
  Share done() const;

  bool has(const Posterior& posterior) const { return library_.has(posterior); }
  // Every run with its result, in the order they were asked for.
  std::vector<std::pair<const Run*, const Result*>> all() const;

 private:
  struct Entry {
    Run run;
    std::optional<Result> result = {};
  };
  const Library& library_;
  std::map<std::string, std::size_t> index_;  // by name
  std::vector<std::unique_ptr<Entry>> entries_;
};

}  // namespace ravi::paper
