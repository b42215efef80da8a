// Whether an answer can be used, which draws of it, and what else may be worth a try.
#pragma once

#include <vector>

#include "ravi/fit.hpp"

namespace ravi {

// Whether the answer can be used, and which draws of it.
std::vector<Finding> judge_answer(const Answer& answer, double khat_threshold, bool other_optima);

// Whether moved draws are worth a try, and must succeed: where weights will not do, or where q has
// not come to rest and nothing worse is the matter.
bool needs_moving(const std::vector<Finding>& findings, const Answer& answer);

// Whether they might see a variance that weights do not. They do not go to the end of a tail that
// falls like a power.
bool may_see_more(const std::vector<Finding>& findings, const Answer& answer);

// Weights that hardly vary, but for a tail of a few that grow: the flank of another mode, perhaps.
bool tail_may_hide_more(const Answer& answer, double khat_threshold);

}  // namespace ravi
