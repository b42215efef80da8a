// Conformance: what every built-in model must do, new ones included.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/rng.hpp"
#include "evaluation.hpp"
#include "model/registry.hpp"
#include "special_numbers.hpp"

namespace ravi {
namespace {

// Sums of a few hundred terms in two different orders differ by less than this many roundings.
constexpr double kRoundings = 1000;

class EveryModel : public testing::TestWithParam<ModelEntry> {
 protected:
  Matrix random_points(Index count) const {
    return ravi::random_points(model_->dimension(), count);
  }

  std::unique_ptr<Model> model_ = GetParam().make(GetParam().example());
};

class EveryRowModel : public EveryModel {};

// Central differences D(h) = f'(x) + h^2/6 f'''(x) + O(h^4) at h and 2h: the combination
// (4 D(h) - D(2h)) / 3 cancels the h^2 term, so |D(h) - D(2h)| bounds what is left. Each value
// carries kRoundings roundings, which the division by h magnifies.
TEST_P(EveryModel, GradientMatchesFiniteDifferences) {
  constexpr double h = 1e-3;
  const Index p = model_->dimension();
  const Matrix points = random_points(4);
  const Values at = evaluate(*model_, points);
  for (Index s = 0; s < points.cols(); ++s) {
    Matrix moved = points.col(s).replicate(1, 4 * p);
    for (Index k = 0; k < p; ++k) {
      moved(k, 4 * k) += h;
      moved(k, 4 * k + 1) -= h;
      moved(k, 4 * k + 2) += 2 * h;
      moved(k, 4 * k + 3) -= 2 * h;
    }
    const Vector f = evaluate(*model_, moved).log_density;
    const double rounding = kRoundings * kEpsilon * (1 + std::abs(at.log_density(s))) / h;
    for (Index k = 0; k < p; ++k) {
      const double near = (f(4 * k) - f(4 * k + 1)) / (2 * h);
      const double far = (f(4 * k + 2) - f(4 * k + 3)) / (4 * h);
      const double tolerance = std::abs(near - far) + rounding;
      const double slope = at.gradient(k, s);
      EXPECT_NEAR(slope, (4 * near - far) / 3, tolerance) << "coordinate " << k;
      // The comparison means something only where the tolerance is small.
      EXPECT_LT(tolerance, 1e-3 * (1 + std::abs(slope))) << "coordinate " << k;
    }
  }
}

TEST_P(EveryModel, ABatchGivesWhatItsColumnsGiveOneByOne) {
  const Matrix points = random_points(7);
  const Values batch = evaluate(*model_, points);
  for (Index s = 0; s < points.cols(); ++s) {
    const Values one = evaluate(*model_, points.col(s));
    EXPECT_NEAR(batch.log_density(s), one.log_density(0),
                kRoundings * kEpsilon * (1 + std::abs(one.log_density(0))));
    EXPECT_LE((batch.gradient.col(s) - one.gradient).cwiseAbs().maxCoeff(),
              kRoundings * kEpsilon * (1 + one.gradient.cwiseAbs().maxCoeff()));
  }
}

TEST_P(EveryModel, LogDensitiesAreTheSameWithoutTheirGradients) {
  const Matrix points = random_points(7);
  const Values both = evaluate(*model_, points);
  Vector alone = Vector::Constant(7, 1e300);
  model_->log_density(points, alone);
  for (Index s = 0; s < points.cols(); ++s) {
    EXPECT_NEAR(alone(s), both.log_density(s),
                kRoundings * kEpsilon * (1 + std::abs(both.log_density(s))));
  }
}

// Sums over the same rows in different orders; `size` is what was summed, without signs.
void expect_equal_but_for_rounding(const Values& found, const Values& whole, const Vector& size) {
  EXPECT_LE(((found.log_density - whole.log_density).array().abs() / (1 + size.array())).maxCoeff(),
            kRoundings * kEpsilon);
  EXPECT_LE((found.gradient - whole.gradient).cwiseAbs().maxCoeff(),
            kRoundings * kEpsilon * (1 + size.maxCoeff()));
}

// sum over a partition of |S|/N (prior + N/|S| likelihood of S) = prior + likelihood.
TEST_P(EveryRowModel, MiniBatchesAverageToTheWholeData) {
  const auto* model = dynamic_cast<const RowModel*>(model_.get());
  const Matrix points = random_points(3);
  const Values whole = evaluate(*model, points);
  const Index n = model->rows();
  ASSERT_GE(n, 3);
  Vector log_density = Vector::Zero(points.cols()), size = log_density;
  Matrix gradient = Matrix::Zero(points.rows(), points.cols());
  // Parts of unequal size, in an order that is not the data's.
  std::vector<Index> order(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) order[static_cast<std::size_t>(i)] = n - 1 - i;
  for (const auto& [begin, end] : {std::pair<Index, Index>{0, 1}, {1, n / 2}, {n / 2, n}}) {
    const Rows rows{false,
                    std::span<const Index>(order).subspan(static_cast<std::size_t>(begin),
                                                          static_cast<std::size_t>(end - begin))};
    Values part{Vector(points.cols()), Matrix(points.rows(), points.cols())};
    model->evaluate_rows(points, rows, part.log_density, part.gradient);
    const double share = static_cast<double>(end - begin) / static_cast<double>(n);
    log_density += share * part.log_density;
    gradient += share * part.gradient;
    size += part.log_density.cwiseAbs();
    if (begin == 0) {
      // A single row scaled up is not the whole data.
      EXPECT_GT((part.log_density - whole.log_density).cwiseAbs().maxCoeff(), 1e-6);
    }
  }
  expect_equal_but_for_rounding({log_density, gradient}, whole, size);
}

TEST_P(EveryRowModel, ListingAllRowsIsTheWholeData) {
  const auto* model = dynamic_cast<const RowModel*>(model_.get());
  std::vector<Index> all;
  for (Index i = 0; i < model->rows(); ++i) all.push_back(i);
  const Matrix points = random_points(2);
  const Values whole = evaluate(*model, points);
  Values listed{Vector(2), Matrix(points.rows(), 2)};
  model->evaluate_rows(points, Rows{false, all}, listed.log_density, listed.gradient);
  expect_equal_but_for_rounding(listed, whole, whole.log_density.cwiseAbs());
}

TEST_P(EveryModel, NamesAreAsManyAsCoordinatesAndAllDifferent) {
  std::vector<std::string> names = model_->unconstrained_names();
  EXPECT_EQ(static_cast<Index>(names.size()), model_->dimension());
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST_P(EveryModel, ConstrainWritesEveryNamedQuantity) {
  const Matrix points = random_points(3);
  const auto count = static_cast<Index>(model_->parameter_names().size());
  Matrix quantities = Matrix::Constant(count, 3, std::nan(""));
  model_->constrain(points, quantities, 1);
  EXPECT_TRUE(quantities.allFinite());
}

// A log density is either a number with a usable gradient, or not finite and the draw is dropped.
TEST_P(EveryModel, ExtremePointsEndInNumbersOrInFailedDraws) {
  const Index p = model_->dimension();
  for (const double size : {1e6, 1e300}) {
    Matrix theta(p, 3);
    theta.col(0).setConstant(size);
    theta.col(1).setConstant(-size);
    for (Index k = 0; k < p; ++k) theta(k, 2) = k % 2 == 0 ? size : -size;
    const Values v = evaluate(*model_, theta);
    for (Index s = 0; s < theta.cols(); ++s) {
      if (!std::isfinite(v.log_density(s))) continue;
      EXPECT_TRUE(v.gradient.col(s).allFinite()) << "column " << s << " at " << size;
      // Normalized densities that far out are tiny.
      EXPECT_LT(v.log_density(s), 0) << "column " << s << " at " << size;
    }
  }
}

TEST_P(EveryModel, ExampleDataAreTheSameInEveryCall) {
  const Data first = GetParam().example(), second = GetParam().example();
  ASSERT_EQ(first.variables().size(), second.variables().size());
  for (std::size_t i = 0; i < first.variables().size(); ++i) {
    EXPECT_EQ(first.variables()[i].values, second.variables()[i].values);
  }
}

std::vector<ModelEntry> entries(bool with_rows_only) {
  std::vector<ModelEntry> chosen;
  for (const ModelEntry& entry : model_registry()) {
    const auto model = entry.make(entry.example());
    if (!with_rows_only || dynamic_cast<const RowModel*>(model.get()) != nullptr) {
      chosen.push_back(entry);
    }
  }
  return chosen;
}

std::string test_name(const testing::TestParamInfo<ModelEntry>& entry) {
  std::string name(entry.param.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryModel, testing::ValuesIn(entries(false)), test_name);
INSTANTIATE_TEST_SUITE_P(Registry, EveryRowModel, testing::ValuesIn(entries(true)), test_name);

}  // namespace
}  // namespace ravi
