// How much memory this process has taken.
#include "core/memory.hpp"

#include <sys/resource.h>

#include <cmath>

namespace ravi {

double memory_peak_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 32 * std::ceil(static_cast<double>(usage.ru_maxrss) / 1024 / 32);
}

}  // namespace ravi
