// One vector at the end of another.
#pragma once

#include <vector>

namespace ravi {

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace ravi
