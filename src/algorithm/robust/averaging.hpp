// The second half of --method robust: chains of damped steps around an optimum, and their average.
#pragma once

#include "algorithm/judge/conclude.hpp"
#include "algorithm/robust/search.hpp"
#include "core/stop.hpp"
#include "objective/anchored_rows.hpp"
#include "objective/minibatch.hpp"

namespace ravi {

// J chains of damped steps around the optimum, whose average is the answer. With mini-batches every
// step sees other rows, anchored where the chain's round began.
class Averaging {
 public:
  Averaging(const Model& model, const Approximation& prototype, const Options& options,
            const Observer& observer, const std::vector<const Search*>& start)
      : model_(model),
        row_model_(options.minibatch > 0 ? dynamic_cast<const RowModel*>(&model) : nullptr),
        prototype_(prototype),
        options_(options),
        observer_(observer),
        limits_(limits_of_worst(options, prototype.size())),
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

  ChainRun run(Monitor& monitor);
  const Iterates& iterates() const { return iterates_; }
  Vector lambda(Index chain) const { return chain_[static_cast<std::size_t>(chain)].q->lambda(); }
  bool interrupted() const { return requested(observer_.stop_requested); }
  RunReport report() const;

 private:
  struct State {
    std::unique_ptr<Approximation> q;
    Matrix slope;  // of s on z, where q cannot follow it; does not depend on the round's batches
    bool exact = false;
    double nonlinearity = kUnknown;
    double elbo_of_search = 0;
    Matrix slopes_seen = {};  // their sum over the round
    Index seen = 0;
    MiniBatches batches = {0, 0, 0, 0};
    std::optional<Anchor> anchor = {};
    std::int64_t evaluations = 0, failed = 0;
    Vector first_failure = {};
    ElboRecorder recorder = {};
  };

  bool advance(double damping, Index windows = 1);
  void advance(State& chain, Index j, double damping);
  ScoreBatch draw(State& chain, Index j, Index iteration) const;
  void step_once(State& chain, const ScoreBatch& batch, double damping) const;
  bool done(ChainRun& run, Monitor& monitor);
  ChainRun nothing_left_to_average();
  void restart_from_averages();
  std::vector<Vector> positions() const;
  bool apart() const;
  bool fallen() const;
  double longest_step() const;

  const Model& model_;
  const RowModel* row_model_;  // null without mini-batches
  const Approximation& prototype_;
  const Options& options_;
  const Observer& observer_;
  Limits limits_;
  std::vector<State> chain_;
  Iterates iterates_;
  Vector elbo_;
  long iteration_ = 0;
};

}  // namespace ravi
