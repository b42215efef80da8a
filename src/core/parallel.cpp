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

#ifdef RAVI_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace ravi {
namespace {

// Debian's TBB is not compiled for the thread sanitizer, which is told here in its place that items
// begin after what came before the loop, and end before what comes after it, exceptions included.
// What TBB has in headers is not checked either: CMakeLists.txt leaves this file out.
#ifdef RAVI_THREAD_SANITIZER
void happened_before(char& moment) { __tsan_release(&moment); }
void happens_after(char& moment) { __tsan_acquire(&moment); }
#else
void happened_before(char&) {}
void happens_after(char&) {}
#endif

struct Loop {
  char begins{}, item_ends{};
  Loop() { happened_before(begins); }
  ~Loop() { happens_after(item_ends); }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
};

struct Item {
  Loop& loop;
  explicit Item(Loop& of) : loop(of) { happens_after(loop.begins); }
  ~Item() { happened_before(loop.item_ends); }
  Item(const Item&) = delete;
  Item& operator=(const Item&) = delete;
};

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
  Loop loop;
  arena_of(threads).execute([&] {
    tbb::parallel_for(Index{0}, count, [&](Index i) {
      const Item item(loop);
      body(i);
    });
  });
}

}  // namespace ravi
