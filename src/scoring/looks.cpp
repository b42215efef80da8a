// How many importance draws are enough, and whether their weights will do.
#include "scoring/looks.hpp"

#include <algorithm>
#include <cmath>

namespace ravi {
namespace {

double settled_khat(Index draws) { return 1 - 1 / std::log10(static_cast<double>(draws)); }

// Whether there are as many draws as the tail needs.
bool settled(const Answer& answer) {
  return answer.khat <= settled_khat(std::max<Index>(answer.draws_scored, 2));
}

bool firm(const Answer& answer) { return answer.unseen_mass < kFirmUnseenMass; }

Look look_after_first(const Answer& answer) {
  if (weights_hardly_vary(answer)) return kLookOfEven;
  const bool close = answer.efficiency > kOneLookEss && answer.khat < kOneLookKhat;
  return close ? kLookOfClose : kFullLook;
}

}  // namespace

double khat_threshold(Index draws) { return std::min(settled_khat(draws), kLongestTail); }

double unseen_mass_limit(const Answer& answer) {
  return settled(answer) ? kUnseenMassLimit : kFirmUnseenMass;
}

std::vector<Finding> judge_weights(const Answer& answer) {
  const double limit = unseen_mass_limit(answer);
  if (!(answer.unseen_mass < limit)) {
    return {{FindingCode::approximation_poor, answer.unseen_mass, limit}};
  }
  if (!answer.weighted) {
    const double share = answer.importance_ess / static_cast<double>(answer.draws_scored);
    return {{.code = FindingCode::few_draws_count,
             .observed = share,
             .limit = kFewestEffective,
             .measure = "effective share of all draws"}};
  }
  if (answer.perplexity < kLeastPerplexity && !(answer.khat < kAccurateKhat)) {
    return {{FindingCode::few_draws_count, answer.perplexity, kLeastPerplexity}};
  }
  return {};
}

Step next(const Answer& answer, const Look& look) {
  if (look == kFirstLook) return {Next::more, look_after_first(answer)};
  if (look.of_q < kFullLook.of_q && !firm(answer)) return {Next::more, kFullLook};
  const bool on_the_way = look.of_q > kFullLook.of_q && look != kLastLook;
  if (on_the_way || (look == kFullLook && !firm(answer))) {
    return {Next::more, {look.of_q + kFurther.of_q, look.wide + kFurther.wide}};
  }
  if (!judge_weights(answer).empty()) return {Next::correct, look};
  if (answer.coarseness > kCoarse) return {Next::refuse, look};
  return {Next::enough, look};
}

}  // namespace ravi
