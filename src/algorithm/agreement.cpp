// Whether the chains have come to the same answer.
#include "algorithm/agreement.hpp"

#include <algorithm>

#include "diagnostics/rhat.hpp"

namespace ravi {
namespace {

double symmetrized_kl(const Approximation& a, const Approximation& b) { return a.kl(b) + b.kl(a); }

}  // namespace

Agreement compare_chains(const Iterates& iterates, const Approximation& prototype) {
  const std::vector<Block> quarters = iterates.quarters();
  Agreement agreement;
  if (quarters.empty()) return agreement;

  const auto columns = static_cast<Index>(quarters.size());
  Matrix means(iterates.size(), columns), variances(iterates.size(), columns);
  for (Index c = 0; c < columns; ++c) {
    const Block& block = quarters[static_cast<std::size_t>(c)];
    means.col(c) = block.mean;
    variances.col(c) = block.squares / static_cast<double>(block.count - 1);
  }
  agreement.rhat = largest(rhat_of_moments(means, variances, quarters.front().count));

  std::vector<std::unique_ptr<Approximation>> chains;
  const auto member = [&](const Vector& lambda) {
    auto q = prototype.clone();
    q->assign(lambda);
    return q;
  };
  for (Index c = 0; c < columns; c += 2) {
    const double drift = symmetrized_kl(*member(means.col(c)), *member(means.col(c + 1)));
    agreement.drift = std::max(agreement.drift, drift);
    agreement.chain_average.push_back((means.col(c) + means.col(c + 1)) / 2);
    chains.push_back(member(agreement.chain_average.back()));
  }
  for (const auto& a : chains) {
    for (const auto& b : chains) {
      if (&a < &b) agreement.between = std::max(agreement.between, symmetrized_kl(*a, *b));
    }
  }
  return agreement;
}

}  // namespace ravi
