// Whether the user asked to stop.
#pragma once

#include <atomic>

namespace ravi {

inline bool requested(const std::atomic<bool>* stop) {
  return stop != nullptr && stop->load(std::memory_order_relaxed);
}

}  // namespace ravi
