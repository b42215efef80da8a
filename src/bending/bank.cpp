// Draws that bending has paid for: densities with gradients, in the coordinates of a Gaussian.
#include "bending/bank.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "scoring/proposal.hpp"

namespace ravi {

std::vector<Index> Bank::add(const Model& model, const Bent::Frame& frame, const Matrix& drawn,
                             int threads) {
  const Index p = drawn.rows(), n = drawn.cols(), each = columns_per_call(p);
  Matrix g(p, n);
  Vector values(n);
  parallel_for((n + each - 1) / each, threads, [&](Index chunk) {
    const Index first = chunk * each, count = std::min(each, n - first);
    Matrix theta = frame.a * drawn.middleCols(first, count);
    theta.colwise() += frame.mu;
    Vector of_chunk(count);
    Matrix of_theta(p, count);
    model.evaluate(theta, of_chunk, of_theta);
    values.segment(first, count) = of_chunk;
    g.middleCols(first, count).noalias() = frame.a.transpose() * of_theta;
  });
  std::vector<Index> usable;
  for (Index i = 0; i < n; ++i) {
    if (std::isfinite(values(i)) && g.col(i).allFinite()) usable.push_back(i);
  }
  append({drawn(Eigen::all, usable), g(Eigen::all, usable), values(usable)});
  return usable;
}

void Bank::append(const Bank& other) {
  const Index before = size(), all = before + other.size();
  x.conservativeResize(other.x.rows(), all);
  gradient.conservativeResize(other.x.rows(), all);
  log_density.conservativeResize(all);
  x.rightCols(all - before) = other.x;
  gradient.rightCols(all - before) = other.gradient;
  log_density.tail(all - before) = other.log_density;
}

void Bank::turn(const Matrix& q) {
  x = q.transpose() * x;
  gradient = q.transpose() * gradient;
}

}  // namespace ravi
