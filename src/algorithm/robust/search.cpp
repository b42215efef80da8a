// The search of --method robust: damped Newton steps, kept honest by the ELBO of the next batch.
#include "algorithm/robust/search.hpp"

#include <algorithm>
#include <cmath>

#include "algorithm/robust/climb.hpp"
#include "limits/limits.hpp"

namespace ravi {

Search::Search(const Model& model, const Approximation& start, Index draws, std::uint64_t seed,
               std::uint32_t number)
    : model_(&model),
      draws_(draws),
      seed_(seed),
      number_(number),
      current_(start.clone()),
      best_(start.clone()),
      radius_(std::sqrt(static_cast<double>(start.dimension()))) {}

ScoreBatch Search::draw(const Approximation& q) {
  ScoreBatch batch =
      draw_scores(*model_, q, draws_, RandomStream(seed_, Purpose::search, number_, step_++));
  evaluations_ += batch.evaluated;
  failed_ += batch.failed;
  if (first_failure_.size() == 0) first_failure_ = batch.first_failure;
  return batch;
}

// Clearly below the old batch or the best one. The new batch's error counts for at most twice the
// old one's: a catastrophic batch has an error so large that it would pass.
bool Search::worse(const ScoreBatch& batch) const {
  const auto clearly_below = [&](double elbo, double error) {
    const double other = std::min(batch.standard_error, 2 * error);
    return batch.elbo < elbo - 3 * std::hypot(error, other);
  };
  return clearly_below(batch_->elbo, batch_->standard_error) ||
         clearly_below(best_elbo_, best_error_);
}

void Search::accept(Member q, ScoreBatch batch) {
  current_ = std::move(q);
  fit_ = fit_by_regression(batch);
  const bool exact = batch.fisher_distance() < limit(Limit::exact);
  // A rise within the noise is no progress, but several of them are.
  const bool progress =
      !has_best_ || batch.elbo > milestone_ + std::max(batch.standard_error, 1e-8);
  if (progress) milestone_ = batch.elbo;
  since_progress_ = progress ? 0 : since_progress_ + 1;
  if (!has_best_ || exact || batch.elbo > best_elbo_) {
    best_ = current_->clone();
    best_slope_ = fit_.e;
    best_nonlinearity_ = fit_.nonlinearity;
    exact_ = exact;
    best_elbo_ = batch.elbo;
    best_error_ = batch.standard_error;
    has_best_ = true;
  }
  batch_ = std::move(batch);
  rejected_ = 0;
  damping_ = 1;
  if (radius_was_binding_) radius_ *= 2;

  const auto p = static_cast<double>(current_->dimension());
  const double distance = current_->distance(fit_);
  const double noise = std::max(1.0, p / (2 * static_cast<double>(draws_)));
  near_ = distance * noise < limit(Limit::worth) ? near_ + 1 : 0;
  // Near a Gaussian p the next step is exact.
  const bool worth_another = near_ < 4 && batch_->fisher_distance() < limit(Limit::worth);
  if (exact_ || (near_ >= 2 && !worth_another)) state_ = State::settled;
  // The batch says whether the optimum is within a nat for every coordinate.
  const Index patience = (distance < p ? 1 : 2) * count(Limit::search_patience);
  if (since_progress_ >= patience && state_ == State::moving) state_ = State::stalled;
}

// The same direction, shorter; after three in a row back to the best q, narrower and drawn anew.
void Search::reject() {
  radius_ /= 4;
  damping_ /= 2;
  if (++rejected_ < 3) return;
  rejected_ = 0;
  damping_ = 1;
  radius_ = std::max(radius_, 1e-3);
  current_ = best_->clone();
  batch_.reset();
  retreat();
}

void Search::retreat() {
  current_->widen(0.5);
  if (++retreats_ > 2 * count(Limit::search_patience))
    state_ = has_best_ ? State::stalled : State::stuck;
}

void Search::advance() {
  if (!batch_) {
    ScoreBatch batch = draw(*current_);
    if (batch.good()) return accept(std::move(current_), std::move(batch));
    // Nothing is known here: narrower, towards where the start was.
    return retreat();
  }
  // A variance may grow until the nonlinearity, which grows with it, is as much as is allowed. A
  // constant gradient has no nonlinearity to speak of, nor a scale.
  const double least = limit(Limit::step_factor);
  const double allowance =
      fit_.nonlinearity >= 0 ? limit(Limit::nonlinearity_allowed) / fit_.nonlinearity : least;
  // At the most from the first q to one on the scale of 1.
  const double growth = std::clamp(allowance, least, std::pow(limit(Limit::start_scale), -2));
  double cap = 1 - 1 / growth;
  // A q that cannot follow E has to move its mean where p is far wider than q.
  if (!current_->closed()) cap = std::max(cap, 1 - 1 / limit(Limit::most_change));
  if (!eigenvalues_below(fit_.e, limit(Limit::bent_upwards))) cap = limit(Limit::bent_cap);
  const StepRule rule{
      .damping = damping_,
      .cap = cap,
      // What growth leaves of the allowance is for the mean, unless that was wrong.
      .radius = rejected_ > 0 ? radius_ : std::max(radius_, std::sqrt(allowance / growth))};
  Member next = current_->clone();
  radius_was_binding_ = next->step(fit_, rule);
  if (!next->lambda().allFinite()) return reject();
  ScoreBatch batch = draw(*next);
  if (!batch.good() || worse(batch)) return reject();
  accept(std::move(next), std::move(batch));
}

void Search::climb(OnTheWay way, const std::atomic<bool>* stop,
                   const std::function<bool(const Vector&)>& known) {
  std::optional<RandomStream> stream;
  if (way == OnTheWay::looked_at) stream.emplace(seed_, Purpose::climb, number_, 0U);
  const Vector start = current_->center();
  const Climb climbed = ravi::climb(*model_, start, current_->scale(), stream, stop, known);
  evaluations_ += climbed.evaluations;
  log_density_of_start_ = climbed.log_density_of_start;
  if (!climbed.begun) {
    ++failed_;
    first_failure_ = start;
  }
  if (climbed.arrived) {
    summit_ = climbed.theta;
    current_->center_at(climbed.theta);
  } else if (climbed.near) {
    current_->assign(current_->lambda_of(climbed.near->mean, climbed.near->l));
  }
  best_ = current_->clone();
}

void Search::run(int steps) {
  for (int i = 0; i < steps && state_ == State::moving; ++i) {
    advance();
    recorder_.add(batch_ ? batch_->elbo : kUnknown);
  }
}

}  // namespace ravi
