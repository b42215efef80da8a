// Which rows of the data each iteration sees.
#pragma once

#include <cstdint>
#include <vector>

#include "ravi/model.hpp"

namespace ravi {

// Without replacement within a pass, reshuffled for each pass. Every batch has the full size: the
// N mod |S| rows left over at the end of a pass sit that pass out. The rows depend only on (seed,
// chain, iteration).
class MiniBatches {
 public:
  // size 0 (or total): all rows, every time.
  MiniBatches(Index total, Index size, std::uint64_t seed, std::uint32_t chain);

  Rows at(Index iteration);  // valid until the next call

 private:
  void reshuffle(Index pass);

  Index size_;
  std::uint64_t seed_;
  std::uint32_t chain_;
  std::vector<Index> order_;
  Index pass_ = -1;
};

}  // namespace ravi
