// The members of a fit by the names that fit.json, fit.nc and Python give them, each list once.
#pragma once

#include <string_view>

#include "ravi/fit.hpp"

namespace ravi {

// What a member is called, and where fit.json has it if that is not at its name.
struct Key {
  std::string_view name;
  std::string_view pointer = {};  // as in RFC 6901
  bool always = true;             // false: the first files that had this schema do not have it
};
inline constexpr auto kLater = [](std::string_view name) { return Key{name, {}, false}; };

// Each visit_...(object, visit) calls visit(key, member) for every number, in the order of
// fit.json. A test holds the lists against the structs.

// The score of an answer; its parts that are structs, and its mode, are written beside it.
template <typename AnswerLike, typename Visitor>
void visit_answer(AnswerLike& a, Visitor&& visit) {
  visit(Key{"elbo", "/elbo/value"}, a.elbo);
  visit(Key{"elbo_mcse", "/elbo/mcse"}, a.elbo_mcse);
  visit(Key{"khat"}, a.khat);
  visit(Key{"khat_low", "/khat_quartiles/0"}, a.khat_low);
  visit(Key{"khat_high", "/khat_quartiles/1"}, a.khat_high);
  visit(Key{"efficiency"}, a.efficiency);
  visit(kLater("perplexity"), a.perplexity);
  visit(Key{"importance_draws"}, a.importance_draws);
  visit(Key{"importance_ess"}, a.importance_ess);
  visit(Key{"unseen_mass"}, a.unseen_mass);
  visit(kLater("tail_shape"), a.tail_shape);
  visit(Key{"unseen_variance"}, a.unseen_variance);
  visit(kLater("share_of_q"), a.share_of_q);
  visit(kLater("coarseness"), a.coarseness);
  visit(kLater("draws_kept"), a.draws_kept);
  visit(Key{"resampled_distinct"}, a.resampled_distinct);
  visit(Key{"log_evidence"}, a.log_evidence);
}

// One mode of a mixture; its component, chains, permutation and parameters are written beside it.
template <typename ModeLike, typename Visitor>
void visit_mode(ModeLike& m, Visitor&& visit) {
  visit(Key{"mass"}, m.mass);
  visit(Key{"mass_error"}, m.mass_error);
  visit(Key{"seen"}, m.seen);
  visit(Key{"exchanged"}, m.exchanged);
}

template <typename BendingLike, typename Visitor>
void visit_bending(BendingLike& b, Visitor&& visit) {
  visit(Key{"gradient_evaluations"}, b.gradient_evaluations);
  visit(Key{"divergence"}, b.divergence);
  visit(Key{"kept"}, b.kept);
}

template <typename DrivenLike, typename Visitor>
void visit_driven(DrivenLike& d, Visitor&& visit) {
  visit(Key{"name"}, d.name);
  visit(Key{"sd_factor"}, d.sd_factor);
  visit(Key{"curve"}, d.curve);
}

template <typename MovesLike, typename Visitor>
void visit_moves(MovesLike& m, Visitor&& visit) {
  visit(Key{"draws"}, m.draws);
  visit(Key{"transitions"}, m.transitions);
  visit(Key{"gradient_evaluations"}, m.gradient_evaluations);
  visit(kLater("rhat"), m.rhat);
  visit(kLater("rhat_limit"), m.rhat_limit);
  visit(Key{"kept"}, m.kept);
}

// What the iterates cost, and what they say.
template <typename FitLike, typename Visitor>
void visit_iterates(FitLike& f, Visitor&& visit) {
  visit(Key{"iterations"}, f.iterations);
  visit(Key{"averaging_started_at"}, f.averaging_started_at);
  visit(Key{"gradient_evaluations"}, f.gradient_evaluations);
  visit(Key{"failed_draws"}, f.failed_draws);
  visit(Key{"rhat_max", "/rhat/max"}, f.rhat_max);
  visit(Key{"rhat_limit", "/rhat/limit"}, f.rhat_limit);
  visit(Key{"rhat_parameter", "/rhat/parameter"}, f.rhat_parameter);
  visit(Key{"error"}, f.error);
  visit(Key{"mcse_median", "/mcse/median"}, f.mcse_median);
  visit(Key{"mcse_max", "/mcse/max"}, f.mcse_max);
  visit(Key{"ess_min", "/ess/min"}, f.ess_min);
  visit(Key{"ess_limit", "/ess/limit"}, f.ess_limit);
  visit(Key{"tail_index_max", "/tail_index/max"}, f.tail_index_max);
  visit(Key{"tail_index_limit", "/tail_index/limit"}, f.tail_index_limit);
}

template <typename CheckLike, typename Visitor>
void visit_check(CheckLike&& c, Visitor&& visit) {
  visit(Key{"iteration"}, c.iteration);
  visit(Key{"elbo"}, c.elbo);
  visit(Key{"rhat_max"}, c.rhat_max);
  visit(Key{"mcse_median"}, c.mcse_median);
  visit(Key{"ess_min"}, c.ess_min);
  visit(Key{"error"}, c.error);
}

template <typename ReferenceScoreLike, typename Visitor>
void visit_reference(ReferenceScoreLike& r, Visitor&& visit) {
  visit(Key{"d_mu"}, r.d_mu);
  visit(Key{"d_sigma"}, r.d_sigma);
  visit(Key{"kl"}, r.kl);
}

template <typename SummaryLike, typename Visitor>
void visit_summary(SummaryLike&& s, Visitor&& visit) {
  visit(Key{"mean"}, s.mean);
  visit(Key{"sd"}, s.sd);
  visit(Key{"q5"}, s.q5);
  visit(Key{"q50"}, s.q50);
  visit(Key{"q95"}, s.q95);
  visit(Key{"mcse"}, s.mcse);
  visit(Key{"mcse_sd"}, s.mcse_sd);
  visit(Key{"mcse_q5"}, s.mcse_q5);
  visit(Key{"mcse_q50"}, s.mcse_q50);
  visit(Key{"mcse_q95"}, s.mcse_q95);
}

// Why there is no sd where sd_trusted is false.
inline constexpr std::string_view kSdMissing = "it rests on too few draws, or does not exist";

// A summary as every output shows it: without an sd that is not to be trusted.
inline ParameterSummary shown(ParameterSummary summary) {
  if (!summary.sd_trusted) summary.sd = summary.mcse_sd = kUnknown;
  return summary;
}

}  // namespace ravi
