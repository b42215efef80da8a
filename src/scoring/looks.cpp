// How many importance draws are enough, and whether their weights will do.
#include "scoring/looks.hpp"

#include <algorithm>
#include <cmath>

#include "limits/limits.hpp"

namespace ravi {
namespace {

double settled_khat(Index draws) { return 1 - 1 / std::log10(static_cast<double>(draws)); }

// Whether there are as many draws as the tail needs.
bool settled(const Answer& answer) {
  return answer.khat <= settled_khat(std::max<Index>(answer.importance_draws, 2));
}

bool firm(const Answer& answer) { return answer.unseen_mass < limit(Limit::firm_unseen_mass); }

// So many full looks together.
Look full_looks(Index times) {
  const Index blocks = times * count(Limit::full_look);
  return {blocks, blocks};
}

Look look_after_first(const Answer& answer) {
  if (weights_hardly_vary(answer)) return look_of_even();
  return q_is_close(answer) ? look_of_close() : full_look();
}

}  // namespace

Look first_look() { return {count(Limit::first_look), 0}; }
Look look_of_even() { return {first_look().of_q, (first_look().of_q + 1) / 2}; }
Look look_of_close() { return {first_look().of_q, first_look().of_q}; }
Look full_look() { return full_looks(1); }
Look last_look() { return full_looks(1 + count(Limit::further_looks)); }

double khat_threshold(Index draws) {
  return std::min(settled_khat(draws), limit(Limit::longest_tail));
}

bool weights_hardly_vary(const Answer& answer) {
  return answer.efficiency > limit(Limit::hardly_varying_ess);
}

bool q_is_close(const Answer& answer) {
  return weights_hardly_vary(answer) || (answer.efficiency > limit(Limit::counting_draws) &&
                                         answer.khat <= limit(Limit::accurate_khat));
}

double unseen_mass_limit(const Answer& answer) {
  return limit(settled(answer) ? Limit::unseen_mass : Limit::firm_unseen_mass);
}

std::vector<Finding> judge_weights(const Answer& answer) {
  const double most = unseen_mass_limit(answer);
  if (!(answer.unseen_mass < most)) {
    return {{FindingCode::approximation_poor, answer.unseen_mass, most}};
  }
  const double least = limit(Limit::counting_draws);
  if (answer.perplexity < least && !(answer.khat < limit(Limit::accurate_khat))) {
    return {{FindingCode::few_draws_count, answer.perplexity, least}};
  }
  return {};
}

Step next(const Answer& answer, const Look& look) {
  const Look full = full_look();
  if (look == first_look()) return {Next::more, look_after_first(answer)};
  if (look.of_q < full.of_q && !firm(answer)) return {Next::more, full};
  const bool on_the_way = look.of_q > full.of_q && look.of_q < last_look().of_q;
  if (on_the_way || (look == full && !firm(answer)))
    return {Next::more, full_looks(look.of_q / full.of_q + 1)};
  if (!judge_weights(answer).empty()) return {Next::correct, look};
  if (answer.coarseness > limit(Limit::coarse)) return {Next::refuse, look};
  return {Next::enough, look};
}

}  // namespace ravi
