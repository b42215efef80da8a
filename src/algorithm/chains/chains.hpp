// J optimizer chains that advance side by side and record their iterates.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "algorithm/judge/elbo_recorder.hpp"
#include "algorithm/judge/monitor.hpp"
#include "algorithm/judge/run.hpp"
#include "iterates/iterates.hpp"
#include "objective/elbo.hpp"
#include "objective/minibatch.hpp"
#include "optimizer/optimizer.hpp"
#include "ravi/fit.hpp"

namespace ravi {

// One chain: lambda, and all it needs for the next step. Its steps depend on (seed, chain,
// iteration) only.
class Chain {
 public:
  Chain(const Model& model, const Options& options, Index index, const Approximation& start);

  // Runs n steps, writing each new lambda to the chain's window and each ELBO estimate; returns
  // early after a breakdown or when asked to stop.
  void run(Index n, Iterates& iterates, Vector& elbo, const std::atomic<bool>* stop_requested);

  // Goes on from lambda with a fresh optimizer, whose steps are moves in units of q from now on
  // (family/approximation.hpp).
  // Iteration numbers, and with them the random numbers, go on.
  void restart(const Vector& lambda, double step_size, double reach);

  const Vector& lambda() const { return lambda_; }  // always finite
  const std::optional<Breakdown>& breakdown() const { return breakdown_; }
  std::int64_t evaluations() const { return evaluations_; }
  std::int64_t failed_draws() const { return failed_draws_; }
  const Vector& first_failure() const { return objective_.first_failure(); }
  ElboTrace elbo_trace() const { return recorder_.trace(); }

 private:
  bool step(double& elbo);  // false: broken down
  void propose();           // the optimizer's next lambda

  Index index_;
  std::uint64_t seed_;
  Index patience_;  // steps without a single usable draw before giving up
  std::unique_ptr<Approximation> q_;
  const OptimizerEntry& rule_;
  StepRuleSettings settings_;
  std::unique_ptr<Optimizer> optimizer_;
  std::optional<double> reach_;  // of moves in units of q; none: steps are taken in lambda
  ElboObjective objective_;
  MiniBatches batches_;
  Vector lambda_, proposal_, gradient_, move_;
  long iteration_ = 0;
  Index fruitless_ = 0;
  ElboRecorder recorder_;
  std::int64_t evaluations_ = 0, failed_draws_ = 0;
  std::optional<Breakdown> breakdown_;
};

class Chains {
 public:
  Chains(const Model& model, const Options& options, const Approximation& prototype,
         const std::atomic<bool>* stop_requested);

  // n steps of every chain, then the window is closed. False when a chain broke down or the user
  // asked to stop; the unfinished window is then forgotten.
  bool advance(Index n);
  long iteration() const { return iteration_; }

  // Chain j goes on from lambda[j]; see Chain::restart. A breakdown is forgotten.
  void restart(const std::vector<Vector>& lambda, double step_size, double reach);

  Iterates& iterates() { return iterates_; }
  const Iterates& iterates() const { return iterates_; }
  // ELBO estimates of the last window, mean over the chains; one per iteration.
  const Vector& window_elbo() const { return window_elbo_; }
  // So many components of lambda, the first, are locations; the others say how wide q is.
  Index locations() const { return locations_; }
  const Vector& lambda(Index chain) const {
    return chain_[static_cast<std::size_t>(chain)]->lambda();
  }

  std::optional<Breakdown> breakdown() const;  // the first there is
  const std::optional<Breakdown>& breakdown(Index chain) const {
    return chain_[static_cast<std::size_t>(chain)]->breakdown();
  }
  bool interrupted() const { return interrupted_; }
  // How chains that could not go on ended; nothing when they could.
  std::optional<Termination> cut_short() const;
  RunReport report() const;
  // A check of the window that they have just closed.
  void tell(Monitor& monitor, const Largest& rhat, const IteratePrecision& precision,
            double error = kUnknown) const;

 private:
  int threads_;
  const std::atomic<bool>* stop_requested_;
  Index locations_;
  std::vector<std::unique_ptr<Chain>> chain_;
  Iterates iterates_;
  std::vector<Vector> elbo_;
  Vector window_elbo_;
  long iteration_ = 0;
  bool interrupted_ = false;
};

}  // namespace ravi
