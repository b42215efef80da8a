// Searches on a few rows of a regression whose posterior is exact.
#include "algorithm/robust/few_rows.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "core/registry.hpp"
#include "model/data.hpp"
#include "model/registry.hpp"
#include "model/simulate.hpp"

namespace ravi {
namespace {

constexpr Index kRows = 4000, kCoefficients = 5;

struct Regression {
  SimulatedRegression truth = simulate_linear_regression(kRows, kCoefficients, 0.9, 1);
  std::unique_ptr<Model> model;
  std::unique_ptr<Approximation> q =
      entry_of(family_registry(), "full-rank", "family").make(kCoefficients)->averageable();

  Regression() {
    Data data;
    data.add("N", kRows).add("P", kCoefficients).add("X", truth.X).add("y", truth.y);
    model = make_builtin("linear-regression", &data);
  }

  // Of a mean from that of the posterior, in its standard deviations.
  double distance(const Vector& mean) const {
    return truth.cov.llt().matrixL().solve(mean - truth.mean).norm();
  }
};

Options options_with(int minibatch) {
  return {.draws = static_cast<int>(draws_for_regression(kCoefficients)),
          .minibatch = minibatch,
          .chains = 4,
          .threads = 1};
}

// With S of the N rows the first optimum is about (P N / |S|)^(1/2) = 14 sds away. An anchor leaves
// a fraction f of the distance; the last one moved the optimum by a symmetrized divergence of less
// than 0.001 P, the square of a distance of 0.07 sds, so that f / (1 - f) of that is left: less
// than 0.07 with f < 1/2, where 20 rows for each coefficient leave a fifth.
TEST(FewRows, LeadToTheOptimumOfAllRows) {
  const Regression r;
  const Options options = options_with(100);
  FewRows rows(*r.model, options);
  EXPECT_NE(&rows.model(), r.model.get());
  SearchResults searches = search_all(rows.model(), *r.q, options, nullptr);
  ASSERT_FALSE(searches.found.empty());
  EXPECT_GT(r.distance(searches.best().best().center()), 1);
  const std::int64_t before = searches.evaluations;
  rows.move_to_all(searches, options, nullptr);
  EXPECT_GT(searches.evaluations, before);
  for (const Search& search : searches.found) {
    EXPECT_LT(r.distance(search.best().center()), 0.07);
  }
}

TEST(FewRows, AreAllRowsWithoutMiniBatches) {
  const Regression r;
  const Options options = options_with(0);
  FewRows rows(*r.model, options);
  EXPECT_EQ(&rows.model(), r.model.get());
  SearchResults searches = search_all(rows.model(), *r.q, options, nullptr);
  ASSERT_FALSE(searches.found.empty());
  const std::int64_t before = searches.evaluations;
  const Vector found = searches.best().best().center();
  rows.move_to_all(searches, options, nullptr);
  EXPECT_EQ(searches.evaluations, before);
  EXPECT_EQ(searches.best().best().center(), found);
  EXPECT_LT(r.distance(found), 1e-3);
}

// A stop that is asked for leaves what was found.
TEST(FewRows, StayWhereTheyAreWhenStopped) {
  const Regression r;
  const Options options = options_with(100);
  FewRows rows(*r.model, options);
  SearchResults searches = search_all(rows.model(), *r.q, options, nullptr);
  ASSERT_FALSE(searches.found.empty());
  const Vector found = searches.best().best().center();
  const std::atomic<bool> stop = true;
  rows.move_to_all(searches, options, &stop);
  EXPECT_EQ(searches.best().best().center(), found);
}

}  // namespace
}  // namespace ravi
