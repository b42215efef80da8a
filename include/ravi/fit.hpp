// fit(): options in, a Fit out. A Fit holds the answer, how it was found and whether to trust it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ravi/findings.hpp"
#include "ravi/model.hpp"
#include "ravi/options.hpp"

namespace ravi {

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// A posterior quantity in the user's terms.
struct ParameterSummary {
  std::string name = {};
  double mean = kUnknown, sd = kUnknown;
  double q5 = kUnknown, q50 = kUnknown, q95 = kUnknown;
  double mcse = kUnknown;  // Monte Carlo standard errors, of the mean
  double mcse_sd = kUnknown, mcse_q5 = kUnknown, mcse_q50 = kUnknown, mcse_q95 = kUnknown;
  double not_finite = 0;   // share of the draws where it is not, which the others leave out
  bool sd_trusted = true;  // false: it rests on too few draws, or does not exist

  // Significant digits of the mean that two standard errors leave untouched.
  int digits() const;
};

// Moments of q on the unconstrained scale. A mean-field q has its sds in scale and no cov.
struct Gaussian {
  std::string family;
  Vector mean = {};
  Matrix cov = {};
  Vector scale = {};
};

// Distance of q to a reference posterior: D_mu = |mu - mu_q|, D_Sigma = |Sigma - Sigma_q|^(1/2) in
// the spectral norm, KL(q || Gaussian with the reference's moments).
struct ReferenceScore {
  double d_mu = kUnknown, d_sigma = kUnknown, kl = kUnknown;
};

// Draws of q, of other optima where there are some, and of t distributions wider than q, with what
// importance sampling needs; columns are draws, those of q first. Where draws were moved, those
// take the place of all but some of q's; they have one weight, and q's have none.
struct WeightedDraws {
  Matrix theta;
  Matrix quantities = {};      // what the model's parameter_names() name
  Index from_q = 0;            // how many of them are from q
  Index plain = 0;             // the first of those: what unweighted_parameters rest on
  Index group = 2;             // consecutive draws that depend on each other: pairs z and -z, or
                               // one that was moved, each time it was kept
  Vector log_density, log_q;   // -inf log density: the model could not compute it there
  Vector log_proposal;         // of the mixture that all are draws from; of p if moved
  Vector log_weights;          // Pareto smoothed, normalized: exp() sums to one
  Vector share_of_minor = {};  // of the mixture's density, that of optima with next to no mass
  Matrix share_of_mode = {};  // of the density of a q with several, each one's; a row for each draw
  std::vector<Index> resampled = {};  // as many draws again, chosen by weight
};

// What Hamiltonian transitions did to draws whose weights were not to be trusted.
struct Moves {
  Index draws = 0, transitions = 0;  // so many of each draw
  std::int64_t gradient_evaluations = 0;
  // The largest nested R-hat of their last round, and what it had to be below.
  double rhat = kUnknown, rhat_limit = kUnknown;
  bool kept = false;  // the answer rests on the moved draws
};

// What a parameter that drives others does to one of them, as it goes from its 10 % to its 90 %
// quantile.
struct Driven {
  std::string name = {};
  double sd_factor = kUnknown;  // what the sd is multiplied by
  double curve = kUnknown;      // how far its mean leaves a straight line, in sds
};
struct Driver {
  std::string name = {};
  std::vector<Driven> driven = {};  // those of which that is much
};

// A Gaussian that bends, which took the place of one whose weights were not to be trusted.
struct Bending {
  std::int64_t gradient_evaluations = 0;
  double divergence = kUnknown;  // symmetrized, of two that know nothing of each other
  std::vector<Driver> drivers = {};
  bool kept = false;  // q is that one
};

// One mode of a q that is a mixture, and what the answer says of it alone. Components that share
// more than a tenth of what one of them holds are one mode.
struct ModeSummary {
  Gaussian q = {};                   // the components there, together
  std::vector<int> components = {};  // which those are, from 1
  double mass = kUnknown, mass_error = kUnknown;
  int seen = 0;                  // starts of searches that came to it
  std::vector<int> chains = {};  // around it, from 1
  int exchanged = 0;             // the mode, from 1, that this one is with its indices permuted
  std::vector<int> permutation = {};  // ... index i here is index permutation[i - 1] there
  std::vector<ParameterSummary> parameters = {};
};

// One approximation q of the posterior, and its score.
struct Answer {
  Gaussian q = {};
  double elbo = kUnknown, elbo_mcse = kUnknown;
  double khat = kUnknown;                            // median over the PSIS batches
  double khat_low = kUnknown, khat_high = kUnknown;  // their quartiles
  double efficiency = kUnknown;      // ESS of q's own draws under their weights, over S
  double perplexity = kUnknown;      // exp of their entropy, over S: about exp(-KL(p || q))
  Index importance_draws = 0;        // with those of wider distributions and other optima
  double importance_ess = kUnknown;  // of those under their weights
  double unseen_mass = kUnknown;     // share of the posterior they may have missed
  double share_of_q = kUnknown;      // of the evidence of all of them, what q's own account for
  double coarseness = kUnknown;      // resolution of log p, over its sd among the draws
  // Likewise of a variance that is reported, or of one on the unconstrained scale if that is less.
  double unseen_variance = kUnknown;
  // 1 / nu where the mass of a reported quantity beyond x falls like x^-nu: from 1 on it has no
  // mean, from 1/2 on no variance. 0 where none of them has a long tail.
  double tail_shape = kUnknown;
  Index draws_kept = 0;                           // those that summaries and files rest on
  Index resampled_distinct = 0;                   // among as many as have weight, chosen by it
  double log_evidence = kUnknown;                 // log of the mean weight
  bool weighted = false;                          // the weights, or moves, correct q
  std::vector<ParameterSummary> parameters = {};  // by weight where weighted, else those of q
  std::vector<ParameterSummary> unweighted_parameters = {};
  std::string why_not_finite = {};  // the model's words where a quantity is not finite
  std::optional<ReferenceScore> reference = {};
  // Where q is a mixture, the one with the most mass first; empty otherwise.
  std::vector<ModeSummary> modes = {};
  std::optional<Bending> bending = {};  // where the weights of a Gaussian would not do
  std::optional<Moves> moves = {};      // where weights alone would not do
  // The draws are moved ones, after some of q without weight.
  bool moved() const { return moves && moves->kept; }
  WeightedDraws draws = {};
  // When the chains disagree: which optimum this one is in, from 1, and how much of the posterior's
  // mass that one holds, by its evidence.
  int mode = 0;
  double mode_weight = kUnknown;
};

// The state of things at one check; the optimization trace is a list of these.
struct Check {
  long iteration = 0;
  double elbo = kUnknown;  // mean over the window and the chains
  double rhat_max = kUnknown;
  double mcse_median = kUnknown;
  double ess_min = kUnknown;
  double error = kUnknown;  // of the average: its distance to the best q is below, in sds
};

// ELBO estimates along a chain or a search, in as many points as a picture can show: each is the
// mean over `every` iterations, the last one perhaps over fewer.
struct ElboTrace {
  long every = 1;
  std::vector<double> elbo = {};
};

// One component of lambda: what its iterates since T_0 say.
struct Component {
  std::string name = {};
  double rhat = kUnknown, ess = kUnknown, mcse = kUnknown, tail_index = kUnknown;
  long every = 1;                            // iterations per lag
  std::vector<double> autocorrelation = {};  // at lags 0, 1, 2, ..., mean over the chains
};

// The whole, and its parts, which add up to it. Writing files comes after a fit, and is no part.
struct Timing {
  double seconds = 0;
  double search_seconds = 0;       // towards the optimum
  double averaging_seconds = 0;    // around it
  double diagnostics_seconds = 0;  // judging the iterates
  double scoring_seconds = 0;      // importance sampling and summaries
  double bending_seconds = 0;      // of q
  double moving_seconds = 0;       // of draws
  int threads = 1;
};

// Calls visit(name, seconds) for every part.
template <typename TimingLike, typename Visitor>
void visit_parts(TimingLike& timing, Visitor&& visit) {
  visit("search", timing.search_seconds);
  visit("averaging", timing.averaging_seconds);
  visit("diagnostics", timing.diagnostics_seconds);
  visit("scoring", timing.scoring_seconds);
  visit("bending", timing.bending_seconds);
  visit("moving", timing.moving_seconds);
}

// Densities that were computed, with their gradients but for those of scoring.
struct Cost {
  std::int64_t search = 0, averaging = 0, scoring = 0, bending = 0, moving = 0;
};

// Calls visit(name, count) for every part.
template <typename CostLike, typename Visitor>
void visit_cost(CostLike& cost, Visitor&& visit) {
  visit("search", cost.search);
  visit("averaging", cost.averaging);
  visit("scoring", cost.scoring);
  visit("bending", cost.bending);
  visit("moving", cost.moving);
}

// Where a fit comes from; what is not known is empty.
struct Provenance {
  // A file by its path, or data that were handed over without one, and a hash of the content.
  struct Source {
    std::string path = {}, hash = {};
  };
  std::string version = {};               // of ravi
  std::string created_at = {};            // in UTC, as ISO 8601 writes it
  std::string interface = {};             // "c++", "python" or "command line"
  std::vector<std::string> command = {};  // the words of the command line
  std::string platform = {};              // system and processor
  Source program = {}, data = {};
};

struct Fit {
  std::string model = {};
  Index dimension = 0;
  Options options = {};

  Verdict verdict = Verdict::failed;
  Termination termination = Termination::diverged;
  std::vector<Finding> findings = {};

  long iterations = 0;                                      // of every chain
  long averaging_started_at = -1;                           // T_0; -1: it never did
  std::int64_t gradient_evaluations = 0, failed_draws = 0;  // over all chains

  double rhat_max = kUnknown, rhat_limit = kUnknown;
  std::string rhat_parameter = {};
  // The distance of the average to the best q is below this, in sds, with a confidence of 95 %.
  double error = kUnknown;
  double mcse_median = kUnknown, mcse_max = kUnknown;
  double ess_min = kUnknown, ess_limit = kUnknown;
  double tail_index_max = kUnknown, tail_index_limit = kUnknown;
  double khat_threshold = kUnknown;

  // The answer: the average of the iterates. Absent when the chains disagree or have failed.
  std::optional<Answer> average = {};
  // Chain 1 where it stopped, for comparison; absent when nothing finite was found. Scored only by
  // a method whose last iterate is of interest.
  std::optional<Answer> last_iterate = {};
  // Each chain's own answer when the chains disagree, otherwise empty.
  std::vector<Answer> chains = {};

  std::vector<Check> trace = {};
  std::vector<ElboTrace> search_elbo = {};  // of every start that was searched from
  std::vector<ElboTrace> chain_elbo = {};
  std::vector<Component> components =
      {};  // those with the largest R-hat, fewest ESS, longest tails
  Timing timing = {};
  Cost cost = {};
  Provenance provenance = {};
};

inline std::string advice(const Finding& finding, const Fit& fit) {
  return advice(finding, fit.options, fit.termination);
}

// Posterior moments to score against, unconstrained, in the model's order.
struct Reference {
  std::vector<std::string> parameters;
  Vector mean = {};
  Matrix cov = {};
};

enum class Phase { searching, averaging, scoring, bending, moving };
std::string_view name(Phase phase);

struct Progress {
  Phase phase = Phase::searching;
  Check check = {};
  std::string rhat_parameter = {};
  double rhat_limit = kUnknown, ess_limit = kUnknown;  // what its R-hat and ESS must pass
  // How much of the phase is done, of how much at the most, and in what units; 0 of 0 where that
  // is not known.
  long done = 0, most = 0;
  std::string_view unit = {};
  std::int64_t evaluations = 0;  // densities, with gradient or without, since the phase began
};

// A caller's view into a running fit. Neither member changes the answer, except that a fit that
// was asked to stop ends early, and says so.
struct Observer {
  // Called in the thread that called fit(), whenever it is about to compute densities: often.
  std::function<void(const Progress&)> progress = {};
  const std::atomic<bool>* stop_requested = nullptr;  // looked at in every iteration
};

// Throws UsageError when the options do not fit together or the model; everything that goes wrong
// later is a finding in the result.
Fit fit(const Model& model, const Options& options = {}, const Observer& observer = {},
        const Reference* reference = nullptr);

}  // namespace ravi
