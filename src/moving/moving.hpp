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
// more widely, are then moved by transitions that leave p as it is, in rounds. They are a sample of
// p once a round makes them forget where they were: nested R-hat (Margossian et al. 2024) of where
// they are at its end, with superchains of those that were near each other when it began, is below
// 1.01 (Vehtari et al. 2021) and what so few chains make of noise. It is asked of every coordinate,
// of the principal axes of where the draws are, and of log p, rank-normalized and folded. The first
// round is not asked: draws that move may still be on their way from where weights had them begin.
//
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
