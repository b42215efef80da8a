// Chains of steps of one kind, in rounds of halved step size, averaged until the average is
// precise.
#pragma once

#include "algorithm/judge/monitor.hpp"
#include "algorithm/robust/stepper.hpp"

namespace ravi {

// A round runs every chain at a constant step size and judges the average of what it has kept; what
// drifts is forgotten. Large steps forget the start soon, small ones average better and leave less
// bias: the next round starts from each chain's average with half the step. It is over when the
// average is known precisely enough. Chains that settled on different answers are judged one by one
// and never averaged with each other.
class Averaging {
 public:
  Averaging(Stepper& stepper, const Approximation& prototype, const Options& options,
            Monitor& monitor);
  ChainRun run();

 private:
  enum class End { found, halve, lost, cut_short };
  // What is kept says so much about its average, which has moved so far (a KL divergence) from that
  // of the round before.
  struct Judgment {
    KlHat kl = {};
    double moved = std::numeric_limits<double>::infinity();
  };

  ChainRun at_rest();
  End run_round(const Round& round, bool last);
  bool advance();
  bool room_for(Index windows) const;
  void judge();
  Judgment judgment() const;
  double bias() const;
  bool unbiased() const;
  bool precise() const;
  bool found() const;
  bool halving_pays(double cost) const;
  void tell();
  void forget_all_but(Index kept);
  void remember(double cost);

  Stepper& stepper_;
  Iterates& iterates_;
  const Approximation& prototype_;
  const Options& options_;
  Monitor& monitor_;
  Pace pace_;
  double allowed_;  // KL divergence of the answer from what it estimates
  Judgment now_;
  bool apart_ = false;  // the chains have settled on different answers
  // The round before: each chain's average, KL-hat of those, and KL-hat times windows, which does
  // not depend on how long it was.
  std::vector<Vector> before_;
  double kl_before_, cost_before_;
  ChainRun run_;
};

}  // namespace ravi
