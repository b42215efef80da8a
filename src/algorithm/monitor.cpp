// Records the trace of a fit.
#include "algorithm/monitor.hpp"

#include "core/numeric.hpp"

namespace ravi {

std::string Monitor::component(Index k) const {
  return k < 0 ? std::string() : prototype_.component_name(k, names_);
}

void Monitor::report(Phase phase, const Chains& chains, const Largest& rhat,
                     const IteratePrecision& precision) {
  report(phase,
         {chains.iteration(), mean(chains.window_elbo()), rhat.value, precision.mcse_median,
          precision.ess_min},
         rhat);
}

void Monitor::report(Phase phase, const Check& check, const Largest& rhat) {
  trace_.push_back(check);
  tell(phase, check, component(rhat.component));
}

void Monitor::enter(Phase phase) { tell(phase, trace_.empty() ? Check{} : trace_.back(), {}); }

void Monitor::tell(Phase phase, const Check& check, const std::string& rhat_parameter) const {
  if (!observer_.progress) return;
  observer_.progress({phase, check, rhat_parameter, limits_.rhat, limits_.ess});
}

}  // namespace ravi
