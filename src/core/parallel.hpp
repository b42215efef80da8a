// A loop over independent items on a given number of threads.
#pragma once

#include <functional>

#include "ravi/types.hpp"

namespace ravi {

// Threads to use for a request; 0 means one per core.
int resolve_threads(int requested);

// Calls body(i) for i = 0 .. count-1, on at most that many threads. Items share nothing but what
// they only read, so the result cannot depend on the number of threads. The first exception thrown
// by an item is rethrown here.
void parallel_for(Index count, int threads, const std::function<void(Index)>& body);

}  // namespace ravi
