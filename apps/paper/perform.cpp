// Carries out one run: a fit, chains scored along the way, or the autocorrelation of a chain.
#include "paper/perform.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "algorithm/chains/chains.hpp"
#include "algorithm/judge/agreement.hpp"
#include "algorithm/methods.hpp"
#include "algorithm/validate.hpp"
#include "core/numeric.hpp"
#include "core/registry.hpp"
#include "diagnostics/autocovariance.hpp"
#include "scoring/score.hpp"

namespace ravi::paper {
namespace {

constexpr Index kLags = 100;

Quality quality_of(const Answer& answer) {
  Quality q{.khat = answer.khat, .elbo = answer.elbo};
  if (answer.reference) {
    q.d_mu = answer.reference->d_mu;
    q.d_sigma = answer.reference->d_sigma;
    q.kl = answer.reference->kl;
  }
  return q;
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
        chains_(*problem.model, options, *q_, stop_requested) {}

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
  if (run.kind == Kind::fit) return run_fit(problem, options, stop_requested);
  validate(options, *problem.model);
  options = filled_in(options, *problem.model);
  if (run.kind == Kind::evolution) {
    return run_evolution(problem, options, run.checkpoints, stop_requested);
  }
  return run_autocorrelation(problem, options, run.parameters, stop_requested);
}

}  // namespace ravi::paper
