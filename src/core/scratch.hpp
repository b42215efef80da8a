// Thread-local work space, so that a const evaluate() called from many threads allocates nothing.
#pragma once

#include "ravi/types.hpp"

namespace ravi {

// An uninitialized rows x cols matrix, valid on this thread until the same Tag asks again.
template <typename Tag>
Eigen::Map<Matrix> scratch(Index rows, Index cols) {
  thread_local Vector memory;
  if (memory.size() < rows * cols) memory.resize(rows * cols);
  return {memory.data(), rows, cols};
}

}  // namespace ravi
