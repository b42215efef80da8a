// Philox4x32-10 (Salmon et al. 2011) and Box and Muller (1958), eight blocks side by side.
#include "core/normals.hpp"

#include <Random123/philox.h>

#include <Eigen/Core>
#include <bit>

namespace ravi {
namespace {

constexpr int kLanes = kBlocksTogether;
using Words = std::uint32_t[kLanes];
using Numbers = Eigen::Array<double, kLanes, 1>;

struct Bits {
  std::uint64_t first[kLanes], second[kLanes];
};

// Every loop below is over lanes and free of branches, so that it becomes vector instructions.
Bits philox(std::uint64_t seed, std::uint32_t block, std::uint32_t iteration, std::uint32_t chain,
            std::uint32_t purpose) {
  Words a, b, c, d;
  for (int i = 0; i < kLanes; ++i) {
    a[i] = block + static_cast<std::uint32_t>(i);
    b[i] = iteration;
    c[i] = chain;
    d[i] = purpose;
  }
  auto key0 = static_cast<std::uint32_t>(seed), key1 = static_cast<std::uint32_t>(seed >> 32);
  for (int round = 0; round < philox4x32_rounds; ++round) {
#pragma GCC unroll 1
    for (int i = 0; i < kLanes; ++i) {
      const std::uint64_t ab = std::uint64_t{PHILOX_M4x32_0} * a[i];
      const std::uint64_t cd = std::uint64_t{PHILOX_M4x32_1} * c[i];
      a[i] = static_cast<std::uint32_t>(cd >> 32) ^ b[i] ^ key0;
      b[i] = static_cast<std::uint32_t>(cd);
      c[i] = static_cast<std::uint32_t>(ab >> 32) ^ d[i] ^ key1;
      d[i] = static_cast<std::uint32_t>(ab);
    }
    key0 += PHILOX_W32_0;
    key1 += PHILOX_W32_1;
  }
  Bits bits;
  for (int i = 0; i < kLanes; ++i) {
    bits.first[i] = (std::uint64_t{b[i]} << 32) | a[i];
    bits.second[i] = (std::uint64_t{d[i]} << 32) | c[i];
  }
  return bits;
}

// The upper 52 bits as the middle of one of 2^52 equal parts of (0, 1).
double unit_interval(std::uint64_t bits) {
  constexpr std::uint64_t kOne = 0x3ff0000000000000;  // 1.0
  return std::bit_cast<double>((bits >> 12) | kOne) - (1 - 0x1p-53);
}

// sin(x) and cos(x), |x| <= pi/4, by their series: the first term left out is below 5e-17.
double sine(double x) {
  const double y = x * x;
  return x * (1 + y * (-1.0 / 6 +
                       y * (1.0 / 120 +
                            y * (-1.0 / 5040 +
                                 y * (1.0 / 362880 +
                                      y * (-1.0 / 39916800 + y * (1.0 / 6227020800 +
                                                                  y * (-1.0 / 1307674368000))))))));
}
double cosine(double x) {
  const double y = x * x;
  return 1 + y * (-1.0 / 2 +
                  y * (1.0 / 24 +
                       y * (-1.0 / 720 +
                            y * (1.0 / 40320 +
                                 y * (-1.0 / 3628800 +
                                      y * (1.0 / 479001600 + y * (-1.0 / 87178291200 +
                                                                  y * (1.0 / 20922789888000))))))));
}

}  // namespace

// With the angle pi (2u - 1) and the radius (-2 log v)^(1/2), u and v uniform.
void eight_blocks_of_normals(std::uint64_t seed, std::uint32_t first_block, std::uint32_t iteration,
                             std::uint32_t chain, std::uint32_t purpose, double* normals) {
  const Bits bits = philox(seed, first_block, iteration, chain, purpose);
  Numbers v;
  for (int i = 0; i < kLanes; ++i) v(i) = unit_interval(bits.second[i]);
  const Numbers radius = (-2 * v.log()).sqrt();

  constexpr double kPi = 3.14159265358979323846;
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  Numbers sines, cosines;
  for (int i = 0; i < kLanes; ++i) {
    // Half a turn is t = 1. The nearest quarter is taken away and put back by symmetry.
    const double t = 2 * unit_interval(bits.first[i] ^ kSign) - 1;
    constexpr double kRounding = 0x1.8p52;  // x + kRounding - kRounding is x to the nearest integer
    const double shifted = 2 * t + kRounding;
    const double x = kPi * (t - 0.5 * (shifted - kRounding));
    const double s = sine(x), c = cosine(x);
    const auto quarter = std::bit_cast<std::uint64_t>(shifted);
    const bool odd = (quarter & 1) != 0;
    const auto sign_of_sine = (quarter & 2) << 62, sign_of_cosine = ((quarter + 1) & 2) << 62;
    sines(i) = std::bit_cast<double>(std::bit_cast<std::uint64_t>(odd ? c : s) ^ sign_of_sine);
    cosines(i) = std::bit_cast<double>(std::bit_cast<std::uint64_t>(odd ? s : c) ^ sign_of_cosine);
  }
  for (int i = 0; i < kLanes; ++i) {
    normals[2 * i] = radius(i) * sines(i);
    normals[2 * i + 1] = radius(i) * cosines(i);
  }
}

}  // namespace ravi
