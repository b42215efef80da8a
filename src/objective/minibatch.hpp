// Which rows of the data each iteration sees.
#pragma once

#include <cstdint>
#include <vector>

#include "core/permutation.hpp"
#include "ravi/model.hpp"

namespace ravi {

Index rows_of(const Model& model);  // N; 0 for a model that is not a sum over rows

// The size that --minibatch auto takes, 0 for all rows.
Index batch_size_for(Index rows);

// Without replacement within a pass, in another order in each pass. Every batch has the full size:
// the N mod |S| rows left over at the end of a pass sit that pass out. The rows depend only on
// (seed, chain, iteration), and come in ascending order, which is kind to memory. Time and memory
// of a batch are O(|S| log |S|), whatever N is.
class MiniBatches {
 public:
  // size 0 (or total): all rows, every time.
  MiniBatches(Index total, Index size, std::uint64_t seed, std::uint32_t chain);

  Rows at(Index iteration);  // valid until the next call

 private:
  Permutation order_of(Index pass) const;

  Index total_, size_;
  std::uint64_t seed_;
  std::uint32_t chain_;
  Index pass_ = 0;
  Permutation order_;
  std::vector<Index> rows_;
};

}  // namespace ravi
