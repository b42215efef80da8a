// Records the trace of a fit and passes each check on to the caller's observer.
#pragma once

#include <string>
#include <vector>

#include "algorithm/chains.hpp"
#include "algorithm/precision.hpp"
#include "ravi/fit.hpp"

namespace ravi {

class Monitor {
 public:
  Monitor(const Observer& observer, const Approximation& prototype, const Limits& limits,
          std::vector<std::string> names)
      : observer_(observer), prototype_(prototype), limits_(limits), names_(std::move(names)) {}

  // A check of the window that the chains have just closed.
  void report(Phase phase, const Chains& chains, const Largest& rhat,
              const IteratePrecision& precision);
  void report(Phase phase, const Check& check, const Largest& rhat);
  // A change of phase without a check.
  void enter(Phase phase);

  std::string component(Index k) const;
  const std::atomic<bool>* stop_requested() const { return observer_.stop_requested; }
  const std::vector<Check>& trace() const { return trace_; }

 private:
  void tell(Phase phase, const Check& check, const std::string& rhat_parameter) const;

  const Observer& observer_;
  const Approximation& prototype_;
  Limits limits_;
  std::vector<std::string> names_;
  std::vector<Check> trace_;
};

}  // namespace ravi
