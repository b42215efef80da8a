// How much memory there is.
#pragma once

namespace ravi {

// Bytes that a program can still have: what the system calls available, or all there is where it
// does not say, within the limit of the control group it runs in.
double available_memory();

}  // namespace ravi
