// Autocovariances at the first lags, from sums of products.
#include "iterates/history.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"

namespace ravi {

History::History(Index chains, Index size) : chain_(static_cast<std::size_t>(chains)) {
  for (Chain& chain : chain_) {
    chain = {.origin = Vector::Zero(size),
             .sum = Vector::Zero(size),
             .first = Matrix::Zero(kLags, size),
             .last = Matrix::Zero(kLags, size),
             .products = Matrix::Zero(kLags + 1, size)};
  }
}

double History::bytes_needed(Index chains, Index size) {
  return sizeof(double) * static_cast<double>(chains * size * (3 * kLags + 3));
}

void History::take_in(const Iterates& iterates, Index n, int threads) {
  parallel_for(iterates.chains(), threads, [&](Index j) {
    take_in(iterates.window(j), n, chain_[static_cast<std::size_t>(j)]);
  });
  count_ += n;
}

void History::take_in(const Matrix& window, Index n, Chain& chain) const {
  if (count_ == 0) chain.origin = window.col(0);
  const Index room = std::clamp<Index>(kLags - count_, 0, n);
  Vector x(kLags + n);  // the last ones, and the new
  for (Index k = 0; k < window.rows(); ++k) {
    x.head(kLags) = chain.last.col(k);
    x.tail(n) = window.row(k).head(n).transpose().array() - chain.origin(k);
    for (Index lag = 0; lag <= kLags; ++lag) {
      chain.products(lag, k) += x.tail(n).dot(x.segment(kLags - lag, n));
    }
    chain.sum(k) += x.tail(n).sum();
    if (room > 0) chain.first.col(k).segment(count_, room) = x.segment(kLags, room);
    chain.last.col(k) = x.tail(kLags);
  }
}

// With m the mean, sum_{t >= l} (x_t - m)(x_{t-l} - m) is the sum of products less m times the sums
// over all but the first l and over all but the last l, plus (n - l) m^2.
History::Spread History::spread(Index k) const {
  const auto n = static_cast<double>(count_);
  const Index lags = std::min(kLags, count_ - 1);
  Vector gamma = Vector::Zero(lags + 1);
  for (const Chain& chain : chain_) {
    const double m = chain.sum(k) / n;
    double left_out = 0;  // of the first l and of the last l
    for (Index l = 0; l <= lags; ++l) {
      if (l > 0) left_out += chain.first(l - 1, k) + chain.last(kLags - l, k);
      gamma(l) += chain.products(l, k) - m * (2 * chain.sum(k) - left_out) +
                  (n - static_cast<double>(l)) * m * m;
    }
  }
  gamma = gamma.cwiseMax(0) / all();
  return {gamma(0), gamma(0) + 2 * gamma.tail(lags).sum()};
}

Vector History::mcse() const {
  Vector result(chain_.front().sum.size());
  for (Index k = 0; k < result.size(); ++k) result(k) = std::sqrt(spread(k).long_run / all());
  return result;
}

Vector History::ess() const {
  Vector result(chain_.front().sum.size());
  for (Index k = 0; k < result.size(); ++k) {
    const Spread of_k = spread(k);
    result(k) = all() * of_k.variance / of_k.long_run;
  }
  return result;
}

}  // namespace ravi
