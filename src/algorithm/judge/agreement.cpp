// Whether the chains have come to the same answer.
#include "algorithm/judge/agreement.hpp"

#include <algorithm>
#include <cmath>

#include "core/numeric.hpp"
#include "diagnostics/ranks.hpp"
#include "limits/limits.hpp"

namespace ravi {
namespace {

// Long parts, so that one hardly knows of the next: 4 per chain.
constexpr Index kParts = 4;

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

double error_in_sds(double kl, Index dimension) {
  return std::sqrt(2 * kl / std::max(1.0, static_cast<double>(dimension) / 50));
}

bool drifting(const Iterates& iterates, const Approximation& prototype, double kl_hat) {
  const std::vector<Block> parts = iterates.parts(2);
  if (parts.empty()) return false;
  Vector first = Vector::Zero(iterates.size()), second = first;
  for (std::size_t i = 0; i < parts.size(); i += 2) {
    first += parts[i].mean;
    second += parts[i + 1].mean;
  }
  const auto chains = static_cast<double>(iterates.chains());
  return prototype.member(first / chains)->kl(*prototype.member(second / chains)) > 8 * kl_hat;
}

KlHat kl_hat(const Iterates& iterates, const Approximation& prototype) {
  const std::vector<Block> parts = iterates.parts(kParts);
  if (parts.empty()) return {};
  Vector sum = Vector::Zero(iterates.size());
  for (const Block& part : parts) sum += part.mean;
  const auto b = static_cast<double>(parts.size());
  const auto center = prototype.member(sum / b);
  Vector of_part(static_cast<Index>(parts.size()));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    of_part(static_cast<Index>(i)) = prototype.member(parts[i].mean)->kl(*center);
  }
  const double value = mean(of_part) / (b - 1);
  return {value, kl_limit(value, of_part)};
}

// A sum of squares with n degrees of freedom varies by (2 / n)^(1/2) of its mean.
double kl_limit(double kl_hat, const Vector& of_parts) {
  const auto b = static_cast<double>(of_parts.size());
  const double n = std::max(1.0, 2 * std::pow(mean(of_parts), 2) / variance(of_parts));
  return kl_hat * f_quantile(1 - limit(Limit::error_rate), n, n * (b - 1));
}

Agreement compare_chains(const Iterates& iterates, const Approximation& prototype) {
  const std::vector<Block> quarters = iterates.quarters();
  Agreement agreement;
  if (quarters.empty()) return agreement;

  agreement.rhat = largest(rhat_of_blocks(quarters));

  std::vector<std::unique_ptr<Approximation>> chains;
  for (std::size_t c = 0; c < quarters.size(); c += 2) {
    const Vector &third = quarters[c].mean, &fourth = quarters[c + 1].mean;
    agreement.drift = std::max(agreement.drift,
                               symmetrized_kl(*prototype.member(third), *prototype.member(fourth)));
    agreement.chain_average.push_back((third + fourth) / 2);
    chains.push_back(prototype.member(agreement.chain_average.back()));
  }
  std::vector<const Approximation*> modes;
  for (const auto& q : chains) {
    auto same = std::ranges::find_if(
        modes, [&](const Approximation* mode) { return same_optimum(*mode, *q); });
    if (same == modes.end()) same = modes.insert(modes.end(), q.get());
    agreement.mode_of_chain.push_back(static_cast<int>(same - modes.begin()) + 1);
  }
  for (const auto& a : chains) {
    for (const auto& b : chains) {
      if (&a < &b) agreement.between = std::max(agreement.between, symmetrized_kl(*a, *b));
    }
  }
  return agreement;
}

}  // namespace ravi
