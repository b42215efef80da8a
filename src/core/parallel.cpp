// The parallel loop, on oneTBB.
#include "core/parallel.hpp"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <thread>

namespace ravi {
namespace {

// Kept from loop to loop: TBB's threads stay with an arena for a while, and are asleep when there
// is a new one. A window of cheap iterations takes two milliseconds.
tbb::task_arena& arena_of(int threads) {
  thread_local std::unique_ptr<tbb::task_arena> arena;
  if (!arena || arena->max_concurrency() != threads) {
    arena = std::make_unique<tbb::task_arena>(threads);
  }
  return *arena;
}

}  // namespace

int resolve_threads(int requested) {
  if (requested > 0) return requested;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void parallel_for(Index count, int threads, const std::function<void(Index)>& body) {
  if (threads == 1 || count == 1) {
    for (Index i = 0; i < count; ++i) body(i);
    return;
  }
  // TBB starts no more threads than there are cores, and complains, unless it is told to.
  std::optional<tbb::global_control> allowance;
  if (threads > tbb::info::default_concurrency()) {
    allowance.emplace(tbb::global_control::max_allowed_parallelism,
                      static_cast<std::size_t>(threads));
  }
  arena_of(threads).execute([&] { tbb::parallel_for(Index{0}, count, body); });
}

}  // namespace ravi
