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
    Matrix gradient(p, count);
    model.evaluate(theta, of_chunk, gradient);
    values.segment(first, count) = of_chunk;
    g.middleCols(first, count).noalias() = frame.a.transpose() * gradient;
  });
  std::vector<Index> usable;
  for (Index i = 0; i < n; ++i) {
    if (std::isfinite(values(i)) && g.col(i).allFinite()) usable.push_back(i);
  }
  const Index before = size(), added = std::ssize(usable);
  x.conservativeResize(p, before + added);
  gradient.conservativeResize(p, before + added);
  log_density.conservativeResize(before + added);
  x.rightCols(added) = drawn(Eigen::all, usable);
  gradient.rightCols(added) = g(Eigen::all, usable);
  log_density.tail(added) = values(usable);
  return usable;
}

void Bank::turn(const Matrix& q) {
  x = q.transpose() * x;
  gradient = q.transpose() * gradient;
}

}  // namespace ravi
