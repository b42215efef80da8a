// First-order steps from narrow starts.
#include "algorithm/robust/first_order.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "algorithm/chains/starts.hpp"
#include "core/numeric.hpp"
#include "limits/limits.hpp"

namespace ravi {
namespace {

// Twice as many as elsewhere, because parts know of each other.
Index parts_of_round() { return 2 * count(Limit::parts_of_chain); }
constexpr Index kUnlimited = Index{1} << 20;  // more than --max-iterations leaves

// Checks after 16, 32, 48, 64, 96, 128, 192, ... windows of a round, whose second half the blocks
// of Iterates divide into equal parts.
Index next_check(Index kept) {
  const auto windows = static_cast<std::size_t>(parts_of_round() + kept);
  return kept + std::max(2 * parts_of_round(), static_cast<Index>(std::bit_floor(windows) / 2));
}

}  // namespace

// A step of Adam is about eta long in every component, so that its length in units of q is eta
// K^(1/2), and it changes q by a KL divergence of eta^2 K / 2: the first eta keeps that below 1/2.
// Small steps leave their start slowly and remember it; that they move q by their sign more than by
// their size leaves a bias, which falls with eta.
Pace FirstOrder::pace() const {
  const double safe = 1 / std::sqrt(static_cast<double>(prototype_.size()));
  return {.first_step = std::min(options_.step_size, safe),
          .most_rounds = kUnlimited,
          .most_windows = kUnlimited,
          .forgetting = parts_of_round(),
          .first_check = parts_of_round(),
          .next_check = next_check,
          .parts = {.per_chain = parts_of_round(), .correlated = true},
          .biased = true,
          .lost_beyond = kInf};
}

// The mean moves by eta at least, not eta standard deviations, in the first round, so that a narrow
// q gets where it should; by eta / 4 in the second, and so on, because smaller errors are left
// over.
void FirstOrder::begin(const Round& round) {
  if (!round.from_averages) widest_ = round.step;
  chains_.restart(round.start, round.step, std::pow(round.step / widest_, 2));
}

// A chain that can compute nothing where it began begins elsewhere; one that left all bounds goes
// back to where the round began, and takes smaller steps.
bool FirstOrder::recover(Round& round) {
  if (rescues_ == 2 * count(Limit::search_patience)) return false;
  ++rescues_;
  bool out_of_bounds = false;
  for (Index j = 0; j < options_.chains; ++j) {
    const std::optional<Breakdown>& broken = chains_.breakdown(j);
    if (!broken) continue;
    if (!round.from_averages && broken->code == FindingCode::density_not_computable) {
      round.start[static_cast<std::size_t>(j)] =
          narrow_start(prototype_, options_.seed, rescues_ * options_.chains + j);
    } else {
      out_of_bounds = true;
    }
  }
  if (out_of_bounds) round.step /= limit(Limit::step_factor);
  return true;
}

double FirstOrder::elbo() const { return mean(chains_.window_elbo()); }

}  // namespace ravi
