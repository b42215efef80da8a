// What methods take where they have no reason for another value.
#pragma once

namespace ravi {

inline constexpr int kUsualChains = 4;
inline constexpr double kUsualRhat = 1.1, kUsualEss = 20;

}  // namespace ravi
