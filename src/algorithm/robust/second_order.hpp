// Second-order steps around the optima of searches: damped, and each from a batch of its own.
#pragma once

#include "algorithm/robust/search.hpp"
#include "algorithm/robust/stepper.hpp"
#include "objective/anchored_rows.hpp"
#include "objective/minibatch.hpp"

namespace ravi {

// One chain for every search that it starts from. With mini-batches every step sees other rows,
// anchored where the chain's round began.
class SecondOrder final : public Stepper {
 public:
  SecondOrder(const Model& model, const Approximation& prototype, const Options& options,
              const Observer& observer, const std::vector<const Search*>& start);

  Pace pace() const override;
  bool at_rest() const override;  // log p - log q is constant where every chain is
  void begin(const Round& round) override;
  bool advance() override;
  std::optional<Termination> cut_short() const override;
  bool lost() const override;
  bool recover(Round& round) override;
  Iterates& iterates() override { return iterates_; }
  Vector lambda(Index chain) const override {
    return chain_[static_cast<std::size_t>(chain)].q->lambda();
  }
  long iteration() const override { return iteration_; }
  double elbo() const override;
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

  void advance(State& chain, Index j);
  ScoreBatch draw(State& chain, Index j, Index iteration) const;
  void step_once(State& chain, const ScoreBatch& batch) const;
  double longest_step() const;
  bool interrupted() const;

  const Model& model_;
  const RowModel* row_model_;  // null without mini-batches
  const Approximation& prototype_;
  const Options& options_;
  const Observer& observer_;
  std::vector<State> chain_;
  Iterates iterates_;
  Vector elbo_;
  double damping_ = 0;
  long iteration_ = 0;
};

}  // namespace ravi
