// Collects the runs of the evaluation, carries them out in parallel, and looks them up.
#include "paper/lab.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>

#include "core/numeric.hpp"
#include "core/parallel.hpp"
#include "paper/perform.hpp"

namespace ravi::paper {
namespace {

double median_of_known(std::vector<double> values) {
  std::erase_if(values, [](double x) { return std::isnan(x); });
  Vector known(static_cast<Index>(values.size()));
  std::ranges::copy(values, known.data());
  return ravi::median(known);
}

}  // namespace

double Group::median(const std::function<double(const Result&)>& value) const {
  std::vector<double> values;
  for (const Result* r : results) values.push_back(value(*r));
  return median_of_known(values);
}

double Group::median(const std::function<double(const Point&)>& value, std::size_t point) const {
  std::vector<double> values;
  for (const Result* r : results) {
    if (point < r->points.size()) values.push_back(value(r->points[point]));
  }
  return median_of_known(values);
}

std::size_t Group::count(const std::function<bool(const Result&)>& holds) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(results, [&](const Result* r) { return holds(*r); }));
}

std::string Group::commonest(const std::function<std::string(const Result&)>& value) const {
  std::map<std::string, int> counts;
  for (const Result* r : results) ++counts[value(*r)];
  const auto most =
      std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
  return most == counts.end() ? "" : most->first;
}

Group Lab::ask(const Run& run, int seeds) {
  Group group;
  if (!library_.has(posterior_of(run.posterior))) return group;
  for (int s = 1; s <= seeds; ++s) {
    Run one = run;
    one.options.seed = static_cast<std::uint64_t>(s);
    if (one.dimension > 0) one.realization = one.options.seed;
    const auto [at, is_new] = index_.try_emplace(one.name(), entries_.size());
    if (is_new) entries_.push_back(std::make_unique<Entry>(Entry{one}));
    const Entry& entry = *entries_[at->second];
    if (entry.result) group.results.push_back(&*entry.result);
  }
  return group;
}

void Lab::work(const Cache& cache, int threads, double seconds,
               const std::atomic<bool>* stop_requested,
               const std::function<void(const LabProgress&)>& progress) {
  std::vector<Entry*> open;
  for (const auto& entry : entries_) {
    if (!entry->result) entry->result = cache.find(entry->run);
    if (!entry->result) open.push_back(entry.get());
  }
  const std::size_t from_cache = entries_.size() - open.size();
  std::ranges::stable_sort(
      open, {}, [](const Entry* e) { return std::pair(e->run.options.seed, -e->run.cost()); });
  double cost_left = 0, cost_done = 0;
  for (const Entry* e : open) cost_left += e->run.cost();

  const auto started = std::chrono::steady_clock::now();
  const auto elapsed = [started] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  };
  std::atomic<std::size_t> next = 0;
  std::size_t done = 0;
  std::mutex mutex;
  progress({from_cache, entries_.size()});
  parallel_for(threads, threads, [&](Index) {
    for (std::size_t i = next++; i < open.size(); i = next++) {
      if ((stop_requested && stop_requested->load()) || elapsed() > seconds) return;
      std::optional<Result> result = perform(open[i]->run, library_, stop_requested);
      if (!result) return;
      cache.store(open[i]->run, *result);
      const std::lock_guard lock(mutex);
      open[i]->result = std::move(result);
      const double cost = open[i]->run.cost();
      cost_done += cost;
      cost_left -= cost;
      const double left = std::min(elapsed() * cost_left / cost_done, seconds - elapsed());
      progress({from_cache + ++done, entries_.size(), std::max(0.0, left)});
    }
  });
}

Share Lab::done() const {
  Share share{.all = entries_.size(), .seeds = std::numeric_limits<std::uint64_t>::max()};
  for (const auto& entry : entries_) {
    if (entry->result) {
      ++share.done;
    } else {
      share.seeds = std::min(share.seeds, entry->run.options.seed - 1);
    }
  }
  return share;
}

std::vector<std::pair<const Run*, const Result*>> Lab::all() const {
  std::vector<std::pair<const Run*, const Result*>> list;
  for (const auto& entry : entries_) {
    if (entry->result) list.emplace_back(&entry->run, &*entry->result);
  }
  return list;
}

}  // namespace ravi::paper
