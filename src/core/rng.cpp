// Philox4x32-10 (Salmon et al. 2011), by Random123, turned into uniforms and normals.
#include "core/rng.hpp"

#include <Random123/philox.h>

#include <Random123/uniform.hpp>
#include <utility>

namespace ravi {

RandomStream::Pair RandomStream::next_block() {
  const r123::Philox4x32::ctr_type counter = {
      {block_++, iteration_, chain_, static_cast<std::uint32_t>(purpose_)}};
  const r123::Philox4x32::key_type key = {
      {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32)}};
  const auto words = r123::Philox4x32{}(counter, key);
  const auto join = [](std::uint32_t low, std::uint32_t high) {
    return (static_cast<std::uint64_t>(high) << 32) | low;
  };
  return {join(words[0], words[1]), join(words[2], words[3])};
}

std::uint64_t RandomStream::bits() {
  if (has_spare_bits_) {
    has_spare_bits_ = false;
    return spare_bits_;
  }
  const Pair block = next_block();
  spare_bits_ = block.second;
  has_spare_bits_ = true;
  return block.first;
}

double RandomStream::uniform() { return r123::u01<double>(bits()); }

std::uint64_t RandomStream::below(std::uint64_t bound) {
  // The bias of multiplying a uniform double is below bound / 2^53.
  const auto k = static_cast<std::uint64_t>(uniform() * static_cast<double>(bound));
  return k < bound ? k : bound - 1;
}

void RandomStream::next_normals(double* normals) {
  eight_blocks_of_normals(seed_, block_, iteration_, chain_, static_cast<std::uint32_t>(purpose_),
                          normals);
  block_ += kBlocksTogether;
}

double RandomStream::normal() {
  if (spare_normals_ == 0) {
    next_normals(normals_.data());
    spare_normals_ = static_cast<int>(normals_.size());
  }
  return *(normals_.end() - spare_normals_--);
}

// The numbers that normal() would give, straight to where they belong.
void RandomStream::fill_normal(MatrixRef z) {
  if (z.outerStride() != z.rows() && z.cols() > 1) {
    for (Index s = 0; s < z.cols(); ++s) fill_normal(z.col(s));
    return;
  }
  const std::span<double> all(z.data(), static_cast<std::size_t>(z.size()));
  auto at = all.begin();
  while (spare_normals_ > 0 && at != all.end()) *at++ = normal();
  constexpr std::ptrdiff_t together = 2 * kBlocksTogether;
  for (; all.end() - at >= together; at += together) next_normals(&*at);
  while (at != all.end()) *at++ = normal();
}

void shuffle(RandomStream& stream, std::span<Index> items) {
  for (std::size_t i = items.size(); i > 1; --i) {
    std::swap(items[i - 1], items[stream.below(i)]);
  }
}

}  // namespace ravi
