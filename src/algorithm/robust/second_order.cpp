// Second-order steps around the optima of searches.
#include "algorithm/robust/second_order.hpp"

#include <algorithm>
#include <cmath>

#include "core/numeric.hpp"
#include "core/parallel.hpp"
#include "core/stop.hpp"
#include "limits/limits.hpp"

namespace ravi {

SecondOrder::SecondOrder(const Model& model, const Approximation& prototype, const Options& options,
                         const Observer& observer, const std::vector<const Search*>& start)
    : model_(model),
      row_model_(options.minibatch > 0 ? dynamic_cast<const RowModel*>(&model) : nullptr),
      prototype_(prototype),
      options_(options),
      observer_(observer),
      iterates_(options.chains, prototype.size(), options.window),
      elbo_(Vector::Zero(options.chains)) {
  for (const Search* s : start) {
    // What is exact for the rows of a search is not for others.
    chain_.push_back({s->best().clone(), s->slope(), s->exact() && row_model_ == nullptr,
                      s->nonlinearity(), s->best_elbo()});
    chain_.back().batches = {rows_of(model), options.minibatch, options.seed,
                             static_cast<std::uint32_t>(chain_.size() - 1)};
  }
}

// Chains are at an optimum from the start and forget it in a window; a part of four windows or more
// hardly knows of the next. They come to rest where E[d] = 0 whatever the step, so that there is no
// bias to speak of.
Pace SecondOrder::pace() const {
  // Shorter ones would not forget in two windows.
  const double slowest = std::min(longest_step(), 0.5 / static_cast<double>(options_.window));
  return {.first_step = std::clamp(options_.step_size, slowest, longest_step()),
          .most_rounds = count(Limit::most_rounds),
          .most_windows = count(Limit::most_steps),
          .forgetting = 1,
          .first_check = count(Limit::parts_of_chain),
          .next_check = [](Index windows) { return windows + std::max<Index>(1, windows / 2); },
          .parts = {.per_chain = count(Limit::parts_of_chain)},
          .biased = false,
          .lost_beyond = limit(Limit::lost)};
}

// The first round's step. Where p is nearly Gaussian on the scale of q, batches have little noise,
// and long steps make iterates that hardly depend on each other, of which fewer will do. The
// nonlinearity is the share of the gradient's variance that no line explains, so that its root is
// about the share of a step that is noise. Where that is much a long step can leave the optimum, as
// in some seeds of the non-centered eight schools even half of one; that shows at once, and the
// next round's step is half as long. Around the best q of a family that cannot follow every slope,
// and with other rows in every step, there is more noise than the nonlinearity says.
double SecondOrder::longest_step() const {
  const double least = limit(Limit::first_step);
  if (!prototype_.closed() || row_model_ != nullptr) return least;
  double step = 1;
  // In this order, what is not a number is the least.
  for (const State& chain : chain_)
    step = std::min(step, std::max(least, 1 - std::sqrt(chain.nonlinearity)));
  return step;
}

bool SecondOrder::at_rest() const { return std::ranges::all_of(chain_, &State::exact); }

// A chain that is there already stays as it is, to the last bit.
void SecondOrder::begin(const Round& round) {
  damping_ = round.step;
  for (std::size_t j = 0; j < chain_.size(); ++j) {
    State& chain = chain_[j];
    if (chain.q->lambda() != round.start[j]) chain.q->assign(round.start[j]);
    if (chain.seen > 0) chain.slope = chain.slopes_seen / static_cast<double>(chain.seen);
    chain.seen = 0;
    chain.anchor.reset();
  }
}

// A batch with too many failed draws moves nothing.
void SecondOrder::step_once(State& chain, const ScoreBatch& batch) const {
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
  next->step(fit, {.damping = damping_});
  if (next->lambda().allFinite()) chain.q = std::move(next);
}

ScoreBatch SecondOrder::draw(State& chain, Index j, Index iteration) const {
  const RandomStream stream(options_.seed, Purpose::gradient, static_cast<std::uint32_t>(j),
                            static_cast<std::uint32_t>(iteration));
  if (row_model_ == nullptr) return draw_scores(model_, *chain.q, options_.draws, stream);
  const AnchoredRows rows(*row_model_, &*chain.anchor, chain.batches.at(iteration));
  return draw_scores(rows, *chain.q, options_.draws, stream);
}

void SecondOrder::advance(State& chain, Index j) {
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
    step_once(chain, batch);
    iterates_.window(j).col(i) = lambda(j);
  }
  elbo_(j) = elbo / static_cast<double>(options_.window);
}

bool SecondOrder::advance() {
  parallel_for(options_.chains, resolve_threads(options_.threads),
               [&](Index j) { advance(chain_[static_cast<std::size_t>(j)], j); });
  if (interrupted()) return false;
  iteration_ += options_.window;
  iterates_.close_window(options_.window, resolve_threads(options_.threads));
  return true;
}

bool SecondOrder::interrupted() const { return requested(observer_.stop_requested); }

std::optional<Termination> SecondOrder::cut_short() const {
  if (interrupted()) return Termination::interrupted;
  return std::nullopt;
}

// Whether the ELBO of some chain has fallen further than the noise of the steps takes it, which may
// be as far again, or cannot be computed any more. Those of mini-batches are not comparable.
bool SecondOrder::lost() const {
  if (row_model_ != nullptr) return false;
  const double depth = 2 * far_below(model_.dimension());
  for (Index j = 0; j < options_.chains; ++j) {
    const double before = chain_[static_cast<std::size_t>(j)].elbo_of_search;
    if (!(elbo_(j) > before - depth)) return true;
  }
  return false;
}

// From where the round began, with half of its step. What was seen far away is forgotten.
bool SecondOrder::recover(Round& round) {
  round.step /= 2;
  for (State& chain : chain_) chain.seen = 0;
  return true;
}

double SecondOrder::elbo() const { return mean(elbo_); }

RunReport SecondOrder::report() const {
  RunReport all{.interrupted = interrupted(), .iteration = iteration_};
  for (const State& chain : chain_) {
    all.add({.evaluations = chain.evaluations,
             .failed_draws = chain.failed,
             .first_failure = chain.first_failure,
             .chain_elbo = {chain.recorder.trace()}});
  }
  return all;
}

}  // namespace ravi
