// Effective sample size by Geyer's sequences, over all chains.
#include "diagnostics/ess.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/numeric.hpp"
#include "diagnostics/autocovariance.hpp"
#include "diagnostics/chains.hpp"
#include "diagnostics/ranks.hpp"

namespace ravi {
namespace {

// Integrated autocorrelation time tau = -1 + 2 sum_k P_k + (one more even lag), where
// P_k = rho_2k + rho_2k+1 are added while positive, none larger than the one before it.
template <typename Autocorrelation>
double integrated_time(Index lags, Autocorrelation&& rho) {
  double even = 1, pair = 1 + rho(1);
  // No pair to add: fewer than six lags, or a lag-one correlation of -1. The reference
  // implementation (R package posterior) has 2 here, which errs on the careful side.
  if (lags <= 5 || !(pair > 0)) return 2;
  double sum = 0, smallest = std::numeric_limits<double>::infinity();
  for (Index t = 2; pair > 0 && t - 2 < lags - 5; t += 2) {
    smallest = std::min(smallest, pair);
    sum += smallest;
    even = rho(t);
    pair = even + rho(t + 1);
  }
  // The even lag of the pair that ended the sum lowers the variance for antithetic chains.
  const double last = even > 0 || pair >= 0 ? even : 0;
  return -1 + 2 * sum + last;
}

double unsplit_ess(const ConstMatrixRef& draws) {
  const Index n = draws.rows();
  if (n < 3 || !carries_information(draws)) return kNan;
  LaggedAutocovariance covariance(draws);
  const ChainVariances variances = chain_variances(draws);
  const double within = variances.within, between = variances.between;
  // Vehtari et al. (2021): the variance that includes what separates the chains.
  const double total = within * static_cast<double>(n - 1) / static_cast<double>(n) +
                       (draws.cols() > 1 ? between : 0);
  if (!(total > 0 && std::isfinite(total))) return kNan;  // squares over- or underflow
  const double tau =
      integrated_time(n, [&](Index t) { return 1 - (within - covariance(t)) / total; });
  const auto size = static_cast<double>(draws.size());
  return size / std::max(tau, 1 / std::log10(size));
}

}  // namespace

double ess_basic(const ConstMatrixRef& draws, bool split) {
  return split ? unsplit_ess(split_chains(draws)) : unsplit_ess(draws);
}

double ess_mean(const ConstMatrixRef& draws) { return ess_basic(draws); }

double ess_bulk(const ConstMatrixRef& draws) {
  if (!carries_information(draws)) return kNan;
  return unsplit_ess(normal_scores(split_chains(draws)));
}

double ess_quantile(const ConstMatrixRef& draws, double p) {
  if (!carries_information(draws) || !(p >= 0 && p <= 1)) return kNan;
  const double limit = quantile(draws.reshaped(), p);
  return ess_basic((draws.array() <= limit).cast<double>().matrix());
}

double ess_median(const ConstMatrixRef& draws) { return ess_quantile(draws, 0.5); }

double ess_tail(const ConstMatrixRef& draws) {
  const double low = ess_quantile(draws, 0.05), high = ess_quantile(draws, 0.95);
  return std::isnan(low) || std::isnan(high) ? kNan : std::min(low, high);
}

double ess_sd(const ConstMatrixRef& draws) {
  if (!carries_information(draws)) return kNan;
  return ess_basic((draws.array() - draws.mean()).abs().matrix());
}

}  // namespace ravi
