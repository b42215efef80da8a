// First-order steps from narrow starts, for what second-order steps cannot do.
#pragma once

#include "algorithm/chains/chains.hpp"
#include "algorithm/robust/stepper.hpp"

namespace ravi {

// Steps are moves in units of q (family/approximation.hpp). options.step_size is eta of the first
// round, or what is safe if that is less.
class FirstOrder final : public Stepper {
 public:
  // The chains, in which nothing has happened yet, outlive this.
  FirstOrder(Chains& chains, const Approximation& prototype, const Options& options)
      : chains_(chains), prototype_(prototype), options_(options) {}

  Pace pace() const override;
  void begin(const Round& round) override;
  bool advance() override { return chains_.advance(options_.window); }
  std::optional<Termination> cut_short() const override { return chains_.cut_short(); }
  bool recover(Round& round) override;
  Iterates& iterates() override { return chains_.iterates(); }
  Vector lambda(Index chain) const override { return chains_.lambda(chain); }
  long iteration() const override { return chains_.iteration(); }
  double elbo() const override;

 private:
  Chains& chains_;
  const Approximation& prototype_;
  const Options& options_;
  double widest_ = 0;  // step, of the last round that did not begin at averages
  int rescues_ = 0;
};

}  // namespace ravi
