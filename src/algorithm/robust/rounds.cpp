// First-order steps in rounds of halved step size.
#include "algorithm/robust/rounds.hpp"

#include <algorithm>
#include <cmath>

#include "algorithm/judge/agreement.hpp"
#include "core/numeric.hpp"

namespace ravi {
namespace {

// The second half of a round is judged by averages over this many parts of it per chain.
constexpr Index kParts = 8;
// The halves of what is judged differ by 4 KL-hat on average when there is only noise; and parts
// that know much of each other are too short.
constexpr double kDriftLimit = 2, kCorrelationLimit = 0.5;
// Halving eta pays as long as it saves three iterations of ten for the same precision.
constexpr double kSaving = 0.7;
// How often chains that broke down are given another try, and how much smaller steps are then.
constexpr int kRescues = 10;
constexpr double kRescueFactor = 10;

Vector mean_of(std::span<const Vector> lambdas) {
  Vector sum = lambdas.front();
  for (const Vector& lambda : lambdas.subspan(1)) sum += lambda;
  return sum / static_cast<double>(lambdas.size());
}

// KL(q_a || q_b); infinite when it cannot be computed.
class Divergence {
 public:
  explicit Divergence(const Approximation& prototype)
      : a_(prototype.clone()), b_(prototype.clone()) {}
  double operator()(const Vector& a, const Vector& b) {
    a_->assign(a);
    b_->assign(b);
    const double kl = a_->kl(*b_);
    return std::isfinite(kl) ? kl : kInf;
  }

 private:
  std::unique_ptr<Approximation> a_, b_;
};

// What the second half of a round says. Numbers that cannot be computed are the worst there are.
struct Judgment {
  double error = kInf;     // KL-hat: expected KL of the average to what it estimates
  double limit = kInf;     // what that KL is below with a confidence of 95 %
  double drift = kInf;     // KL(first half || second half), in units of 4 KL-hat
  double correlation = 1;  // of a part with the next
  double moved = kInf;     // KL between the average and that of the round before

  bool stationary() const { return drift < kDriftLimit && correlation < kCorrelationLimit; }
};

// B parts, kParts of each chain in a row, that estimate one average. For small deviations
// KL(q_a || q_b) = |x_a - x_b|^2 / 2 in coordinates x in which q has unit information, so that
// variances and covariances of parts can be had from divergences alone:
//   variance     v = sum_b KL(q_b || q) / (B - 1),  KL-hat = v / B,
//   correlation  c = 1 - mean_b KL(q_b || q_b+1) / (2 v)    (von Neumann 1941),
// and correlated parts know less: KL-hat (1 + c) / (1 - c). Chains know nothing of each other, so
// that their averages give KL-hat as well, however slowly each of them moves: the larger one
// counts, of the expectation and of the limit.
Judgment judge(std::span<const Vector> parts, const Vector* before, Divergence& kl) {
  const auto b = static_cast<double>(parts.size());
  const Vector center = mean_of(parts);
  const auto chains = static_cast<Index>(parts.size()) / kParts;
  std::vector<Vector> chain, first, second;
  Vector around(static_cast<Index>(parts.size()));
  double successive = 0;
  for (Index j = 0; j < chains; ++j) {
    const auto own = parts.subspan(static_cast<std::size_t>(j * kParts), kParts);
    for (std::size_t i = 0; i < own.size(); ++i) {
      around(j * kParts + static_cast<Index>(i)) = kl(own[i], center);
      if (i > 0) successive += kl(own[i - 1], own[i]);
    }
    chain.push_back(mean_of(own));
    first.push_back(mean_of(own.first(kParts / 2)));
    second.push_back(mean_of(own.last(kParts / 2)));
  }
  if (!around.allFinite()) return {};

  Judgment judgment;
  const double variance = around.sum() / (b - 1);
  const double pairs = b - static_cast<double>(chains);
  judgment.correlation = variance > 0 ? 1 - successive / pairs / (2 * variance) : 0;
  const double c = std::clamp(judgment.correlation, 0.0, 0.99);
  judgment.error = variance / b * (1 + c) / (1 - c);
  judgment.limit = variance > 0 ? kl_limit(judgment.error, around) : 0;
  const double halves = kl(mean_of(first), mean_of(second));
  judgment.drift = variance > 0 ? halves / (4 * variance / b) : 0;
  if (chains > 1) {
    Vector among(chains);
    for (Index j = 0; j < chains; ++j) among(j) = kl(chain[static_cast<std::size_t>(j)], center);
    const double error = among.sum() / static_cast<double>(chains * (chains - 1));
    judgment.error = std::max(judgment.error, error);
    if (error > 0) judgment.limit = std::max(judgment.limit, kl_limit(error, among));
  }
  if (before) judgment.moved = (kl(center, *before) + kl(*before, center)) / 2;
  return judgment;
}

Judgment worse(const Judgment& a, const Judgment& b) {
  return {std::max(a.error, b.error), std::max(a.limit, b.limit), std::max(a.drift, b.drift),
          std::max(a.correlation, b.correlation), std::max(a.moved, b.moved)};
}

class Rounds {
 public:
  Rounds(Chains& chains, const Approximation& prototype, const Options& options, Monitor& monitor)
      : chains_(chains),
        iterates_(chains.iterates()),
        prototype_(prototype),
        options_(options),
        monitor_(monitor),
        kl_(prototype),
        limit_(options.tolerance * options.tolerance / 2 *
               std::max(1.0, static_cast<double>(prototype.dimension()) / 50)),
        first_eta_(
            std::min(options.step_size, 1 / std::sqrt(static_cast<double>(prototype.size())))),
        eta_(first_eta_),
        run_(limits_of_worst(options, prototype.size())) {
    for (Index j = 0; j < options.chains; ++j) start_.push_back(chains.lambda(j));
  }

  ChainRun run();

 private:
  enum class End { halve, found, cut_short };

  End run_round();
  Judgment look();
  double bias(const Judgment& now) const;
  bool precise(const Judgment& now) const;
  bool found(const Judgment& now) const;
  bool finished(const Judgment& now, double cost) const;
  void rescue(int attempt);
  void average_until_effective();
  bool effective();
  bool advance();
  void begin(Phase phase);

  Chains& chains_;
  Iterates& iterates_;
  const Approximation& prototype_;
  const Options& options_;
  Monitor& monitor_;
  Divergence kl_;
  double limit_;  // on the KL divergence of the answer to the best q
  double first_eta_, eta_;
  std::vector<Vector> start_;  // of the round, for every chain
  // The round before: each chain's average, the error of those, and error times iterations, which
  // does not depend on how long it was.
  std::vector<Vector> before_;
  double error_before_ = kInf, cost_before_ = kInf;
  bool apart_ = false;  // the chains have settled on different answers
  ChainRun run_;
};

// One window; false when a chain broke down, the user asked to stop, or time is up.
bool Rounds::advance() {
  if (chains_.iteration() + options_.window > options_.max_iterations) return false;
  const bool went_on = chains_.advance(options_.window);
  monitor_.count(chains_.iteration());
  return went_on;
}

void Rounds::begin(Phase phase) {
  monitor_.enter(phase, options_.max_iterations, kIterations, chains_.iteration());
}

// Judges the second half of the round so far: all chains together, or each by itself when they have
// settled on different answers.
Judgment Rounds::look() {
  const Judging judging(monitor_);
  const Agreement agreement = compare_chains(iterates_, prototype_);
  run_.rhat = agreement.rhat;
  std::vector<Vector> recent;
  const std::vector<Block> parts = iterates_.parts(2 * kParts);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i % (2 * kParts) >= kParts) recent.push_back(parts[i].mean);
  }
  apart_ = agreement.settled_apart(run_.limits.rhat);
  if (!apart_) {
    if (before_.empty()) return judge(recent, nullptr, kl_);
    const Vector before = mean_of(before_);
    return judge(recent, &before, kl_);
  }
  Judgment worst{0, 0, 0, -1, 0};
  for (std::size_t j = 0; j < start_.size(); ++j) {
    const auto own = std::span(recent).subspan(j * kParts, kParts);
    worst = worse(worst, judge(own, before_.empty() ? nullptr : &before_[j], kl_));
  }
  return worst;
}

// The averages of two rounds differ by their errors and by their biases; where the bias is
// proportional to eta, the latter difference is the bias of this round.
double Rounds::bias(const Judgment& now) const {
  if (!(error_before_ < limit_ / 2)) return now.moved;
  return std::max(0.0, now.moved - error_before_ - now.error);
}

// Half of the limit is for the error. A quarter for the bias leaves room for one that falls more
// slowly, as eta^(1/2) for example, of which the difference would show a sixth. What is reported,
// the limit of the error and the bias, is then below the limit.
bool Rounds::precise(const Judgment& now) const {
  return now.error < limit_ / 2 && now.limit < 0.75 * limit_;
}

bool Rounds::found(const Judgment& now) const {
  return precise(now) && error_before_ < limit_ / 2 && bias(now) < limit_ / 4;
}

// Whether more iterations at this eta are not worth it: nothing to compare them with; precise
// enough; fewer would do at eta / 2; or the bias shows already.
bool Rounds::finished(const Judgment& now, double cost) const {
  return before_.empty() || precise(now) || cost < kSaving * cost_before_ ||
         now.moved > limit_ + 2 * (error_before_ + now.error);
}

Rounds::End Rounds::run_round() {
  // A step of Adam is about eta long in every component, so that its length in units of q is
  // eta K^(1/2), and it changes q by a KL divergence of eta^2 K / 2: the first eta keeps that below
  // 1/2. The mean moves by eta at least, not eta standard deviations, in the first round, so that a
  // narrow q gets where it should; by eta / 4 in the second, and so on, because smaller errors are
  // left over.
  chains_.restart(start_, eta_, std::pow(eta_ / first_eta_, 2));
  iterates_.start_keeping();
  const long began = chains_.iteration();
  // Checks after 16, 32, 48, 64, 96, 128, 192, ... windows, which the blocks of Iterates divide
  // into equal parts.
  Index windows = 0, next_check = 2 * kParts, step = 2 * kParts;
  while (advance()) {
    if (++windows < next_check) continue;
    if (next_check == 4 * step) step *= 2;
    next_check += step;
    const Judgment now = look();
    run_.stationary = now.stationary();
    run_.error = error_in_sds(now.limit + bias(now), prototype_.dimension());
    chains_.tell(monitor_, run_.rhat, run_.precision, run_.error);
    if (!run_.stationary) continue;
    if (found(now)) return End::found;
    const double cost = now.error * static_cast<double>(chains_.iteration() - began);
    if (!finished(now, cost)) continue;
    iterates_.forget_first_half();
    before_.clear();
    for (Index j = 0; j < options_.chains; ++j) before_.push_back(iterates_.average(j));
    error_before_ = now.error;
    cost_before_ = cost;
    return End::halve;
  }
  return End::cut_short;
}

// A chain that can compute nothing where it began begins elsewhere; one that left all bounds goes
// back to where the round began, and takes smaller steps.
void Rounds::rescue(int attempt) {
  bool out_of_bounds = false;
  for (Index j = 0; j < options_.chains; ++j) {
    const std::optional<Breakdown>& broken = chains_.breakdown(j);
    if (!broken) continue;
    if (before_.empty() && broken->code == FindingCode::density_not_computable) {
      start_[static_cast<std::size_t>(j)] =
          narrow_start(prototype_, options_.seed, attempt * options_.chains + j);
    } else {
      out_of_bounds = true;
    }
  }
  if (out_of_bounds) eta_ /= kRescueFactor;
  if (before_.empty()) first_eta_ = eta_;
}

// Lines 13-16 of Algorithm 1: a longer average, until every component of it rests on enough
// effective iterates. KL-hat sees what chains differ in; what all of them have kept of earlier
// rounds, where they move too slowly to lose it, shows only here.
void Rounds::average_until_effective() {
  long kept = chains_.iteration() - run_.averaging_started_at;
  const auto look_again = [&] {
    const Judging judging(monitor_);
    run_.precision = iterate_precision(iterates_, options_.threads);
    return effective();
  };
  begin(Phase::averaging);
  while (!look_again()) {
    for (const long longer = kept + kept / 2; kept < longer; kept += options_.window) {
      if (!advance()) return;
    }
  }
}

// Chains apart have no common average.
bool Rounds::effective() {
  chains_.tell(monitor_, run_.rhat, run_.precision, run_.error);
  return apart_ || run_.precision.ess_min > run_.limits.ess;
}

ChainRun Rounds::run() {
  begin(Phase::searching);
  int rescues = 0;
  End end = End::halve;
  while (end == End::halve) {
    end = run_round();
    if (end == End::halve) {
      start_ = before_;
      eta_ /= 2;
    } else if (chains_.breakdown() && rescues < kRescues) {
      rescue(++rescues);
      end = End::halve;
    }
  }
  // What was judged is what is averaged.
  const Index judged = iterates_.forget_first_half();
  if (judged > 0) run_.averaging_started_at = chains_.iteration() - judged;
  if (end == End::found) average_until_effective();
  run_.average = iterates_.average();
  bool precise = false;
  if (iterates_.kept() > 0) {
    const Judging judging(monitor_);
    run_.precision = iterate_precision(iterates_, options_.threads);
    run_.rhat = largest(run_.precision.rhat);
    precise = effective() && end == End::found;
  }
  run_.termination =
      chains_.cut_short().value_or(precise ? Termination::converged : Termination::max_iterations);
  return run_;
}

}  // namespace

ChainRun search_in_rounds(Chains& chains, const Approximation& prototype, const Options& options,
                          Monitor& monitor) {
  return Rounds(chains, prototype, options, monitor).run();
}

}  // namespace ravi
