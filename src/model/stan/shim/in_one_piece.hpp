// What Stan does with threads of its own or shares among threads, done by the thread that asks.
// ravi has its threads busy with draws.
#pragma once

#include <stan/math.hpp>

namespace ravi_shim {

// Stan cuts the sum where threads are idle, so that its last bits would depend on how busy the
// machine is; in one piece it is what Stan computes without threads.
template <typename Function, typename Vector, typename... Arguments>
auto sum_in_one_piece(Vector&& terms, int grainsize, std::ostream* messages,
                      Arguments&&... arguments) {
  using Sum = stan::return_type_t<Vector, Arguments...>;
  stan::math::check_positive("reduce_sum", "grainsize", grainsize);
  if (terms.empty()) return Sum(0);
  return Sum(Function()(std::forward<Vector>(terms), 0, static_cast<int>(terms.size()) - 1,
                        messages, std::forward<Arguments>(arguments)...));
}

// Stan notes times in one table of the program, without a lock.
template <typename T>
struct profile {
  profile(const char*, stan::math::profile_map&) {}
  ~profile() {}  // so that a variable of this type counts as used
};

}  // namespace ravi_shim
