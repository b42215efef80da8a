// The parallel loop, on oneTBB.
#include "core/parallel.hpp"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <thread>

namespace ravi {

int resolve_threads(int requested) {
  if (requested > 0) return requested;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void parallel_for(Index count, int threads, const std::function<void(Index)>& body) {
  if (threads == 1 || count == 1) {
    for (Index i = 0; i < count; ++i) body(i);
    return;
  }
  tbb::task_arena arena(threads);
  arena.execute([&] { tbb::parallel_for(Index{0}, count, body); });
}

}  // namespace ravi
