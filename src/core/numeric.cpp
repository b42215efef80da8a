// Small numerical functions that several layers need.
#include "core/numeric.hpp"

#include <algorithm>

namespace ravi {

double log_sum_exp(const ConstVectorRef& x) {
  if (x.size() == 0) return -kInf;
  if (x.hasNaN()) return kNan;
  const double largest = x.maxCoeff();
  if (!std::isfinite(largest)) return largest;
  return largest + std::log((x.array() - largest).exp().sum());
}

double mean(const ConstVectorRef& x) { return x.size() == 0 ? kNan : x.mean(); }

double variance(const ConstVectorRef& x) {
  if (x.size() < 2) return kNan;
  return (x.array() - x.mean()).square().sum() / static_cast<double>(x.size() - 1);
}

double median(Vector x) {
  const Index n = x.size();
  if (n == 0 || x.hasNaN()) return kNan;
  const auto middle = x.begin() + n / 2;
  std::nth_element(x.begin(), middle, x.end());
  if (n % 2 == 1) return *middle;
  return (*middle + *std::max_element(x.begin(), middle)) / 2;
}

Vector to_vector(const std::vector<double>& x) {
  if (x.empty()) return {};
  Vector copy(static_cast<Index>(x.size()));
  std::ranges::copy(x, copy.data());
  return copy;
}

}  // namespace ravi
