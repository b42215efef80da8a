// How many importance draws are enough, and whether their weights will do.
#pragma once

#include <vector>

#include "ravi/fit.hpp"

namespace ravi {

// min(1 - 1/log10(S), 0.7): with S draws, a k-hat above it means that importance sampling has not
// reached its asymptotic regime (Vehtari et al. 2024, section 3.2).
double khat_threshold(Index draws);

// Where weights hardly vary q is close to the posterior whatever the shape of their tail: with an
// effective sample size of S / (1 + c^2), no mean under q is further than c standard deviations
// from the weighted one (Cauchy and Schwarz), and far less as a rule. There is no tail of weights
// then, and k-hat says nothing: it is what a Pareto distribution makes of differences in the third
// digit.
bool weights_hardly_vary(const Answer& answer);
// ... nor is it far where k-hat is low and they do not vary much.
bool q_is_close(const Answer& answer);

// The share of the mass that draws may miss. A tail of shape k needs 10^(1 / (1 - k)) draws before
// sums over it settle (Vehtari et al. 2024); short of that the estimate of the share is trusted
// only where it is very small: centered eight schools were seen with 0.05, and means off by half an
// sd.
double unseen_mass_limit(const Answer& answer);

// Weights under which fewer of the draws count than this share are not to be trusted. Nor are those
// of wide draws where few of q's own count: what bends away from q in many coordinates at once,
// such as a scale with the effects that shrink as it grows, is then drawn by neither, and nothing
// is seen to be missing, whatever k-hat. How many count is told by the perplexity of q's weights:
// the smaller it is, the larger were the errors of weighted sds, 1.44 times at 0.18 to 0.33
// (bench/posteriors/crossed_ratings), 1.3 at 0.37, 1.18 at 0.45, and 1.12 at the most above 0.5
// (models/ and bench/posteriors/, 40 posteriors, 3 seeds). The effective sample size does not tell:
// 0.04 to 0.15 of the draws for the same q (radon). Where k-hat is so low that weights are nearly
// bounded, as those of a density with a jump, few draws that count are no sign of others.
// Whether q is close enough to the posterior for weights to correct it.
std::vector<Finding> judge_weights(const Answer& answer);

// Draws come in blocks of a quarter of S. k-hat of S draws has a standard error of about
// (1 + k) / sqrt(tail length), 0.11 at k = 0.5 and S = 4000, so that the median of a few batches of
// S is reported, with their quartiles.
// The block is a unit, and no limit.
inline constexpr Index kBlocksOfBatch = 4;

// A look is at so many blocks of q's draws and of wide ones (proposal.hpp).
struct Look {
  Index of_q, wide;
  bool operator==(const Look&) const = default;
};

// A first look at half of S is enough where q is close by its weights, and wide ones find nothing
// that was missed. Otherwise there are two batches of q and two wide ones; and all of the further
// looks, as many draws again, unless so little mass can be missed that they would change nothing.
// There are only these: stopping at the first good one of many would be choosing.
Look first_look();
Look look_of_even();
Look look_of_close();
Look full_look();
Look last_look();

// What to do with an answer after a look: use it, look again, move its draws because weights will
// not do, or refuse because log p has too few digits for any.
enum class Next { enough, more, correct, refuse };
struct Step {
  Next next;
  Look look;  // with `more`, the next one
};
Step next(const Answer& answer, const Look& look);

}  // namespace ravi
