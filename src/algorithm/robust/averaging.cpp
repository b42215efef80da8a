// Chains of damped steps around an optimum, averaged until the average is precise.
#include "algorithm/robust/averaging.hpp"

#include <algorithm>
#include <cmath>

#include "algorithm/judge/agreement.hpp"
#include "core/numeric.hpp"
#include "core/parallel.hpp"
#include "limits/limits.hpp"

namespace ravi {
namespace {

// The first round's step. Where p is nearly Gaussian on the scale of q, by its nonlinearity,
// batches have little noise, and long steps make iterates that hardly depend on each other, of
// which fewer will do. Where it is not, a long step can leave the optimum, as in some seeds of the
// non-centered eight schools even half of one; that shows at once, and the next round's step is
// half as long. Chains with steps below the slowest forget too slowly.
struct FirstStep {
  double nonlinearity, step;  // of that much at the most
};
constexpr FirstStep kFirstSteps[] = {{0.04, 0.8}, {0.1, 0.65}};
constexpr double kFirstStep = 0.5, kSlowest = 0.1;
// Windows in which a chain forgets where it began, and those before the first check.
constexpr Index kForgetting = 1, kFirstCheck = 4;
// Chains whose average is so uncertain, in sds, have left the optimum; the next round starts where
// this one did.
constexpr double kLost = 3;
// So have chains whose ELBO is so many nats below that of their search, and one more for every
// coordinate: further down than the noise of the steps takes them.
constexpr double kFallen = 10;
constexpr int kRounds = 4;
constexpr Index kMaxWindows = 160;  // of one round
// Where p is a Gaussian the steps end at it and stay: what is left is rounding, about whose R-hat
// and tails there is nothing to say.
constexpr double kNegligibleError = 1e-6;

}  // namespace

// A batch with too many failed draws moves nothing.
void Averaging::step_once(State& chain, const ScoreBatch& batch, double damping) const {
  if (!batch.good()) return;
  ScoreFit fit;
  if (chain.q->closed()) {
    fit = fit_by_moments(batch);
  } else {
    fit = fit_by_moments(batch, chain.slope);
    chain.slopes_seen = chain.seen == 0 ? fit.e : Matrix(chain.slopes_seen + fit.e);
    ++chain.seen;
    // One slope for the whole round: the mean then moves by a constant matrix times d, so that it
    // comes to rest where E[d] = 0.
    const Vector diagonal = fit.e.diagonal();
    fit.e = chain.slope;
    fit.e.diagonal() = diagonal;
  }
  auto next = chain.q->clone();
  next->step(fit, {.damping = damping});
  if (next->lambda().allFinite()) chain.q = std::move(next);
}

ScoreBatch Averaging::draw(State& chain, Index j, Index iteration) const {
  const RandomStream stream(options_.seed, Purpose::gradient, static_cast<std::uint32_t>(j),
                            static_cast<std::uint32_t>(iteration));
  if (row_model_ == nullptr) return draw_scores(model_, *chain.q, options_.draws, stream);
  const AnchoredRows rows(*row_model_, &*chain.anchor, chain.batches.at(iteration));
  return draw_scores(rows, *chain.q, options_.draws, stream);
}

void Averaging::advance(State& chain, Index j, double damping) {
  if (row_model_ != nullptr && !chain.anchor) chain.anchor.emplace(model_, chain.q->center());
  double elbo = 0;
  for (Index i = 0; i < options_.window; ++i) {
    if (interrupted()) return;
    const ScoreBatch batch = draw(chain, j, iteration_ + i);
    chain.evaluations += batch.evaluated;
    chain.failed += batch.failed;
    if (chain.first_failure.size() == 0) chain.first_failure = batch.first_failure;
    elbo += batch.elbo;
    chain.recorder.add(batch.elbo);
    step_once(chain, batch, damping);
    iterates_.window(j).col(i) = lambda(j);
  }
  elbo_(j) = elbo / static_cast<double>(options_.window);
}

// Windows of every chain; false when the user asked to stop.
bool Averaging::advance(double damping, Index windows) {
  for (Index i = 0; i < windows; ++i) {
    parallel_for(options_.chains, resolve_threads(options_.threads),
                 [&](Index j) { advance(chain_[static_cast<std::size_t>(j)], j, damping); });
    if (interrupted()) return false;
    iteration_ += options_.window;
    iterates_.close_window(options_.window, resolve_threads(options_.threads));
  }
  return true;
}

bool Averaging::done(ChainRun& run, Monitor& monitor) {
  const Judging judging(monitor);
  average_what_was_kept(run, iterates_, options_);
  run.tail_index_limit = tail_index_limit(iterates_, run.precision.ess_min);
  const KlHat kl = kl_hat(iterates_, prototype_);
  run.error = error_in_sds(kl.limit, model_.dimension());
  monitor.report({iteration_, mean(elbo_), run.rhat.value, run.precision.mcse_median,
                  run.precision.ess_min, run.error},
                 run.rhat);
  if (drifting(iterates_, prototype_, kl.value)) {
    iterates_.forget_first_half();
    run.stationary = false;
    return false;
  }
  run.exact = kl.value < kNegligibleError;
  return run.exact || (run.error < options_.tolerance && run.stationary &&
                       run.precision.ess_min > run.limits.ess);
}

RunReport Averaging::report() const {
  RunReport all{.interrupted = interrupted(), .iteration = iteration_};
  for (const State& chain : chain_) {
    all.add({.evaluations = chain.evaluations,
             .failed_draws = chain.failed,
             .first_failure = chain.first_failure,
             .chain_elbo = {chain.recorder.trace()}});
  }
  return all;
}

void Averaging::restart_from_averages() {
  for (Index j = 0; j < options_.chains; ++j) {
    State& chain = chain_[static_cast<std::size_t>(j)];
    chain.q->assign(iterates_.average(j));
    if (chain.seen > 0) chain.slope = chain.slopes_seen / static_cast<double>(chain.seen);
    chain.seen = 0;
  }
}

std::vector<Vector> Averaging::positions() const {
  std::vector<Vector> result;
  for (const State& chain : chain_) result.push_back(chain.q->lambda());
  return result;
}

// Chains in different modes are not lost: their average is meant to be uncertain.
bool Averaging::apart() const {
  return compare_chains(iterates_, prototype_).settled_apart(limits_.rhat);
}

// Whether the ELBO of some chain has fallen, or cannot be computed any more. Those of mini-batches
// are not comparable.
bool Averaging::fallen() const {
  if (row_model_ != nullptr) return false;
  const double depth = kFallen + static_cast<double>(model_.dimension());
  for (Index j = 0; j < options_.chains; ++j) {
    const double before = chain_[static_cast<std::size_t>(j)].elbo_of_search;
    if (!(elbo_(j) > before - depth)) return true;
  }
  return false;
}

// log p - log q is constant where every chain is: its steps would all be zero.
ChainRun Averaging::nothing_left_to_average() {
  for (int half = 0; half < 2; ++half) {
    for (Index j = 0; j < options_.chains; ++j) {
      iterates_.window(j).leftCols(2).colwise() = lambda(j);
    }
    iterates_.close_window(2);
  }
  ChainRun run(limits_);
  run.termination = Termination::converged;
  run.averaging_started_at = 0;
  run.stationary = run.exact = true;
  run.error = error_in_sds(limit(Limit::exact), model_.dimension());
  run.average = iterates_.average();
  return run;
}

// Around the best q of a family that cannot follow every slope, and with other rows in every step,
// there is more noise than the nonlinearity says.
double Averaging::longest_step() const {
  if (!prototype_.closed() || row_model_ != nullptr) return kFirstStep;
  for (const FirstStep& first : kFirstSteps) {
    const auto below = [&](const State& chain) { return chain.nonlinearity < first.nonlinearity; };
    if (std::ranges::all_of(chain_, below)) return first.step;
  }
  return kFirstStep;
}

// Rounds of smaller and smaller steps, each from the averages of the one before: small steps
// average better, large ones forget the start sooner.
ChainRun Averaging::run(Monitor& monitor) {
  if (std::ranges::all_of(chain_, &State::exact)) return nothing_left_to_average();
  ChainRun run(limits_);
  const Index window = options_.window;
  const auto out_of_iterations = [&](Index windows) {
    return iteration_ + windows * window > options_.max_iterations;
  };
  const long of_round = kForgetting + kMaxWindows;
  monitor.enter(Phase::averaging,
                std::min<long>(kRounds * of_round, options_.max_iterations / window), "windows");
  double damping = std::clamp(options_.step_size, kSlowest, longest_step());
  for (int round = 0; round < kRounds; ++round, damping /= 2) {
    iterates_ = Iterates(options_.chains, iterates_.size(), window);
    const std::vector<Vector> start = positions();
    for (State& chain : chain_) chain.anchor.reset();
    const bool last_round = round + 1 == kRounds;
    if (!advance(damping, kForgetting)) break;
    bool lost = !last_round && fallen();
    run.averaging_started_at = iteration_;
    iterates_.start_keeping();
    Index next_check = kFirstCheck;
    for (Index done_windows = 1; done_windows <= kMaxWindows && !lost; ++done_windows) {
      if (out_of_iterations(1) || !advance(damping)) break;
      monitor.count(round * of_round + kForgetting + done_windows);
      lost = !last_round && fallen();
      if (lost || done_windows < next_check) continue;
      next_check = done_windows + std::max<Index>(1, done_windows / 2);
      if (done(run, monitor)) {
        run.termination = Termination::converged;
        return run;
      }
      lost = !apart() && !(run.error < kLost);
    }
    if (interrupted() || last_round || out_of_iterations(2)) break;
    if (lost) {
      for (std::size_t j = 0; j < chain_.size(); ++j) chain_[j].q->assign(start[j]);
    } else {
      restart_from_averages();
    }
  }
  run.termination = interrupted()          ? Termination::interrupted
                    : out_of_iterations(2) ? Termination::max_iterations
                                           : Termination::rounds_done;
  if (iterates_.kept() > 0) average_what_was_kept(run, iterates_, options_);
  return run;
}

}  // namespace ravi
