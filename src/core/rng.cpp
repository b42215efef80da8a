// Philox4x32-10 (Salmon et al. 2011), by Random123, turned into uniforms and normals.
#include "core/rng.hpp"

#include <Random123/philox.h>

#include <Random123/boxmuller.hpp>
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

double RandomStream::normal() {
  if (has_spare_normal_) {
    has_spare_normal_ = false;
    return spare_normal_;
  }
  const Pair bits = next_block();
  const r123::double2 pair = r123::boxmuller(bits.first, bits.second);
  spare_normal_ = pair.y;
  has_spare_normal_ = true;
  return pair.x;
}

void RandomStream::fill_normal(MatrixRef z) {
  for (Index s = 0; s < z.cols(); ++s) {
    for (Index i = 0; i < z.rows(); ++i) z(i, s) = normal();
  }
}

void shuffle(RandomStream& stream, std::span<Index> items) {
  for (std::size_t i = items.size(); i > 1; --i) {
    std::swap(items[i - 1], items[stream.below(i)]);
  }
}

}  // namespace ravi
