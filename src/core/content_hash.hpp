// A name for a content: equal contents have equal names, others differ for every practical purpose.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>

namespace ravi {

// 32 hexadecimal digits: FNV-1a of 64 bits, twice from different starts. Parts are kept apart, so
// that {"ab", "c"} and {"a", "bc"} differ. Not for use against someone who wants a collision.
inline std::string content_hash(std::span<const std::string> parts) {
  std::uint64_t first = 0xcbf29ce484222325u, second = 0x9e3779b97f4a7c15u;
  const auto add = [&](unsigned char byte) {
    first = (first ^ byte) * 0x100000001b3u;
    second = (second ^ byte) * 0x100000001b3u;
  };
  for (const std::string& part : parts) {
    for (const char c : part) add(static_cast<unsigned char>(c));
    for (std::size_t n = part.size(), i = 0; i < 8; ++i, n >>= 8) {
      add(static_cast<unsigned char>(n & 0xff));
    }
  }
  return fmt::format("{:016x}{:016x}", first, second);
}

}  // namespace ravi
