// Small numerical functions that several layers need.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "ravi/types.hpp"

namespace ravi {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kLog2Pi = 1.8378770664093454836;
inline constexpr double kNormal95 = 1.6448536269514722;  // quantile of the standard normal

// log(1 + exp(x)) without overflow.
inline double log1p_exp(double x) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

// 1 / (1 + exp(-x)) without overflow.
inline double inverse_logit(double x) {
  if (x >= 0) return 1 / (1 + std::exp(-x));
  const double e = std::exp(x);
  return e / (1 + e);
}

// log sum_i exp(x_i); -inf for an empty or all -inf input, NaN if any x_i is NaN.
double log_sum_exp(const ConstVectorRef& x);

double mean(const ConstVectorRef& x);
double variance(const ConstVectorRef& x);  // divisor n - 1; NaN for n < 2
double median(Vector x);                   // NaN for no values, or if any is NaN

// A copy in memory that Eigen allocated: sums over it are the same in every run.
Vector to_vector(const std::vector<double>& x);

}  // namespace ravi
