// How good an approximation q is: its ELBO, k-hat, and posterior summaries by importance sampling.
#pragma once

#include "family/approximation.hpp"
#include "ravi/fit.hpp"

namespace ravi {

// min(1 - 1/log10(S), 0.7): with S draws, a k-hat above it means that importance sampling has not
// reached its asymptotic regime (Vehtari et al. 2024, section 3.2).
double khat_threshold(Index draws);

// Below this k-hat q itself, unweighted, is close to the posterior (Yao et al. 2018, section 3),
// unless the weights vary a lot all the same; and where they hardly vary, q is close whatever the
// shape of their tail. With an effective sample size of S / (1 + c^2), no mean under q is further
// than c standard deviations from the weighted one (Cauchy and Schwarz), and far less as a rule.
inline constexpr double kAccurateKhat = 0.5;
inline constexpr double kVaryingEss = 0.5, kHardlyVaryingEss = 0.9;  // of S

// k-hat of one batch has a standard error of about (1 + k) / sqrt(tail length), 0.11 at k = 0.5 and
// S = 4000, so the median of a few batches is reported, with their quartiles; unless most draws of
// the first count and its k-hat is low, or its weights hardly vary, so that k-hat decides nothing,
// and a wide one (proposal.hpp) finds nothing that was missed. Rounds of further ones, each with a
// wide one, are drawn unless the first leave no doubt: little mass can be missed, and either q's
// own tail is short, or its weights hardly vary, or the tail of the weights of all draws is short.
// There are only these looks: stopping at the first good one of many would be choosing.
inline constexpr Index kFirstOfQ = 3, kFirstWide = 1;
inline constexpr double kOneLookEss = 0.7;
inline constexpr Index kRounds = 3, kRoundOfQ = 2, kRoundWide = 1;
inline constexpr double kFirmKhat = 0.6, kFirmUnseenMass = kUnseenMassLimit / 10;

// The share of the mass that draws may miss. A tail of shape k needs 10^(1 / (1 - k)) draws before
// sums over it settle (Vehtari et al. 2024); short of that the estimate of the share is trusted
// only where it is very small: centered eight schools were seen with 0.05, and means off by half an
// sd. Likewise of a variance: of 80 seeds of a Cauchy, which has none, the smallest share was 0.26,
// and the largest of posteriors with long tails that have one (models/, bench/posteriors/) 0.14.
inline constexpr double kFirmUnseenVariance = 0.2;
// Moved draws have no weights to blame: their largest share was 0.04 where a variance exists, and
// 0.07 and 0.10 of a t with one degree of freedom and of a Cauchy that moved as if it did.
inline constexpr double kMovedUnseenVariance = 0.05;
double unseen_mass_limit(const Answer& answer);
double unseen_variance_limit(const Answer& answer);

// Weights under which fewer of the draws count than this share are not to be trusted. Nor are those
// of wide draws where hardly any of q's own count: what bends away from q in many coordinates at
// once, such as a scale with the effects that shrink as it grows, is then drawn by neither, and
// nothing is seen to be missing, whatever k-hat (bench/posteriors/crossed_ratings: an sd 1.5 times
// too small; clinical_trials: 1.2 times, with a k-hat below 0.7).
inline constexpr double kFewestEffective = 0.02, kFewestOfQ = 0.05;

enum class Detail { score_only, summaries };

// Draws are addressed by (seed, which); log densities that cannot be computed have weight zero.
Answer score(const Model& model, const Approximation& q, const Options& options,
             std::uint32_t which, Detail detail);

// Resamples the draws of an answer by their weights, computes what the model's parameter_names()
// name for each, and summarizes it.
void summarize_draws(const Model& model, const Approximation& q, const Options& options,
                     std::uint32_t which, Answer& answer);

// The memory that scoring takes at the most, in bytes.
double bytes_for_scores(Index dimension, Index quantities, const Options& options);

// A finding when some quantity of the answer could not be computed; the worst one is named.
std::vector<Finding> judge_quantities(const Answer& answer);

ReferenceScore compare_with(const Reference& reference, const Approximation& q);

}  // namespace ravi
