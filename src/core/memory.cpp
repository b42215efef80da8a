// How much memory this process has taken, and how much there is.
#include "core/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include "ravi/error.hpp"

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

void check_room_for_parameters(double count, std::string_view what) {
  // A name on the unconstrained scale and one on the model's own; a mean and a scale.
  const double needed = count * (2 * sizeof(std::string) + 2 * sizeof(double));
  const double there = available_memory();
  if (needed <= there) return;
  throw EnvironmentError(
      fmt::format("{}: {:.0f} parameters need at least {:.1f} GB of memory, but {:.1f} GB are free",
                  what, count, needed / 1e9, there / 1e9));
}

}  // namespace ravi
