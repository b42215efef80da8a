// How much memory this process has taken, and how much there is.
#pragma once

#include <string_view>

namespace ravi {

// Peak resident memory in MB, rounded up to 32: less than that is the noise of allocator and
// threads.
double memory_peak_mb();

// Bytes that a program can still have: what the system calls available, or all there is where it
// does not say, within the limit of the control group it runs in.
double available_memory();

// Throws EnvironmentError when not even the names and the smallest q of so many parameters would
// fit into memory: to be asked before anything of that size is made. The message begins with what.
void check_room_for_parameters(double count, std::string_view what);

}  // namespace ravi
