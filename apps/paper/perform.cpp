// Carries out one run: a fit, chains scored along the way, or the autocorrelation of a chain.
#include "paper/perform.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "algorithm/chains/chains.hpp"
#include "algorithm/judge/agreement.hpp"
#include "algorithm/methods.hpp"
#include "algorithm/paper/rules.hpp"
#include "algorithm/paper/stops.hpp"
#include "algorithm/validate.hpp"
#include "core/numeric.hpp"
#include "core/registry.hpp"
#include "core/rng.hpp"
#include "diagnostics/autocovariance.hpp"
#include "diagnostics/psis.hpp"
#include "scoring/score.hpp"

namespace ravi::paper {
namespace {

constexpr Index kLags = 100;

// Distances in more norms, and from what the paper's are measured from.
void add_distances(const Problem& problem, const Approximation& q, Quality& quality) {
  if (problem.reference) quality.frobenius = (problem.reference->cov - q.cov()).norm();
  if (!problem.printed_reference) return;
  if (problem.printed_reference->cov.size() == 0) {
    quality.printed_d_mu = (problem.printed_reference->mean - q.mean()).norm();
    return;
  }
  const ReferenceScore score = compare_with(*problem.printed_reference, q);
  quality.printed_d_mu = score.d_mu;
  quality.printed_d_sigma = score.d_sigma;
}

// k-hat and ELBO of one batch; a draw whose density cannot be computed has no weight.
void score_batch(const Model& model, const Approximation& q, Index draws, RandomStream stream,
                 Quality& quality) {
  constexpr Index kAtOnce = 500;
  Vector log_ratios(draws);
  for (Index done = 0; done < draws; done += kAtOnce) {
    const Index n = std::min(kAtOnce, draws - done);
    Matrix z(q.dimension(), n), theta(q.dimension(), n);
    Vector log_p(n);
    stream.fill_normal(z);
    q.forward(z, theta);
    model.log_density(theta, log_p);
    log_ratios.segment(done, n) = log_p - q.log_density_at(z);
  }
  quality.elbo = mean(log_ratios);
  quality.khat = psis(log_ratios.array().isFinite().select(log_ratios, -kInf)).khat;
}

Quality quality_of(const Answer& answer) {
  Quality q{.khat = answer.khat, .elbo = answer.elbo};
  if (answer.reference) {
    q.d_mu = answer.reference->d_mu;
    q.d_sigma = answer.reference->d_sigma;
    q.kl = answer.reference->kl;
  }
  return q;
}

Quality quality_in_batch(const Problem& problem, const Approximation& q, const Run& run,
                         std::uint32_t which) {
  Answer answer;
  if (problem.reference) answer.reference = compare_with(*problem.reference, q);
  Quality quality = quality_of(answer);
  add_distances(problem, q, quality);
  score_batch(*problem.model, q, run.khat_draws, {run.options.seed, Purpose::importance, which, 0},
              quality);
  return quality;
}

// The log density of a model less a constant.
class Less final : public Model {
 public:
  Less(const Model& model, double constant) : model_(model), constant_(constant) {}
  Index dimension() const override { return model_.dimension(); }
  void evaluate(const ConstMatrixRef& theta, VectorRef log_density,
                MatrixRef gradient) const override {
    model_.evaluate(theta, log_density, gradient);
    log_density.array() -= constant_;
  }

 private:
  const Model& model_;
  double constant_;
};

// Chains under their stopping rule, as fit() runs them, without what it says of the answer besides:
// one batch of draws takes the place of its scores and summaries.
std::optional<Result> run_chains(const Problem& problem, const Run& run, const Options& options,
                                 const std::atomic<bool>* stop_requested) {
  const Model& model = *problem.model;
  const auto q = entry_of(family_registry(), options.family, "family").make(model.dimension());
  const Observer observer{.stop_requested = stop_requested};
  Monitor monitor(observer, *q, limits_of_one(options), model.unconstrained_names());
  const Less as_theirs(model, problem.elbo_constants);
  Chains chains(as_theirs, options, *drawn_by_root(*q, options), stop_requested);
  const ChainRun chain_run =
      entry_of(stop_registry(), options.stop, "stopping rule").run(chains, options, monitor);
  if (chains.interrupted()) return std::nullopt;
  Result r{.termination = std::string(name(chain_run.termination)),
           .iterations = chains.iteration(),
           .averaging_started_at = chain_run.averaging_started_at,
           .evaluations = chains.report().evaluations,
           .rhat = chain_run.rhat.value,
           .ess = chain_run.precision.ess_min};
  if (chain_run.termination == Termination::diverged) return r;
  r.last = quality_in_batch(problem, *q->member(chains.lambda(0)), run, stream_of::last_iterate);
  const Agreement agreement = compare_chains(chains.iterates(), *q);
  if (agreement.apart(options.rhat_threshold)) {
    r.rhat = agreement.rhat.value;  // there is no common average
  } else {
    r.average = quality_in_batch(problem, *q->member(chain_run.average), run, stream_of::average);
  }
  return r;
}

std::optional<Result> run_fit(const Problem& problem, const Options& options,
                              const std::atomic<bool>* stop_requested) {
  const Fit f = fit(*problem.model, options, {.stop_requested = stop_requested},
                    problem.reference ? &*problem.reference : nullptr);
  if (f.termination == Termination::interrupted) return std::nullopt;
  Result r{.termination = std::string(name(f.termination)),
           .verdict = std::string(name(f.verdict)),
           .iterations = f.iterations,
           .averaging_started_at = f.averaging_started_at,
           .evaluations = f.gradient_evaluations,
           .rhat = f.rhat_max,
           .ess = f.ess_min,
           .tail_index = f.tail_index_max};
  if (f.last_iterate) r.last = quality_of(*f.last_iterate);
  if (f.average) r.average = quality_of(*f.average);
  return r;
}

// Chains of --method paper that are looked at while they run.
class Experiment {
 public:
  Experiment(const Problem& problem, const Options& options,
             const std::atomic<bool>* stop_requested)
      : problem_(problem),
        options_(options),
        q_(entry_of(family_registry(), options.family, "family").make(problem.model->dimension())),
        chains_(*problem.model, options, *drawn_by_root(*q_, options), stop_requested) {}

  // False when asked to stop, or when a chain broke down.
  bool advance_to(long iteration) {
    while (chains_.iteration() < iteration) {
      const long left = iteration - chains_.iteration();
      if (!chains_.advance(std::min<long>(options_.window, left))) return false;
    }
    return true;
  }

  Chains& chains() { return chains_; }

  // The average is over the second half of the run and all chains.
  Point look() {
    const Agreement agreement = compare_chains(chains_.iterates(), *q_);
    Point point{.iteration = chains_.iteration(),
                .elbo = mean(chains_.window_elbo()),
                .rhat_window = window_rhat(chains_.iterates()).value,
                .rhat_half = agreement.rhat.value,
                .last = scored(chains_.lambda(0), 0)};
    Vector average = Vector::Zero(q_->size());
    for (const Vector& of_chain : agreement.chain_average) average += of_chain;
    if (!agreement.chain_average.empty()) {
      average /= static_cast<double>(agreement.chain_average.size());
      point.average = scored(average, 1);
    }
    return point;
  }

 private:
  Quality scored(const Vector& lambda, std::uint32_t which) {
    q_->assign(lambda);
    Answer answer = score(*problem_.model, *q_, options_, which, Detail::score_only);
    if (problem_.reference) answer.reference = compare_with(*problem_.reference, *q_);
    return quality_of(answer);
  }

  const Problem& problem_;
  const Options& options_;
  std::unique_ptr<Approximation> q_;
  Chains chains_;
};

std::optional<Result> run_evolution(const Problem& problem, const Options& options,
                                    const std::vector<long>& checkpoints,
                                    const std::atomic<bool>* stop_requested) {
  Experiment experiment(problem, options, stop_requested);
  Result r;
  for (const long checkpoint : checkpoints) {
    if (!experiment.advance_to(checkpoint)) break;
    r.points.push_back(experiment.look());
    r.last = r.points.back().last;
    r.average = r.points.back().average;
  }
  if (experiment.chains().interrupted()) return std::nullopt;
  r.termination = std::string(
      name(experiment.chains().breakdown() ? Termination::diverged : Termination::iterations_done));
  r.iterations = experiment.chains().iteration();
  r.evaluations = experiment.chains().report().evaluations;
  return r;
}

// rho_t = gamma_t / gamma_0 of the location of each parameter, over the second half of the run.
std::optional<Result> run_autocorrelation(const Problem& problem, const Options& options,
                                          const std::vector<std::string>& parameters,
                                          const std::atomic<bool>* stop_requested) {
  Experiment experiment(problem, options, stop_requested);
  Chains& chains = experiment.chains();
  const bool done = experiment.advance_to(options.max_iterations / 2) &&
                    (chains.iterates().start_keeping(), true) &&
                    experiment.advance_to(options.max_iterations);
  if (chains.interrupted()) return std::nullopt;
  Result r{
      .termination = std::string(name(done ? Termination::iterations_done : Termination::diverged)),
      .iterations = chains.iteration(),
      .evaluations = chains.report().evaluations};
  if (!done) return r;
  const std::vector<std::string> names = problem.model->unconstrained_names();
  r.autocorrelation.resize(kLags + 1, static_cast<Index>(parameters.size()));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto found = std::ranges::find(names, parameters[i]);
    if (found == names.end()) throw UsageError(fmt::format("no parameter {}", parameters[i]));
    // Both families hold mu first.
    const Vector gamma = autocovariance(chains.iterates().series(found - names.begin()).col(0));
    r.autocorrelation.col(static_cast<Index>(i)) = gamma.head(kLags + 1) / gamma(0);
  }
  r.tail_index = largest(kept_tail_indices(chains.iterates(), 1)).value;
  return r;
}

}  // namespace

std::optional<Result> perform(const Run& run, const Library& library,
                              const std::atomic<bool>* stop_requested) {
  const Problem problem = library.load(run);
  Options options = run.options;
  options.threads = 1;
  if (run.kind == Kind::fit && run.khat_draws == 0) {
    return run_fit(problem, options, stop_requested);
  }
  validate(options, *problem.model);
  options = filled_in(options, *problem.model);
  if (run.kind == Kind::fit) return run_chains(problem, run, options, stop_requested);
  if (run.kind == Kind::evolution) {
    return run_evolution(problem, options, run.checkpoints, stop_requested);
  }
  return run_autocorrelation(problem, options, run.parameters, stop_requested);
}

}  // namespace ravi::paper
