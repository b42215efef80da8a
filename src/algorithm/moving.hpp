// Where weights cannot correct q: draws that Hamiltonian transitions move until they stand for p.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "family/approximation.hpp"

namespace ravi {

// Importance weights fail where p bends away from q in many coordinates at once, such as a scale
// with the effects that shrink as it grows. A thousand draws, chosen by those weights, are then
// moved by transitions that leave p as it is. What they are at the end is a sample of p if
//
// - they have forgotten where they began: along no principal axis are they correlated with their
//   starts by kMostMemory or more (noise makes 0.1 of the largest of 40);
// - they have settled: between the halves of what is kept, means differ by less than kMostDrift
//   sds, sds by less than the factor kMostSdDrift;
// - they can move everywhere. Equal chances make the number of moves of a draw binomial. Its
//   variance is larger where draws stay in places from which a step seldom leads: the neck of a
//   funnel, which as seldom is come to. `unevenness` is that ratio. After one round it was 2.8 to
//   4.1 for centered eight schools, which must not pass, and up to 2.3 for posteriors that may;
//   after two, 3.0 to 4.0 and up to 2.3.
inline constexpr double kMostMemory = 0.2, kMostDrift = 0.15, kMostSdDrift = 1.2;
inline constexpr double kMostUneven = 2.8, kDoubtfullyUneven = 2.2;

// Moved draws that will do take the place of the weighted ones, and the summaries become theirs;
// otherwise the answer stays, but for `moves`. That stays empty too where the user asked to stop,
// where there are too few draws to begin with, and where there are too many coordinates.
void move_draws(const Model& model, const Approximation& q, const Options& options,
                std::uint32_t which, const std::atomic<bool>* stop, Answer& answer);

// Why they would not do.
std::vector<Finding> judge_moves(const Moves& moves);

}  // namespace ravi
