// J optimizer chains that advance side by side.
#include "algorithm/chains/chains.hpp"

#include "algorithm/chains/starts.hpp"
#include "core/numeric.hpp"
#include "core/parallel.hpp"
#include "core/registry.hpp"
#include "core/stop.hpp"

namespace ravi {
namespace {

StepRuleSettings settings_of(const Options& options) {
  StepRuleSettings settings{
      .decay = options.decay, .offset = options.offset, .squares = options.squares};
  if (!options.offset_place.empty()) {
    settings.offset_place = options.offset_place == kInside ? kInside : kOutside;
  }
  return settings;
}

}  // namespace

Chain::Chain(const Model& model, const Options& options, Index index,
             const Approximation& prototype)
    : index_(index),
      seed_(options.seed),
      patience_(options.window),
      q_(prototype.clone()),
      rule_(entry_of(optimizer_registry(), options.optimizer, "optimizer")),
      settings_(settings_of(options)),
      optimizer_(rule_.make(options.step_size, prototype.size(), settings_)),
      objective_(model, options.draws),
      batches_(rows_of(model), options.minibatch, options.seed, static_cast<std::uint32_t>(index)),
      lambda_(start_of(prototype, options, index)),
      proposal_(lambda_),
      gradient_(Vector::Zero(lambda_.size())) {}

void Chain::run(Index n, Iterates& iterates, Vector& elbo,
                const std::atomic<bool>* stop_requested) {
  constexpr Index kAddedTogether = 8;
  for (Index i = 0; i < n; ++i) {
    if (requested(stop_requested)) return;
    if (!step(elbo(i))) return;
    iterates.window(index_).col(i) = lambda_;
    if ((i + 1) % kAddedTogether == 0) iterates.add_up(index_, i + 1);
  }
}

// Equation 2. A step whose draws all failed leaves lambda where it is.
bool Chain::step(double& elbo) {
  q_->assign(lambda_);
  const RandomStream stream(seed_, Purpose::gradient, static_cast<std::uint32_t>(index_),
                            static_cast<std::uint32_t>(iteration_));
  const ElboEstimate estimate =
      objective_.gradient(*q_, stream, batches_.at(iteration_), gradient_);
  ++iteration_;
  elbo = estimate.value;
  recorder_.add(elbo);
  evaluations_ += estimate.usable + estimate.failed;
  failed_draws_ += estimate.failed;
  if (estimate.usable == 0) {
    if (++fruitless_ < patience_) return true;
    breakdown_ = {FindingCode::density_not_computable, index_, iteration_};
    return false;
  }
  fruitless_ = 0;
  propose();
  if (!proposal_.allFinite()) {
    breakdown_ = {FindingCode::iterates_diverged, index_, iteration_};
    return false;
  }
  lambda_.swap(proposal_);
  return true;
}

void Chain::propose() {
  proposal_ = lambda_;
  if (!reach_) {
    optimizer_->step(gradient_, proposal_);
    return;
  }
  q_->to_units(*reach_, gradient_);
  move_.setZero(lambda_.size());
  optimizer_->step(gradient_, move_);
  q_->move(*reach_, move_, proposal_);
}

void Chain::restart(const Vector& lambda, double step_size, double reach) {
  lambda_ = lambda;
  optimizer_ = rule_.make(step_size, lambda.size(), settings_);
  reach_ = reach;
  fruitless_ = 0;
  breakdown_.reset();
}

Chains::Chains(const Model& model, const Options& options, const Approximation& prototype,
               const std::atomic<bool>* stop_requested)
    : threads_(resolve_threads(options.threads)),
      stop_requested_(stop_requested),
      locations_(prototype.dimension()),
      iterates_(options.chains, prototype.size(), options.window),
      elbo_(static_cast<std::size_t>(options.chains), Vector::Zero(options.window)) {
  for (Index j = 0; j < options.chains; ++j) {
    chain_.push_back(std::make_unique<Chain>(model, options, j, prototype));
  }
}

bool Chains::advance(Index n) {
  iterates_.begin_window(n);
  parallel_for(static_cast<Index>(chain_.size()), threads_, [&](Index j) {
    const auto at = static_cast<std::size_t>(j);
    chain_[at]->run(n, iterates_, elbo_[at], stop_requested_);
  });
  interrupted_ = requested(stop_requested_);
  if (interrupted_ || breakdown()) {
    iterates_.forget_window();
    return false;
  }

  iteration_ += n;
  iterates_.close_window(n, threads_);
  window_elbo_ = Vector::Zero(n);
  for (const Vector& elbo : elbo_) window_elbo_ += elbo.head(n);
  window_elbo_ /= static_cast<double>(elbo_.size());
  return true;
}

void Chains::restart(const std::vector<Vector>& lambda, double step_size, double reach) {
  for (std::size_t j = 0; j < chain_.size(); ++j) chain_[j]->restart(lambda[j], step_size, reach);
}

std::optional<Breakdown> Chains::breakdown() const {
  for (const auto& chain : chain_) {
    if (chain->breakdown()) return chain->breakdown();
  }
  return std::nullopt;
}

std::optional<Termination> Chains::cut_short() const {
  if (breakdown()) return Termination::diverged;
  if (interrupted()) return Termination::interrupted;
  return std::nullopt;
}

RunReport Chains::report() const {
  RunReport all{.breakdown = breakdown(), .interrupted = interrupted(), .iteration = iteration_};
  for (const auto& chain : chain_) {
    all.add({.evaluations = chain->evaluations(),
             .failed_draws = chain->failed_draws(),
             .first_failure = chain->first_failure(),
             .chain_elbo = {chain->elbo_trace()}});
  }
  return all;
}

void Chains::tell(Monitor& monitor, const Largest& rhat, const IteratePrecision& precision,
                  double error) const {
  monitor.count(iteration_);
  monitor.report(
      {iteration_, mean(window_elbo_), rhat.value, precision.mcse_median, precision.ess_min, error},
      rhat);
}

}  // namespace ravi
