// A random permutation by a Feistel network.
#include "core/permutation.hpp"

#include <algorithm>
#include <cmath>

namespace ravi {
namespace {

// The finalizer of SplitMix64 (Steele, Lea and Flood 2014, with Stafford's constants).
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// Uniform bits to a number below the bound, which is below 2^32.
std::uint64_t scaled(std::uint64_t bits, std::uint64_t bound) {
  return ((bits >> 32) * bound) >> 32;
}

std::uint64_t sum_modulo(std::uint64_t x, std::uint64_t y, std::uint64_t bound) {
  return x + y < bound ? x + y : x + y - bound;
}

}  // namespace

Permutation::Permutation(RandomStream stream, Index size)
    : size_(static_cast<std::uint64_t>(size)) {
  const std::uint64_t domain = std::max(size_, kSmallestDomain);
  b_ = static_cast<std::uint64_t>(std::ceil(std::sqrt(static_cast<double>(domain))));
  a_ = (domain + b_ - 1) / b_;
  for (std::uint64_t& key : key_) key = stream.bits();
}

Index Permutation::operator()(Index i) const {
  auto x = static_cast<std::uint64_t>(i);
  do {
    std::uint64_t l = x / b_, r = x % b_;
    for (std::size_t k = 0; k < kRounds; k += 2) {
      l = sum_modulo(l, scaled(mixed(r + key_[k]), a_), a_);
      r = sum_modulo(r, scaled(mixed(l + key_[k + 1]), b_), b_);
    }
    x = l * b_ + r;
  } while (x >= size_);
  return static_cast<Index>(x);
}

}  // namespace ravi
