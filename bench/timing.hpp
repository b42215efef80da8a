// The clock and the median that the benchmarks share.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace ravi {

inline double seconds_of(const auto& work) {
  const auto started = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

inline double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

}  // namespace ravi
