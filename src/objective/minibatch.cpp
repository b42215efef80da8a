// Which rows of the data each iteration sees.
#include "objective/minibatch.hpp"

#include <numeric>

#include "core/rng.hpp"

namespace ravi {

MiniBatches::MiniBatches(Index total, Index size, std::uint64_t seed, std::uint32_t chain)
    : size_(size), seed_(seed), chain_(chain), order_(static_cast<std::size_t>(total)) {
  if (size_ >= total) size_ = 0;
}

Rows MiniBatches::at(Index iteration) {
  if (size_ == 0) return {};
  const Index batches = static_cast<Index>(order_.size()) / size_;
  if (iteration / batches != pass_) reshuffle(iteration / batches);
  const auto first = static_cast<std::size_t>(iteration % batches * size_);
  return {false, std::span(order_).subspan(first, static_cast<std::size_t>(size_))};
}

void MiniBatches::reshuffle(Index pass) {
  pass_ = pass;
  std::iota(order_.begin(), order_.end(), Index{0});
  RandomStream stream(seed_, Purpose::shuffle, chain_, static_cast<std::uint32_t>(pass));
  shuffle(stream, order_);
}

}  // namespace ravi
