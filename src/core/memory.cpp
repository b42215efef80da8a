// How much memory this process has taken, and how much there is.
#include "core/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

namespace ravi {

double memory_peak_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 32 * std::ceil(static_cast<double>(usage.ru_maxrss) / 1024 / 32);
}

double available_memory() {
  double bytes =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  std::ifstream meminfo("/proc/meminfo");
  std::string label, unit;
  for (double kilobytes = 0; meminfo >> label >> kilobytes;) {
    if (label == "MemAvailable:") bytes = 1024 * kilobytes;
    std::getline(meminfo, unit);
  }
  double limit = 0;  // "max" where there is none, which is not a number
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> limit) bytes = std::min(bytes, limit);
  return bytes;
}

}  // namespace ravi
