// Whether the chains have come to the same answer.
#include "algorithm/judge/agreement.hpp"

#include <algorithm>
#include <cmath>

#include "core/numeric.hpp"
#include "diagnostics/ranks.hpp"
#include "limits/limits.hpp"

namespace ravi {
namespace {

double per_parameters(Index dimension) {
  return std::max(1.0, static_cast<double>(dimension) / 50);
}

// Over so many parts per chain, of one chain or of all.
std::vector<Vector> averages(const Iterates& iterates, Index per_chain,
                             std::optional<Index> chain) {
  std::vector<Vector> result;
  const std::vector<Block> parts = iterates.parts(per_chain);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!chain || static_cast<Index>(i) / per_chain == *chain) result.push_back(parts[i].mean);
  }
  return result;
}

Vector divergences(const std::vector<Vector>& averages, const Vector& center,
                   const Approximation& prototype) {
  const auto to = prototype.member(center);
  Vector result(static_cast<Index>(averages.size()));
  for (std::size_t i = 0; i < averages.size(); ++i) {
    result(static_cast<Index>(i)) = prototype.member(averages[i])->kl(*to);
  }
  return result;
}

// A sum of squares with n degrees of freedom varies by (2 / n)^(1/2) of its mean.
double kl_limit(double kl_hat, const Vector& of_parts) {
  const auto b = static_cast<double>(of_parts.size());
  const double n = std::max(1.0, 2 * std::pow(mean(of_parts), 2) / variance(of_parts));
  return kl_hat * f_quantile(1 - limit(Limit::error_rate), n, n * (b - 1));
}

// Which chains share a mode, and how far they are apart.
void compare(const Approximation& prototype, Agreement& agreement) {
  std::vector<std::unique_ptr<Approximation>> chains;
  for (const Vector& lambda : agreement.chain_average) chains.push_back(prototype.member(lambda));
  std::vector<const Approximation*> modes;
  for (const auto& q : chains) {
    auto same = std::ranges::find_if(
        modes, [&](const Approximation* mode) { return same_optimum(*mode, *q); });
    if (same == modes.end()) same = modes.insert(modes.end(), q.get());
    agreement.mode_of_chain.push_back(static_cast<int>(same - modes.begin()) + 1);
  }
  for (std::size_t a = 0; a < chains.size(); ++a) {
    for (std::size_t b = a + 1; b < chains.size(); ++b) {
      agreement.between = std::max(agreement.between, symmetrized_kl(*chains[a], *chains[b]));
    }
  }
}

}  // namespace

bool same_optimum(const Approximation& a, const Approximation& b) {
  return symmetrized_kl(a, b) < limit(Limit::same_optimum);
}

bool Agreement::apart(double rhat_threshold) const {
  return rhat.value >= rhat_threshold && between > limit(Limit::same_optimum) && between > drift;
}

bool Agreement::settled_apart(double rhat_threshold) const {
  return apart(rhat_threshold) && between > limit(Limit::settled_apart) * drift;
}

bool KlHat::drifting() const { return drift > ravi::limit(Limit::drift); }
bool KlHat::steady() const { return !drifting(); }

Vector mean_of(const std::vector<Vector>& lambdas, std::size_t first, std::size_t stride) {
  Vector sum = Vector::Zero(lambdas.front().size());
  for (std::size_t i = first; i < lambdas.size(); i += stride) sum += lambdas[i];
  return sum / static_cast<double>(lambdas.size() / stride);
}

double error_in_sds(double kl, Index dimension) {
  return std::sqrt(2 * kl / per_parameters(dimension));
}

double kl_of_error(double sds, Index dimension) {
  return sds * sds / 2 * per_parameters(dimension);
}

// For small deviations KL(q_a || q_b) = |x_a - x_b|^2 / 2 in coordinates x in which q has unit
// information, so that variances and covariances of parts can be had from divergences alone:
//   variance     v = sum_b KL(q_b || q) / (B - 1),  KL-hat = v / B,
//   correlation  c = 1 - mean_b KL(q_b || q_b+1) / (2 v)    (von Neumann 1941),
// and correlated parts know less: KL-hat (1 + c) / (1 - c).
KlHat kl_hat(const Iterates& iterates, const Approximation& prototype, Parts in,
             std::optional<Index> chain) {
  const std::vector<Vector> parts = averages(iterates, in.per_chain, chain);
  const std::vector<Vector> halves = averages(iterates, 2, chain);
  if (parts.empty()) return {};
  const auto kl = [&](const Vector& a, const Vector& b) {
    return prototype.member(a)->kl(*prototype.member(b));
  };
  const auto b = static_cast<double>(parts.size());
  const auto of_chain = static_cast<std::size_t>(in.per_chain);
  const Vector center = mean_of(parts);
  const Vector of_part = divergences(parts, center, prototype);
  if (!of_part.allFinite()) return {};

  const double noise = mean(of_part) / (b - 1);
  KlHat result{.value = noise, .correlation = 0};
  const double moved = kl(mean_of(halves, 0, 2), mean_of(halves, 1, 2));
  if (moved > 0) result.drift = moved / (4 * noise);
  if (!in.correlated || !(noise > 0)) {
    result.limit = kl_limit(noise, of_part);
    return result;
  }

  double successive = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i % of_chain > 0) successive += kl(parts[i - 1], parts[i]);
  }
  const std::size_t chains = parts.size() / of_chain;
  const double pairs = b - static_cast<double>(chains);
  result.correlation = 1 - successive / pairs / (2 * b * noise);
  const double c = std::clamp(result.correlation, 0.0, 0.99);
  result.value = noise * (1 + c) / (1 - c);
  result.limit = kl_limit(result.value, of_part);
  if (chains > 1) {
    std::vector<Vector> of_chains;
    for (auto own = parts.begin(); own != parts.end(); own += in.per_chain) {
      of_chains.push_back(mean_of({own, own + in.per_chain}));
    }
    const Vector among = divergences(of_chains, center, prototype);
    const double value = mean(among) / static_cast<double>(chains - 1);
    result.value = std::max(result.value, value);
    if (value > 0) result.limit = std::max(result.limit, kl_limit(value, among));
  }
  return result;
}

KlHat worse(const KlHat& a, const KlHat& b) {
  return {std::max(a.value, b.value), std::max(a.limit, b.limit), std::max(a.drift, b.drift),
          std::max(a.correlation, b.correlation)};
}

Agreement compare_chains(const Iterates& iterates, const Approximation& prototype) {
  const std::vector<Block> quarters = iterates.quarters();
  Agreement agreement;
  if (quarters.empty()) return agreement;

  agreement.rhat = largest(rhat_of_blocks(quarters));
  for (std::size_t c = 0; c < quarters.size(); c += 2) {
    const Vector &third = quarters[c].mean, &fourth = quarters[c + 1].mean;
    agreement.drift = std::max(agreement.drift,
                               symmetrized_kl(*prototype.member(third), *prototype.member(fourth)));
    agreement.chain_average.push_back((third + fourth) / 2);
  }
  compare(prototype, agreement);
  return agreement;
}

// Nothing varies within a point, so that R-hat is infinite where points differ by more than
// rounding.
Agreement compare_points(std::vector<Vector> of_chains, const Approximation& prototype) {
  Agreement agreement;
  agreement.chain_average = std::move(of_chains);
  compare(prototype, agreement);
  if (!(agreement.between > limit(Limit::same_optimum))) return agreement;
  const Vector& first = agreement.chain_average.front();
  Vector furthest = Vector::Zero(first.size());
  for (const Vector& other : agreement.chain_average) {
    furthest = furthest.cwiseMax((other - first).cwiseAbs());
  }
  agreement.rhat = {std::numeric_limits<double>::infinity(), largest(furthest).component};
  return agreement;
}

}  // namespace ravi
