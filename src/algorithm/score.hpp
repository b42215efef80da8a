// How good an approximation q is: its ELBO, k-hat, and posterior summaries by importance sampling.
#pragma once

#include "family/approximation.hpp"
#include "ravi/fit.hpp"

namespace ravi {

// min(1 - 1/log10(S), 0.7): with S draws, a k-hat above it means that importance sampling has not
// reached its asymptotic regime (Vehtari et al. 2024, section 3.2).
double khat_threshold(Index draws);

// Below this k-hat q itself, unweighted, is close to the posterior (Yao et al. 2018, section 3).
inline constexpr double kAccurateKhat = 0.5;

enum class Detail { score_only, summaries };

// k-hat of one batch has a standard error of about (1 + k) / sqrt(tail length), 0.11 at k = 0.5 and
// S = 4000. The median of a few batches is reported, with their quartiles: of kFewBatches, and of
// up to kManyBatches as long as it lies so close to a limit that the verdict could change.
inline constexpr Index kFewBatches = 3, kManyBatches = 9;
inline constexpr double kFirmDistance = 0.25;

// Draws are addressed by (seed, which); log densities that cannot be computed have weight zero.
Answer score(const Model& model, const Approximation& q, const Options& options,
             std::uint32_t which, Detail detail);

// A finding when some quantity of the answer could not be computed; the worst one is named.
std::vector<Finding> judge_quantities(const Answer& answer);

ReferenceScore compare_with(const Reference& reference, const Approximation& q);

}  // namespace ravi
