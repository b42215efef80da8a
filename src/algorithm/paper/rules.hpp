// The rules that Algorithm 1 is run by, as printed or as its authors ran them: a line per choice.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "algorithm/chains/chains.hpp"

namespace ravi {

// --root: what the draws of a gradient are made by.
struct RootEntry {
  std::string_view name, description;
  bool symmetric;
};
std::span<const RootEntry> root_registry();
std::unique_ptr<Approximation> drawn_by_root(const Approximation& q, const Options& options);

// --rhat-window: the iterates that R-hat looks at, two blocks per chain.
struct RhatWindowEntry {
  std::string_view name, description;
  std::vector<Block> (*blocks)(const Iterates& iterates);
};
std::span<const RhatWindowEntry> rhat_window_registry();

// --rhat-gates: whether the means and the scales of q pass together, or each when it does, for
// good.
struct RhatGatesEntry {
  std::string_view name, description;
  bool apart;
};
std::span<const RhatGatesEntry> rhat_gates_registry();

// --mcse-over: the iterates whose MCSE is judged.
struct McseOverEntry {
  std::string_view name, description;
  bool history;  // all that the chains have done
};
std::span<const McseOverEntry> mcse_over_registry();

// --ess-over: which ESS of many decides.
struct EssOverEntry {
  std::string_view name, description;
};
std::span<const EssOverEntry> ess_over_registry();

// --elbo-rule: when the ELBO hardly changes.
class ElboWatch {
 public:
  virtual ~ElboWatch() = default;
  // After a window that ended with that iteration; one estimate per iteration.
  virtual bool settled(const Vector& window_elbo, long iteration) = 0;
};
struct ElboRuleEntry {
  std::string_view name, description;
  std::unique_ptr<ElboWatch> (*make)(double threshold, long t_max);
  long more;  // iterations after it has settled
};
std::span<const ElboRuleEntry> elbo_rule_registry();

// --elbo-average: what is averaged when such a run of so many iterations ends; the number of them.
struct ElboAverageEntry {
  std::string_view name, description;
  Index (*forget)(Iterates& iterates, long iterations);
};
std::span<const ElboAverageEntry> elbo_average_registry();

// Lines 5 and 6: whether R-hat is below tau, after each window.
class Gate {
 public:
  Gate(const Chains& chains, const Options& options);
  bool passes();
  const Largest& rhat() const { return rhat_; }

 private:
  const Chains& chains_;
  const Options& options_;
  const RhatWindowEntry& window_;
  bool apart_;
  bool means_passed_ = false, scales_passed_ = false;
  Largest rhat_;
};

}  // namespace ravi
