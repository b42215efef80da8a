// Fits of hostile posteriors, each in a process of its own, as lines of JSON.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "posterior.hpp"

namespace hostile {

struct Run {
  std::vector<std::uint64_t> seeds = {1};
  std::string label = "ravi";  // which program this is, in the tables
  int processes = 1;
  // Of a program whose limits can be scaled (RAVI_SCALED_LIMITS): whether fits are made again with
  // each limit that the plain one looked at, times each factor, if that one took no more seconds.
  std::vector<std::string> factors = {};
  double most_seconds = 0.3;
};

// A fit takes one thread. Beyond this many seconds of CPU it is stopped, and its outcome is "slow".
inline constexpr int kSecondsAtMost = 120;

void run(const std::vector<Posterior>& posteriors, const Run& options, std::ostream& out);

}  // namespace hostile
