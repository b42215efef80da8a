// How good an approximation q is: its ELBO, k-hat, and posterior summaries by importance sampling.
#pragma once

#include "ravi/fit.hpp"
#include "scoring/proposal.hpp"
#include "scoring/summarize.hpp"

namespace ravi {

// How many draws may be kept, with theta and the quantities of each.
Index most_kept(Index dimension, Index quantities);

enum class Detail { score_only, summaries };

// What is known of q besides itself.
struct Background {
  // Other optima with mass: draws of theirs are among those that are weighted.
  std::vector<const Transport*> others = {};
  // Averages over parts of the run, whose mean q is: how much they differ is the error of q.
  PartsOfRun parts = {};
  double least_error = 0;  // of q's means, in its sds, where the parts do not differ
};

// Draws are addressed by (seed, which); log densities that cannot be computed have weight zero. Of
// several components q is the mixture, each with the weight that the draws say it has, and a mode.
Answer score(const Model& model, const Components& q, const Options& options, std::uint32_t which,
             Detail detail, const Background& background = {});

inline Answer score(const Model& model, const Transport& q, const Options& options,
                    std::uint32_t which, Detail detail, const Background& background = {}) {
  return score(model, Components{&q}, options, which, detail, background);
}

// How many densities that takes at the most, besides those around other optima.
Index most_importance_draws(const Options& options);

// The memory that scoring takes at the most, in bytes.
double bytes_for_scores(Index dimension, Index quantities, const Options& options);

ReferenceScore compare_with(const Reference& reference, const Gaussian& q);
inline ReferenceScore compare_with(const Reference& reference, const Transport& q) {
  return compare_with(reference, q.moments());
}

}  // namespace ravi
