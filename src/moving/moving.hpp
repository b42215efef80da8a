// Where weights cannot correct q: draws that Hamiltonian transitions move until they stand for p.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "family/transport.hpp"

namespace ravi {

// Importance weights fail where p bends away from q in many coordinates at once, such as a scale
// with the effects that shrink as it grows. A thousand draws, half chosen by those weights and half
// more widely, are then moved by transitions that leave p as it is. What they are at the end is a
// sample of p if (limits.cpp)
//
// - they have forgotten where they began: along no principal axis are they correlated with their
//   starts by the limit moved-memory or more (noise makes 0.1 of the largest of 40);
// - they go through the tails: the fifth of the draws that is at one end of a coordinate when a
//   round begins is not there at its end by moved-tail-memory more than chance (noise makes 0.09 of
//   the largest of 80). It was 0.15 to 0.34 for centered eight schools, which must not pass, and up
//   to 0.12 for posteriors that may;
// - they have settled: means differ by less than moved-drift sds, sds by less than the factor
//   moved-sd-drift, between the halves of what is kept, and between the draws that began widely
//   spread and the others;
// - they can move everywhere. Equal chances make the number of moves of a draw binomial. Its
//   variance is larger where draws stay in places from which a step seldom leads: the neck of a
//   funnel, which as seldom is come to. `unevenness` is that ratio. It was 1.6 to 2.6 for centered
//   eight schools, and up to 1.4 for posteriors that may pass.
// Moved draws that will do take the place of the weighted ones, and the summaries become theirs.
// Otherwise the answer stays, but for `moves`. That stays empty too where the
// user asked to stop, where there are too few draws to begin with, and where there are too many
// coordinates.
// Calls one_done after every transition of all draws, of which there are at most that many.
void move_draws(
    const Model& model, const Transport& q, const Options& options, std::uint32_t which,
    const std::atomic<bool>* stop, Answer& answer, const std::function<void()>& one_done = [] {});
Index most_transitions();

// Why they would not do.
std::vector<Finding> judge_moves(const Moves& moves);

}  // namespace ravi
