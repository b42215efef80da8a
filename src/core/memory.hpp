// How much memory this process has taken.
#pragma once

namespace ravi {

// Peak resident memory in MB, rounded up to 32: less than that is the noise of allocator and
// threads.
double memory_peak_mb();

}  // namespace ravi
