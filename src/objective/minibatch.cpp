// Which rows of the data each iteration sees.
#include "objective/minibatch.hpp"

#include <algorithm>

#include "core/rng.hpp"

namespace ravi {

Index rows_of(const Model& model) {
  const auto* rows = dynamic_cast<const RowModel*>(&model);
  return rows ? rows->rows() : 0;
}

Index batch_size_for(Index rows) { return rows <= 50000 ? 0 : 1000; }

MiniBatches::MiniBatches(Index total, Index size, std::uint64_t seed, std::uint32_t chain)
    : total_(total),
      size_(size < total ? size : 0),
      seed_(seed),
      chain_(chain),
      order_(order_of(0)),
      rows_(static_cast<std::size_t>(size_)) {}

Rows MiniBatches::at(Index iteration) {
  if (size_ == 0) return {};
  const Index batches = total_ / size_;
  if (iteration / batches != pass_) {
    pass_ = iteration / batches;
    order_ = order_of(pass_);
  }
  Index place = iteration % batches * size_;
  for (Index& row : rows_) row = order_(place++);
  std::ranges::sort(rows_);
  return {false, rows_};
}

Permutation MiniBatches::order_of(Index pass) const {
  return {RandomStream(seed_, Purpose::shuffle, chain_, static_cast<std::uint32_t>(pass)), total_};
}

}  // namespace ravi
