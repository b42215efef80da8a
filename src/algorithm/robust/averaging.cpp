// Rounds of halved step size, averaged until the average is precise.
#include "algorithm/robust/averaging.hpp"

#include <algorithm>
#include <cmath>

#include "algorithm/robust/search.hpp"
#include "core/numeric.hpp"
#include "limits/limits.hpp"

namespace ravi {
namespace {

// Of the divergence that is allowed where there is a bias: for the error, whose limit is larger,
// and for the bias, which leaves room for one that falls more slowly than the step, as its square
// root for example, of which the difference of two rounds would show a sixth. What is reported, the
// limit and the bias, is then below what is allowed.
double for_error() { return limit(Limit::share_for_error); }
double for_bias() { return for_error() / 2; }
double for_limit() { return 1 - for_bias(); }

}  // namespace

Averaging::Averaging(Stepper& stepper, const Approximation& prototype, const Options& options,
                     Monitor& monitor)
    : stepper_(stepper),
      iterates_(stepper.iterates()),
      prototype_(prototype),
      options_(options),
      monitor_(monitor),
      pace_(stepper.pace()),
      allowed_(kl_of_error(options.tolerance, prototype.dimension())),
      kl_before_(kInf),
      cost_before_(kInf),
      run_(limits_of_worst(options, prototype.size())) {}

// Nothing is left to average.
ChainRun Averaging::at_rest() {
  for (Index j = 0; j < options_.chains; ++j) run_.points.push_back(stepper_.lambda(j));
  run_.average = mean_of(run_.points);
  run_.termination = Termination::converged;
  run_.averaging_started_at = 0;
  run_.stationary = run_.exact = true;
  run_.error = error_in_sds(limit(Limit::exact), prototype_.dimension());
  return run_;
}

ChainRun Averaging::run() {
  if (stepper_.at_rest()) return at_rest();
  monitor_.enter(Phase::averaging,
                 std::min<long>(pace_.most_rounds * (pace_.forgetting + pace_.most_windows),
                                options_.max_iterations / options_.window),
                 "windows");
  Round round{.start = {}, .step = pace_.first_step};
  for (Index j = 0; j < options_.chains; ++j) round.start.push_back(stepper_.lambda(j));
  End end = End::halve;
  for (Index n = 1; n <= pace_.most_rounds; ++n) {
    const bool last = n == pace_.most_rounds;
    end = run_round(round, last);
    if (end == End::found || end == End::cut_short || !room_for(pace_.forgetting + 1)) break;
    if (last || (end == End::lost && !stepper_.recover(round))) break;
    if (end != End::halve) continue;
    round = {.start = before_, .step = round.step / 2, .from_averages = true};
  }
  if (end == End::found) {
    run_.termination = Termination::converged;
    return run_;
  }
  run_.termination = stepper_.cut_short().value_or(
      room_for(pace_.forgetting + 1) ? Termination::rounds_done : Termination::max_iterations);
  if (iterates_.kept() > 0) judge();
  return run_;
}

Averaging::End Averaging::run_round(const Round& round, bool last) {
  stepper_.begin(round);
  iterates_ = Iterates(options_.chains, prototype_.size(), options_.window);
  const long began = stepper_.iteration();
  const auto cut_short = [&] {
    return stepper_.cut_short() == Termination::diverged ? End::lost : End::cut_short;
  };
  for (Index i = 0; i < pace_.forgetting; ++i) {
    if (!advance()) return cut_short();
  }
  if (!last && stepper_.lost()) return End::lost;
  run_.averaging_started_at = stepper_.iteration();
  iterates_.start_keeping();
  Index next_check = pace_.first_check;
  bool only_ess_missing = false;  // effective iterates: nothing more is forgotten then
  for (Index windows = 1; next_check <= pace_.most_windows; ++windows) {
    if (!advance()) return cut_short();
    if (!last && stepper_.lost()) return End::lost;
    if (windows < next_check) continue;
    next_check = pace_.next_check(windows);
    if (pace_.biased && !only_ess_missing) {
      const long middle = (began + stepper_.iteration()) / 2;
      forget_all_but(iterates_.forget_first(middle - run_.averaging_started_at));
    }
    judge();
    tell();
    if (now_.kl.drifting()) forget_all_but(iterates_.forget_first_half());
    if (found()) return End::found;
    only_ess_missing = pace_.biased && now_.kl.steady() && precise() && unbiased();
    if (only_ess_missing) {
      const long kept = stepper_.iteration() - run_.averaging_started_at;
      next_check = windows + kept / options_.window / 2;
    }
    if (!apart_ && !(run_.error <= pace_.lost_beyond)) return End::lost;
    const double cost = now_.kl.value * static_cast<double>(stepper_.iteration() - began);
    if (halving_pays(cost) && room_for(pace_.forgetting + pace_.first_check)) {
      remember(cost);
      return End::halve;
    }
  }
  remember(kInf);
  return End::halve;
}

bool Averaging::room_for(Index windows) const {
  return stepper_.iteration() + windows * options_.window <= options_.max_iterations;
}

bool Averaging::advance() {
  if (!room_for(1) || !stepper_.advance()) return false;
  monitor_.count(stepper_.iteration() / options_.window);
  return true;
}

// What has been kept: all chains together, or each by itself when they have settled on different
// answers.
void Averaging::judge() {
  const Judging judging(monitor_);
  average_what_was_kept(run_, iterates_, options_);
  run_.tail_index_limit = tail_index_limit(iterates_, run_.precision.ess_min);
  apart_ = compare_chains(iterates_, prototype_).settled_apart(run_.limits.rhat);
  now_ = judgment();
  // Where parts are asked what they know of each other, and chains what they differ in, R-hat below
  // its limit is nothing new but time: 52 700 iterations instead of 42 525 for the problems of
  // rounds_test.cpp.
  run_.stationary = now_.kl.steady() && (apart_ || pace_.parts.correlated || run_.stationary);
  // Where p is a Gaussian, second-order steps end at it and stay: what is left is rounding, about
  // whose R-hat and tails there is nothing to say.
  run_.exact = now_.kl.steady() && now_.kl.value < limit(Limit::exact);
  run_.error = error_in_sds(now_.kl.limit + bias(), prototype_.dimension());
}

Averaging::Judgment Averaging::judgment() const {
  const auto moved = [&](const Vector& average, const Vector& before) {
    const double kl = symmetrized_kl(*prototype_.member(average), *prototype_.member(before)) / 2;
    return std::isfinite(kl) ? kl : kInf;
  };
  const bool first = before_.empty();
  if (!apart_) {
    Judgment all{.kl = kl_hat(iterates_, prototype_, pace_.parts)};
    if (!first) all.moved = moved(run_.average, mean_of(before_));
    return all;
  }
  Judgment worst{.kl = {0, 0, 0, 0}, .moved = first ? kInf : 0};
  for (Index j = 0; j < options_.chains; ++j) {
    worst.kl = worse(worst.kl, kl_hat(iterates_, prototype_, pace_.parts, j));
    if (first) continue;
    worst.moved =
        std::max(worst.moved, moved(iterates_.average(j), before_[static_cast<std::size_t>(j)]));
  }
  return worst;
}

void Averaging::tell() {
  monitor_.report({stepper_.iteration(), stepper_.elbo(), run_.rhat.value,
                   run_.precision.mcse_median, run_.precision.ess_min, run_.error},
                  run_.rhat);
}

void Averaging::forget_all_but(Index kept) {
  run_.averaging_started_at = stepper_.iteration() - kept;
}

// The averages of two rounds differ by their errors and by their biases; where the bias is
// proportional to the step, the latter difference is the bias of this round.
double Averaging::bias() const {
  if (!pace_.biased) return 0;
  if (!(kl_before_ < for_error() * allowed_)) return now_.moved;
  return std::max(0.0, now_.moved - kl_before_ - now_.kl.value);
}

bool Averaging::unbiased() const { return !pace_.biased || bias() < for_bias() * allowed_; }

bool Averaging::precise() const {
  if (!pace_.biased) return run_.error < options_.tolerance;
  return now_.kl.value < for_error() * allowed_ && now_.kl.limit < for_limit() * allowed_;
}

// Chains apart have no common average, of which effective iterates could be few; by second-order
// steps each is a component of a mixture, whose weights make up for what it is not. KL-hat sees
// what chains differ in; what all of them have kept of earlier rounds, where they move too slowly
// to lose it, shows only there.
bool Averaging::found() const {
  if (!now_.kl.steady() || !unbiased()) return false;
  if (apart_ && !pace_.biased) return true;
  return run_.exact ||
         (precise() && run_.stationary && (apart_ || run_.precision.ess_min > run_.limits.ess));
}

// Whether more iterations at this step are not worth it: nothing to compare them with; precise
// enough; fewer would do at half of it; or the bias shows already. Where only effective iterates
// are missing they are.
bool Averaging::halving_pays(double cost) const {
  if (!pace_.biased || !now_.kl.steady() || (precise() && unbiased())) return false;
  return before_.empty() || precise() || cost < cost_before_ ||
         now_.moved > allowed_ + 2 * (kl_before_ + now_.kl.value);
}

void Averaging::remember(double cost) {
  before_.clear();
  for (Index j = 0; j < options_.chains; ++j) before_.push_back(iterates_.average(j));
  kl_before_ = now_.kl.value;
  cost_before_ = cost;
}

}  // namespace ravi
