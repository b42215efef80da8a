// --method robust: search from several starts, weigh the optima, average around the best.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include "algorithm/conclude.hpp"
#include "algorithm/methods.hpp"
#include "algorithm/whitened_search.hpp"
#include "core/numeric.hpp"
#include "core/parallel.hpp"
#include "family/full_rank.hpp"

namespace ravi {
namespace {

constexpr Index kStartsPerChain = 3;
constexpr int kSearchSteps = 400;
constexpr double kStartScale = 0.01;
// Optima further apart than two unit normals at distance 1 are different ones.
constexpr double kSameOptimum = 1;
// log(1000): an optimum this far below in evidence holds a thousandth of the best one's mass.
constexpr double kNegligibleEvidence = 6.9;
constexpr Index kEvidenceDraws = 2000;

constexpr double kFirstDamping = 0.25;
constexpr int kRounds = 6;
constexpr Index kWindow = 50, kMaxWindows = 32;  // of one round
constexpr double kTolerance = 0.01;              // of KL-hat; more for hundreds of parameters
// Where p is a Gaussian the steps end at it and stay: what is left is rounding, about whose R-hat
// and tails there is nothing to say.
constexpr double kNegligibleError = 1e-6;

// Enough draws that regression on P + 1 coefficients is determined.
Index draws_for(Index dimension) { return std::max<Index>(16, (5 * (dimension + 1) + 3) / 4); }

bool stop_requested(const Observer& observer) {
  return observer.stop_requested && observer.stop_requested->load(std::memory_order_relaxed);
}

// --- Search -----------------------------------------------------------------------------------

struct Searches {
  std::vector<WhitenedSearch> found;  // those with a q whose ELBO could be computed
  std::int64_t evaluations = 0, failed = 0;
  Vector first_failure = {};
};

// Every start to its end: starts are cheap, and minor modes are common.
Searches search_all(const Model& model, const Options& options, const Observer& observer) {
  const Index starts = options.chains * kStartsPerChain, p = model.dimension();
  std::vector<WhitenedSearch> all;
  for (Index i = 0; i < starts; ++i) {
    all.emplace_back(
        model,
        WhitenedGaussian{mirrored_start(p, options.seed, i), kStartScale * Matrix::Identity(p, p)},
        draws_for(p), options.seed, static_cast<std::uint32_t>(i));
  }
  parallel_for(starts, resolve_threads(options.threads), [&](Index i) {
    WhitenedSearch& search = all[static_cast<std::size_t>(i)];
    for (int done = 0; done < kSearchSteps && !stop_requested(observer); ++done) search.run(1);
  });
  Searches searches;
  for (WhitenedSearch& s : all) {
    searches.evaluations += s.evaluations();
    searches.failed += s.failed();
    if (searches.first_failure.size() == 0) searches.first_failure = s.first_failure();
    if (s.found()) searches.found.push_back(std::move(s));
  }
  return searches;
}

// --- Modes ------------------------------------------------------------------------------------

// An optimum, and the searches that ended in it, the best first.
struct Mode {
  std::vector<const WhitenedSearch*> searches;
  double log_evidence = 0;
  const WhitenedGaussian& best() const { return searches.front()->best(); }
};

// log p(y) by importance sampling from q.
double log_evidence(const Model& model, const WhitenedGaussian& q, const Options& options,
                    std::uint32_t which) {
  const WhitenedBatch batch = draw_whitened(
      model, q, kEvidenceDraws, RandomStream(options.seed, Purpose::evidence, which, 0));
  if (batch.z.cols() == 0) return -std::numeric_limits<double>::infinity();
  return log_sum_exp(batch.log_ratio) - std::log(static_cast<double>(kEvidenceDraws));
}

std::vector<Mode> find_modes(const Searches& searches) {
  std::vector<const WhitenedSearch*> by_elbo;
  for (const WhitenedSearch& s : searches.found) by_elbo.push_back(&s);
  std::ranges::stable_sort(by_elbo, std::greater{}, &WhitenedSearch::best_elbo);
  std::vector<Mode> modes;
  for (const WhitenedSearch* s : by_elbo) {
    const auto same = std::ranges::find_if(modes, [&](const Mode& mode) {
      return symmetrized_kl(mode.best(), s->best()) < kSameOptimum;
    });
    if (same == modes.end()) {
      modes.push_back({.searches = {s}});
    } else {
      same->searches.push_back(s);
    }
  }
  return modes;
}

// Leaves the modes that hold mass; returns the largest share of one that does not, 0 if all do.
double drop_minor_modes(const Model& model, const Options& options, std::vector<Mode>& modes,
                        std::int64_t& evaluations) {
  if (modes.size() == 1) return 0;
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t m = 0; m < modes.size(); ++m) {
    modes[m].log_evidence =
        log_evidence(model, modes[m].best(), options, static_cast<std::uint32_t>(m));
    evaluations += kEvidenceDraws;
    best = std::max(best, modes[m].log_evidence);
  }
  double share = 0;
  std::erase_if(modes, [&](const Mode& mode) {
    const double below = best - mode.log_evidence;
    if (below <= kNegligibleEvidence) return false;
    share = std::max(share, std::exp(-below));
    return true;
  });
  return share;
}

// One search for every chain: the best of each mode first, then the second best, and so on. Chains
// that are left go on from the best optimum.
std::vector<WhitenedGaussian> starts_of_chains(const std::vector<Mode>& modes, Index chains) {
  std::vector<WhitenedGaussian> starts;
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(kStartsPerChain * chains); ++rank) {
    for (const Mode& mode : modes) {
      if (rank < mode.searches.size() && static_cast<Index>(starts.size()) < chains) {
        starts.push_back(mode.searches[rank]->best());
      }
    }
  }
  starts.resize(static_cast<std::size_t>(chains), modes.front().best());
  return starts;
}

// --- Averaging --------------------------------------------------------------------------------

// The error of the average, as KL(average || what it estimates), from how much B averages over
// quarters of the run differ: with d_b = L^-1 (mu_b - mu) and C_b = L^-1 (L_b - L),
// sum_b (|d_b|^2 + |C_b|_F^2 + |diag C_b|^2) / (2 B (B - 1)).
double kl_hat(const Iterates& iterates, Index dimension) {
  const std::vector<Block> quarters = iterates.quarters();
  if (quarters.empty()) return std::numeric_limits<double>::infinity();
  FullRank center(dimension), part(dimension);
  Vector mean = Vector::Zero(iterates.size());
  for (const Block& block : quarters) mean += block.mean;
  const auto b = static_cast<double>(quarters.size());
  center.assign(mean / b);
  const auto l = center.l().triangularView<Eigen::Lower>();
  double sum = 0;
  for (const Block& block : quarters) {
    part.assign(block.mean);
    const Vector d = l.solve(part.mean() - center.mean());
    const Matrix c = l.solve(part.l() - center.l());
    sum += d.squaredNorm() + c.squaredNorm() + c.diagonal().squaredNorm();
  }
  return sum / (2 * b * (b - 1));
}

// J chains of damped steps around the optimum, whose average is the answer.
class Averaging {
 public:
  Averaging(const Model& model, const Options& options, const Observer& observer,
            std::vector<WhitenedGaussian> start)
      : model_(model),
        options_(options),
        observer_(observer),
        q_(std::move(start)),
        iterates_(options.chains, FullRank::size_for(model.dimension()), kWindow),
        elbo_(Vector::Zero(options.chains)) {}

  Search run(Monitor& monitor);
  const Iterates& iterates() const { return iterates_; }
  const WhitenedGaussian& first_chain() const { return q_.front(); }
  long iteration() const { return iteration_; }
  bool interrupted() const { return stop_requested(observer_); }
  void add_to(ChainsReport& report) const {
    report.evaluations += evaluations_;
    report.failed_draws += failed_;
    if (report.first_failure.size() == 0) report.first_failure = first_failure_;
  }

 private:
  bool advance(double damping);
  bool done(Search& search, Monitor& monitor);

  const Model& model_;
  const Options& options_;
  const Observer& observer_;
  std::vector<WhitenedGaussian> q_;  // of every chain
  Iterates iterates_;
  Vector elbo_;
  long iteration_ = 0;
  std::int64_t evaluations_ = 0, failed_ = 0;
  Vector first_failure_;
};

// One window of every chain. A batch with too many failed draws moves nothing.
bool Averaging::advance(double damping) {
  struct Count {
    std::int64_t evaluated = 0, failed = 0;
    Vector first_failure = {};
  };
  std::vector<Count> counts(q_.size());
  parallel_for(options_.chains, resolve_threads(options_.threads), [&](Index j) {
    const auto at = static_cast<std::size_t>(j);
    double elbo = 0;
    for (Index i = 0; i < kWindow; ++i) {
      if (stop_requested(observer_)) return;
      WhitenedBatch batch = draw_whitened(
          model_, q_[at], draws_for(model_.dimension()),
          RandomStream(options_.seed, Purpose::gradient, static_cast<std::uint32_t>(j),
                       static_cast<std::uint32_t>(iteration_ + i)));
      counts[at].evaluated += batch.evaluated;
      counts[at].failed += batch.failed;
      if (counts[at].first_failure.size() == 0) counts[at].first_failure = batch.first_failure;
      elbo += batch.elbo;
      if (batch.good()) {
        const WhitenedGaussian next = step(q_[at], fit_by_moments(batch), {.damping = damping});
        if (next.finite()) q_[at] = next;
      }
      iterates_.window(j).col(i) = FullRank::pack(q_[at].mu, q_[at].l);
    }
    elbo_(j) = elbo / static_cast<double>(kWindow);
  });
  for (const Count& c : counts) {
    evaluations_ += c.evaluated;
    failed_ += c.failed;
    if (first_failure_.size() == 0) first_failure_ = c.first_failure;
  }
  if (interrupted()) return false;
  iteration_ += kWindow;
  iterates_.close_window(kWindow);
  return true;
}

bool Averaging::done(Search& search, Monitor& monitor) {
  average_what_was_kept(search, iterates_, options_);
  monitor.report(Phase::averaging,
                 {iteration_, mean(elbo_), search.rhat.value, search.precision.mcse_median,
                  search.precision.ess_min},
                 search.rhat);
  const auto p = static_cast<double>(model_.dimension());
  const double error = kl_hat(iterates_, model_.dimension());
  search.exact = error < kNegligibleError;
  return search.exact || (error < kTolerance * std::max(1.0, p / 50) && search.stationary &&
                          search.precision.ess_min > options_.ess_threshold);
}

// Rounds of smaller and smaller steps, each from the averages of the one before: small steps
// average better, large ones forget the start sooner.
Search Averaging::run(Monitor& monitor) {
  Search search;
  double damping = kFirstDamping;
  for (int round = 0; round < kRounds; ++round, damping /= 2) {
    iterates_ = Iterates(options_.chains, iterates_.size(), kWindow);
    if (!advance(damping)) break;
    search.averaging_started_at = iteration_;
    iterates_.start_keeping();
    Index next_check = 2;
    for (Index window = 1; window <= kMaxWindows; ++window) {
      if (iteration_ + kWindow > options_.max_iterations || !advance(damping)) break;
      if (window < next_check) continue;
      next_check = window + std::max<Index>(1, window / 2);
      if (done(search, monitor)) {
        search.termination = Termination::converged;
        return search;
      }
    }
    if (interrupted() || iteration_ + 2 * kWindow > options_.max_iterations) break;
    FullRank q(model_.dimension());
    for (Index j = 0; j < options_.chains; ++j) {
      q.assign(iterates_.average(j));
      q_[static_cast<std::size_t>(j)] = {q.mean(), q.l()};
    }
  }
  search.termination = interrupted() ? Termination::interrupted : Termination::max_iterations;
  if (iterates_.kept() > 0) average_what_was_kept(search, iterates_, options_);
  return search;
}

}  // namespace

Fit fit_robustly(const Model& model, const Options& options, const Observer& observer,
                 const Reference* reference) {
  const auto started = std::chrono::steady_clock::now();
  FullRank q(model.dimension());
  Monitor monitor(observer, q, model.unconstrained_names());

  monitor.enter(Phase::searching);
  const Searches searches = search_all(model, options, observer);
  ChainsReport report{.evaluations = searches.evaluations,
                      .failed_draws = searches.failed,
                      .first_failure = searches.first_failure};
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  };
  if (searches.found.empty()) {
    report.interrupted = stop_requested(observer);
    // A search that was stopped at once has not found out that nothing can be computed.
    if (!report.interrupted) report.breakdown = {FindingCode::density_not_computable, 0, 0};
    report.seconds = seconds();
    const Iterates nothing(options.chains, q.size(), kWindow);
    Search search;
    search.termination = report.interrupted ? Termination::interrupted : Termination::diverged;
    return conclude({report, search, nothing, q.isotropic(Vector::Zero(q.dimension()), 1)}, model,
                    q, options, monitor, reference, started);
  }

  std::vector<Finding> findings;
  std::vector<Mode> modes = find_modes(searches);
  const double dropped = drop_minor_modes(model, options, modes, report.evaluations);
  if (dropped > 0) findings.push_back({FindingCode::minor_modes, dropped});

  Averaging averaging(model, options, observer, starts_of_chains(modes, options.chains));
  const Search search = averaging.run(monitor);
  averaging.add_to(report);
  report.iteration = averaging.iteration();
  report.interrupted = averaging.interrupted();
  report.seconds = seconds();
  const Vector last = FullRank::pack(averaging.first_chain().mu, averaging.first_chain().l);
  return conclude({report, search, averaging.iterates(), last, findings}, model, q, options,
                  monitor, reference, started);
}

}  // namespace ravi
