// The one table of every number that decides a step or a verdict of the default method.
#include "limits/limits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#ifdef RAVI_SCALED_LIMITS
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <string>
#endif

namespace ravi {
namespace {

using enum Limit;

constexpr std::string_view kSensitivity = "bench/sensitivity";

constexpr std::array kTable = {
    LimitEntry{accurate_khat, "accurate-khat", 0.5,
               "k-hat below which q itself is close to the posterior, if its weights do not vary "
               "much",
               "Yao et al. 2018, section 3"},
    LimitEntry{longest_tail, "longest-tail", 0.7,
               "shape of a tail with which sums over draws do not settle, however many there are",
               "Vehtari et al. 2024, section 3.2"},
    LimitEntry{counting_draws, "counting-draws", 0.5,
               "share of q's draws that must count: effective ones for q to be close, and by the "
               "perplexity of their weights for these to be trusted",
               "derived: 1 / (1 + c^2) bounds errors of means by c sds, here 1; docs/method.md: "
               "errors of sds by perplexity"},
    LimitEntry{hardly_varying_ess, "hardly-varying-ess", 0.9,
               "effective share of q's draws above which k-hat says nothing",
               "derived: as before, c = 1/3, and far less as a rule"},
    LimitEntry{unseen_mass, "unseen-mass", 0.1, "share of the posterior's mass that draws may miss",
               "derived: a tenth of the mass, three sds out, moves a mean by 0.3 sds"},
    LimitEntry{firm_unseen_mass, "firm-unseen-mass", 0.01,
               "... where there are fewer draws than the tail needs; and what lies in a tail",
               kSensitivity},
    LimitEntry{unseen_variance, "unseen-variance", 0.2,
               "share of a variance that a thousand times as many draws would add",
               "derived: an sd is too small by a factor of 1.12"},
    LimitEntry{coarse, "coarse", 0.1,
               "resolution of log p, in its sds under q, with which weights are rounding errors",
               kSensitivity},
    LimitEntry{share_of_q, "share-of-q", 0.98,
               "share of the evidence that q's own draws see below which other modes count",
               kSensitivity},
    LimitEntry{first_look, "first-look", 2, "quarters of S that are first drawn of q",
               kSensitivity},
    LimitEntry{full_look, "full-look", 8,
               "... and of q and of wide distributions each where that is not enough",
               "docs/method.md: errors of sds with one batch of wide ones and with two"},
    LimitEntry{further_looks, "further-looks", 3,
               "further looks, as many draws again, where mass may be missed", kSensitivity},
    LimitEntry{wide_degrees, "wide-degrees", 4, "degrees of freedom of wide draws", kSensitivity},
    LimitEntry{draws_of_moments, "draws-of-moments", 10,
               "effective draws, or pairs, for every coordinate that tell a covariance",
               kSensitivity},
    LimitEntry{far_out, "far-out", 64,
               "factor by which draws are moved outwards to see how the density falls",
               "tests/scoring/tails_test.cpp: shapes of known tails within a tenth"},
    LimitEntry{most_varied, "most-varied", 1e4,
               "variance of log p for every coordinate that no posterior has", kSensitivity},
    LimitEntry{moved_draws, "moved-draws", 1000, "draws that are moved",
               "derived: errors of means of 0.03 sds at the most"},
    LimitEntry{moved_tempering, "moved-tempering", 0.25,
               "power of the weights by which half of them are chosen", kSensitivity},
    LimitEntry{few_moves, "few-moves", 4,
               "transitions before scales are learned, twice, and between draws that are kept, of "
               "which a round has as many",
               kSensitivity},
    LimitEntry{moved_accepted, "moved-accepted", 0.9,
               "share of first tries that steps are made for", kSensitivity},
    LimitEntry{trajectory_steps, "trajectory-steps", 64, "steps of a trajectory at the most",
               kSensitivity},
    LimitEntry{tries, "tries", 2, "tries of a transition", "models/eight_schools_centered: necks"},
    LimitEntry{moved_superchains, "moved-superchains", 20,
               "groups of moved draws that began a round near each other", kSensitivity},
    LimitEntry{moved_rhat, "moved-rhat", 1.01,
               "nested R-hat of moved draws, but for noise, with which they have forgotten where "
               "they were",
               "Vehtari et al. 2021, section 4"},
    LimitEntry{tail_index, "tail-index", 1,
               "tail index of iterates from which on an average is not trusted",
               "Dhaka et al. 2020, Algorithm 1, line 9"},
    LimitEntry{error_rate, "error-rate", 0.05,
               "how often noise alone may pass a limit on the worst of many, or an error its bound",
               "convention"},
    LimitEntry{failed_draws, "failed-draws", 0.2,
               "share of draws whose density cannot be computed with which a batch is not usable, "
               "nor a fit",
               kSensitivity},
    LimitEntry{same_optimum, "same-optimum", 1,
               "symmetrized divergence below which two q are one optimum",
               "derived: that of unit normals at distance 1"},
    LimitEntry{settled_apart, "settled-apart", 5,
               "distance of chains, over their drift, with which they are apart for good",
               "tests/statistics/agreement_test.cpp: above 100 for chains in two modes"},
    LimitEntry{negligible_mass, "negligible-mass", 0.001,
               "share of the mass with which an optimum is left out", kSensitivity},
    LimitEntry{fall_between, "fall-between", 0.1,
               "nats that log p may fall between two points that are connected", kSensitivity},
    LimitEntry{points_between, "points-between", 15, "points between two at which that is asked",
               kSensitivity},
    LimitEntry{drift, "drift", 2,
               "KL divergence of the halves of a run, over what noise makes of it, beyond which "
               "they drift",
               kSensitivity},
    LimitEntry{parts_of_chain, "parts-of-chain", 4,
               "parts of a chain whose averages tell the error of theirs", kSensitivity},
    LimitEntry{enough_for_error, "enough-for-error", 32,
               "draws, or blocks of a long record, that tell an error", "derived: to an eighth"},
    LimitEntry{gradient_tolerance, "gradient-tolerance", 0.02,
               "relative difference of a slope from differences of the density, and of these from "
               "each other, that may be",
               "solvers of differential equations get within 0.001 (models/pharmacokinetics)"},
    LimitEntry{most_steps, "most-steps", 200,
               "gradients of a climb, and windows of a round, at the most; of a search twice",
               kSensitivity},
    LimitEntry{climb_steps, "climb-steps", 10,
               "last steps of a climb, which tell its curvature and whether it still gains",
               "Nocedal and Wright 2006, section 7.2: 3 to 20"},
    LimitEntry{worth, "worth", 1e-3,
               "nats that no further step is for: what the last ones of a climb gained, how far a "
               "search is from its optimum; for every coordinate, a moved anchor",
               kSensitivity},
    LimitEntry{step_factor, "step-factor", 4,
               "factor by which a step of a climb, or a variance, may grow at once where nothing "
               "tells, and by which steps are shorter where they failed",
               "Modi et al. 2024 of tries"},
    LimitEntry{least_draws, "least-draws", 12,
               "draws that are asked at the least: of a batch, a stop of a climb, a tail",
               kSensitivity},
    LimitEntry{draws_per_coordinate, "draws-per-coordinate", 1.25,
               "draws of a batch for every coefficient of a regression", kSensitivity},
    LimitEntry{ridge, "ridge", 0.01,
               "ridge of the regression at the most; otherwise it is the nonlinearity",
               kSensitivity},
    LimitEntry{most_change, "most-change", 100,
               "factor by which a variance may shrink in one step, and one of a q that cannot "
               "follow E grow",
               kSensitivity},
    LimitEntry{search_patience, "search-patience", 6,
               "steps without progress before a search near the optimum has stalled; twice as many "
               "elsewhere, and returns to the best q, anchors, and rescues of chains at the most",
               kSensitivity},
    LimitEntry{bent_upwards, "bent-upwards", 1.5,
               "eigenvalue of E from which on p bends upwards within q", kSensitivity},
    LimitEntry{bent_cap, "bent-cap", 0.2, "eigenvalue of E at the most, there", kSensitivity},
    LimitEntry{nonlinearity_allowed, "nonlinearity-allowed", 0.01,
               "nonlinearity up to which a variance may grow in one step", kSensitivity},
    LimitEntry{exact, "exact", 1e-6,
               "nats that are rounding: what log p - log q varies by, or a divergence",
               kSensitivity},
    LimitEntry{first_step, "first-step", 0.5,
               "first step of averaging at the least, or 1 less the root of the nonlinearity",
               "some seeds of the eight schools leave the optimum with longer ones"},
    LimitEntry{most_rounds, "most-rounds", 4,
               "rounds of averaging by second-order steps, and of moves, at the most",
               kSensitivity},
    LimitEntry{lost, "lost", 3,
               "sds, beyond one for every coordinate where it is an ELBO that tells, by which what "
               "is off has left the optimum",
               kSensitivity},
    LimitEntry{share_for_error, "share-for-error", 0.5,
               "of the divergence that is allowed, the part that is for errors of averages; half "
               "of it is for their bias",
               "derived: room for a bias that falls as the square root of the step"},
    LimitEntry{start_scale, "start-scale", 0.01, "sds of the first q of a search",
               "bench/hostile, core_p2_hundredth: with 0.1 the core is lost"},
    LimitEntry{starts_per_chain, "starts-per-chain", 3,
               "starts for every chain; at all of them the gradient is compared", kSensitivity},
    LimitEntry{scouts, "scouts", 64, "points that are looked at far from q, and far from starts",
               kSensitivity},
    LimitEntry{scout_distance, "scout-distance", 3, "how many times as far",
               "models/pharmacokinetics: 5 took a hundred times as long"},
    LimitEntry{dense_coordinates, "dense-coordinates", 1500,
               "coordinates up to which P^3 operations are done, and quantities whose tails are "
               "looked at",
               "derived: P^3 operations take seconds"},
    LimitEntry{rows_per_coordinate, "rows-per-coordinate", 16,
               "rows of a mini-batch for every coordinate",
               "tests/algorithm/mini_batches_test.cpp: errors of 0.02 sds, and 0.12 with 4"},
    LimitEntry{bend_coordinates, "bend-coordinates", 150, "coordinates up to which a q is bent",
               "P^4 operations: a second"},
    LimitEntry{bend_draws, "bend-draws", 300, "gradients of a batch of bending at the least",
               kSensitivity},
    LimitEntry{bend_draws_per_coordinate, "bend-draws-per-coordinate", 6,
               "gradients that tell the drivers, for every coordinate", kSensitivity},
    LimitEntry{bend_worth, "bend-worth", 0.1,
               "nats of KL by third derivatives that drivers may leave to others", kSensitivity},
    LimitEntry{bend_left, "bend-left", 0.3,
               "nats left by all drivers from which on nothing is bent", kSensitivity},
    LimitEntry{bend_batches, "bend-batches", 8, "batches of bending at the most", kSensitivity},
    LimitEntry{bend_face, "bend-face", 5.5,
               "nats below its top that the density of a driver must be where draws of it end",
               "derived: three sds of a normal, and one"},
    LimitEntry{bend_perplexity, "bend-perplexity", 0.8,
               "share of its draws that must count for a bent q to be the answer", kSensitivity},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kTable.size(); ++i) {
    if (static_cast<std::size_t>(kTable[i].limit) != i) return false;
  }
  return true;
}
static_assert(in_order() && static_cast<std::size_t>(bend_perplexity) + 1 == kTable.size(),
              "the table has one row for every limit, in their order");

#ifdef RAVI_SCALED_LIMITS
// The table with one of them scaled, and which of them were looked at: written to the file that
// RAVI_LIMITS_READ names when the program ends.
class ScaledTable {
 public:
  ScaledTable() {
    std::ranges::transform(kTable, value_.begin(), &LimitEntry::value);
    const char* variable = std::getenv("RAVI_SCALED_LIMIT");
    const std::string text = variable == nullptr ? "" : variable;
    if (text.empty()) return;
    const std::size_t split = text.find('=');
    const auto row = std::ranges::find(kTable, text.substr(0, split), &LimitEntry::name);
    // Misspelled, it would say that nothing changes.
    if (split == std::string::npos || row == kTable.end()) std::abort();
    value_[static_cast<std::size_t>(row - kTable.begin())] *= std::stod(text.substr(split + 1));
  }
  ~ScaledTable() {
    const char* file = std::getenv("RAVI_LIMITS_READ");
    if (file == nullptr) return;
    std::ofstream out(file);
    for (std::size_t i = 0; i < kTable.size(); ++i) {
      if (read_[i]) out << kTable[i].name << '\n';
    }
  }
  ScaledTable(const ScaledTable&) = delete;
  ScaledTable& operator=(const ScaledTable&) = delete;

  double operator[](Limit which) {
    const auto i = static_cast<std::size_t>(which);
    read_[i] = true;
    return value_[i];
  }

 private:
  std::array<double, kTable.size()> value_{};
  std::array<std::atomic<bool>, kTable.size()> read_{};
};

double value_of(Limit which) {
  static ScaledTable table;
  return table[which];
}
#else
double value_of(Limit which) { return kTable[static_cast<std::size_t>(which)].value; }
#endif

}  // namespace

std::span<const LimitEntry> limit_table() { return kTable; }

double limit(Limit which) { return value_of(which); }

// Scaled, by one at the least.
Index count(Limit which) {
  const double of_table = kTable[static_cast<std::size_t>(which)].value, value = value_of(which);
  const auto nearest = static_cast<Index>(std::lround(value));
  const bool lost = value != of_table && nearest == std::lround(of_table);
  return std::max<Index>(1, lost ? nearest + (value > of_table ? 1 : -1) : nearest);
}

}  // namespace ravi
