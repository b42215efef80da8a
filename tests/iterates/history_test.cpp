// MCSE and ESS of everything that chains have done, against the definition.
#include "iterates/history.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/rng.hpp"
#include "diagnostics/autocovariance.hpp"

namespace ravi {
namespace {

// Var / ESS of a whole series, by its autocovariances.
struct Direct {
  double mcse, ess;
};
Direct direct(const Matrix& series) {
  const Vector gamma = mean_autocovariance(series);
  const Index lags = std::min<Index>(History::kLags, gamma.size() - 1);
  const double long_run = gamma(0) + 2 * gamma.segment(1, lags).cwiseMax(0).sum();
  const auto n = static_cast<double>(series.size());
  return {std::sqrt(long_run / n), n * gamma(0) / long_run};
}

TEST(History, HasTheErrorOfTheMeanOfAllIterates) {
  constexpr Index kChains = 2, kSize = 3, kWindow = 70, kWindows = 9;
  Iterates iterates(kChains, kSize, kWindow);
  History history(kChains, kSize);
  std::vector<Matrix> series(kSize, Matrix(kWindow * kWindows, kChains));
  for (Index w = 0; w < kWindows; ++w) {
    for (Index j = 0; j < kChains; ++j) {
      Matrix& window = iterates.window(j);
      RandomStream(5, Purpose::test, static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(w))
          .fill_normal(window);
      for (Index i = 0; i < kWindow; ++i) {
        // Alone, correlated with the one before, and with a transient from far away.
        const double t = static_cast<double>(w * kWindow + i);
        window(1, i) = 0.3 * window(1, i) + std::sin(t / 20);
        window(2, i) = 1e3 + window(2, i) + 50 * std::exp(-t / 100);
        for (Index k = 0; k < kSize; ++k) {
          series[static_cast<std::size_t>(k)](w * kWindow + i, j) = window(k, i);
        }
      }
    }
    iterates.close_window(kWindow);
    history.take_in(iterates, kWindow, 1);
    const Vector mcse = history.mcse(), ess = history.ess();
    for (Index k = 0; k < kSize; ++k) {
      const Direct expected =
          direct(series[static_cast<std::size_t>(k)].topRows((w + 1) * kWindow));
      // Rounding of products of deviations of up to 50: below 1e-12 of them.
      EXPECT_NEAR(mcse(k), expected.mcse, 1e-9 * expected.mcse) << w << " " << k;
      EXPECT_NEAR(ess(k), expected.ess, 1e-9 * expected.ess) << w << " " << k;
    }
  }
}

}  // namespace
}  // namespace ravi
