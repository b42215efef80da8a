// Records the ELBO along a chain or a search in bounded memory.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "ravi/fit.hpp"

namespace ravi {

class ElboRecorder {
 public:
  // The next iteration's estimate; what is not finite counts for nothing.
  void add(double elbo) {
    if (points_.empty() || in_last_ == every_) {
      if (points_.size() == kMostPoints) merge_pairs();
      points_.emplace_back();
      in_last_ = 0;
    }
    ++in_last_;
    if (!std::isfinite(elbo)) return;
    points_.back().sum += elbo;
    ++points_.back().count;
  }

  ElboTrace trace() const {
    ElboTrace result{.every = every_};
    for (const Point& p : points_) result.elbo.push_back(p.sum / p.count);
    return result;
  }

 private:
  static constexpr std::size_t kMostPoints = 512;

  struct Point {
    double sum = 0, count = 0;
  };

  void merge_pairs() {
    for (std::size_t i = 0; i < kMostPoints / 2; ++i) {
      const Point &a = points_[2 * i], &b = points_[2 * i + 1];
      points_[i] = {a.sum + b.sum, a.count + b.count};
    }
    points_.resize(kMostPoints / 2);
    every_ *= 2;
  }

  std::vector<Point> points_;
  long every_ = 1, in_last_ = 0;
};

}  // namespace ravi
