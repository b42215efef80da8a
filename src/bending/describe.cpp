// Which parameters drive which, and how strongly, by a bent q.
#include "bending/describe.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/rng.hpp"

namespace ravi {
namespace {

// Less than these is not worth a word: of an sd, and of a mean in sds.
constexpr double kMuch = 1.5, kMuchOfACurve = 0.5;
constexpr double kNormal90 = 1.2815515655446004;

struct Given {
  Vector mean, sd;
};

// The other drivers at their medians.
Given given(const Bent& q, Index driver, double level, const Matrix& normals) {
  Matrix z = normals, theta(normals.rows(), normals.cols());
  z.topRows(q.frame().drivers).setZero();
  z.row(driver).setConstant(level);
  q.forward(z, theta);
  const Vector mean = theta.rowwise().mean();
  const auto n = static_cast<double>(theta.cols());
  return {mean, (theta.colwise() - mean).rowwise().norm() / std::sqrt(n)};
}

}  // namespace

std::vector<Driver> describe_drivers(const Bent& q, const std::vector<std::string>& names) {
  constexpr Index kPairs = 100;
  Matrix normals(q.dimension(), 2 * kPairs);
  RandomStream(0, Purpose::bending, stream_of::moments, 2).fill_normal(normals.leftCols(kPairs));
  normals.rightCols(kPairs) = -normals.leftCols(kPairs);
  const std::vector<Index>& driving = q.frame().driving;
  std::vector<Driver> drivers;
  for (Index k = 0; k < q.frame().drivers; ++k) {
    const Index own = driving[static_cast<std::size_t>(k)];
    Driver& driver = drivers.emplace_back(Driver{.name = names[static_cast<std::size_t>(own)]});
    Given low = given(q, k, -kNormal90, normals), high = given(q, k, kNormal90, normals);
    const Given middle = given(q, k, 0, normals);
    // The coordinates of q may count the other way round.
    if (high.mean(own) < low.mean(own)) std::swap(low, high);
    for (Index i = 0; i < q.dimension(); ++i) {
      if (std::ranges::find(driving, i) != driving.end()) continue;
      const double factor = high.sd(i) / low.sd(i);
      const double curve = (0.5 * (low.mean(i) + high.mean(i)) - middle.mean(i)) / middle.sd(i);
      if (std::abs(std::log(factor)) < std::log(kMuch) && std::abs(curve) < kMuchOfACurve) continue;
      driver.driven.push_back({names[static_cast<std::size_t>(i)], factor, curve});
    }
  }
  return drivers;
}

}  // namespace ravi
