// Autocovariances at the first lags of all that chains have done, transient and all.
#pragma once

#include <vector>

#include "iterates/iterates.hpp"

namespace ravi {

// Sums of products at each lag are kept instead of iterates, so that memory is bounded.
class History {
 public:
  static constexpr Index kLags = 99;

  History(Index chains, Index size);
  static double bytes_needed(Index chains, Index size);

  // The last window of the iterates, n columns of it, follows what was taken in before.
  void take_in(const Iterates& iterates, Index n, int threads);

  // Of the mean over all iterates, per component: MCSE^2 = Var / ESS with
  //   ESS = n / (1 + 2 sum_t max(rho_t, 0)),  t = 1 .. kLags,
  // autocorrelations averaged over the chains, n iterates in all of them.
  Vector mcse() const;
  Vector ess() const;  // NaN where nothing ever moved

 private:
  // A column per component, of deviations from the first iterate.
  struct Chain {
    Vector origin, sum;
    Matrix first, last;  // kLags of them; zero where there is none
    Matrix products;     // by lag, from 0: sums of x_t x_{t - lag}
  };
  void take_in(const Matrix& window, Index n, Chain& chain) const;
  // Var, and Var (1 + 2 sum_t max(rho_t, 0)), of component k.
  struct Spread {
    double variance, long_run;
  };
  Spread spread(Index k) const;
  double all() const { return static_cast<double>(count_) * static_cast<double>(chain_.size()); }

  std::vector<Chain> chain_;
  Index count_ = 0;  // of every chain
};

}  // namespace ravi
