// Answers in different places: how much of the mass each holds, and whether they are one region.
#include "algorithm/judge/modes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/numeric.hpp"
#include "limits/limits.hpp"

namespace ravi {
namespace {

// Whether log p does not fall between two points, on the line from one to the other.
bool connected(const Model& model, const Vector& a, const Vector& b) {
  Matrix line(a.size(), count(Limit::points_between) + 2);
  for (Index i = 0; i < line.cols(); ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(line.cols() - 1);
    line.col(i) = (1 - part) * a + part * b;
  }
  Vector values(line.cols());
  model.log_density(line, values);
  if (!values.allFinite()) return false;
  return values.minCoeff() >
         std::min(values(0), values(values.size() - 1)) - limit(Limit::fall_between);
}

}  // namespace

void weigh_modes(const std::vector<int>& mode_of_chain, std::vector<Answer>& chains) {
  const int modes = std::ranges::max(mode_of_chain);
  Vector evidence(modes);
  for (int m = 1; m <= modes; ++m) {
    std::vector<double> of_chains;
    for (std::size_t j = 0; j < chains.size(); ++j) {
      if (mode_of_chain[j] == m) of_chains.push_back(chains[j].log_evidence);
    }
    evidence(m - 1) = std::accumulate(of_chains.begin(), of_chains.end(), 0.0) /
                      static_cast<double>(of_chains.size());
  }
  const double all = log_sum_exp(evidence);
  for (std::size_t j = 0; j < chains.size(); ++j) {
    chains[j].mode = mode_of_chain[j];
    chains[j].mode_weight = std::exp(evidence(mode_of_chain[j] - 1) - all);
  }
}

bool one_region(const Model& model, const std::vector<Answer>& chains) {
  return std::ranges::all_of(chains, [&](const Answer& chain) {
    return chain.mode_weight > limit(Limit::negligible_mass) &&
           (chain.mode == chains.front().mode ||
            connected(model, chains.front().q.mean, chain.q.mean));
  });
}

std::size_t heaviest_of(const std::vector<Answer>& chains) {
  const auto found = std::ranges::max_element(chains, {}, &Answer::mode_weight);
  return static_cast<std::size_t>(found - chains.begin());
}

}  // namespace ravi
