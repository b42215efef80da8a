// What a q that bends makes of an answer whose weights will not do.
#include "algorithm/judge/bent_answer.hpp"

#include <algorithm>
#include <cmath>

#include "algorithm/judge/judge_answer.hpp"
#include "bending/describe.hpp"
#include "core/parallel.hpp"
#include "core/stop.hpp"
#include "limits/limits.hpp"

namespace ravi {
namespace {

// Each at the limit of perplexity is that far from the posterior, as |delta|^2 / 2 of a shift, and
// independent shifts add up.
double most_divergence() { return -4 * std::log(limit(Limit::bend_perplexity)); }

// Whether a coordinate is reported as it is, so that its far ends matter.
bool reported(const WeightedDraws& draws, Index coordinate) {
  for (Index i = 0; i < draws.quantities.rows(); ++i) {
    if (draws.quantities.row(i) == draws.theta.row(coordinate)) return true;
  }
  return false;
}

}  // namespace

bool weights_good(const Answer& answer) {
  return answer.khat < limit(Limit::longest_tail) &&
         answer.perplexity > limit(Limit::bend_perplexity) &&
         trustworthy(judge(judge_answer(answer, limit(Limit::longest_tail), false)));
}

std::optional<BentAnswer> bend_answer(const Model& model, const Approximation& gaussian,
                                      const Options& options, const std::atomic<bool>* stop,
                                      const std::function<Answer(const Transport&)>& scored,
                                      std::int64_t& spent) {
  const BendPair pair = bend_twice(model, gaussian, options, stop);
  spent += pair.gradient_evaluations;
  if (!pair.whole() || requested(stop)) return {};
  Bend both = joined(pair.first, pair.second, resolve_threads(options.threads));
  const std::vector<std::string> names = model.unconstrained_names();
  BentAnswer result{.q = std::move(both.q), .answer = {}};
  result.answer = scored(*result.q);
  Bending& bending = result.answer.bending.emplace();
  bending = {.gradient_evaluations = pair.gradient_evaluations,
             .divergence = distance(*pair.first.q, *pair.second.q),
             .drivers = describe_drivers(*result.q, names),
             .kept = true};
  result.good = weights_good(result.answer) && bending.divergence < most_divergence();
  for (const Bend::Open& open : both.open) {
    const std::string& name = names[static_cast<std::size_t>(open.coordinate)];
    if (reported(result.answer.draws, open.coordinate)) result.good = false;
    result.findings.push_back({.code = FindingCode::driver_end_open,
                               .observed = open.log_density,
                               .limit = -limit(Limit::bend_face),
                               .parameter = name,
                               .measure = open.side < 0 ? "nats below its top, at the lower end"
                                                        : "nats below its top, at the upper end"});
  }
  result.findings.push_back({.code = FindingCode::q_bent,
                             .observed = bending.divergence,
                             .limit = most_divergence(),
                             .parameter = bending.drivers.front().name});
  return result;
}

}  // namespace ravi
