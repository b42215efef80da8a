// The numbers behind a verdict, each with its limit.
#include "output/criteria.hpp"

#include <fmt/format.h>

#include <cmath>

#include "limits/limits.hpp"
#include "output/numbers.hpp"
#include "scoring/looks.hpp"

namespace ravi {

std::string khat_text(const Answer& answer) {
  return weights_hardly_vary(answer) ? "weights even" : short_number(answer.khat);
}

std::vector<Criterion> criteria(const Fit& fit) {
  const Options& o = fit.options;
  std::vector<Criterion> rows;
  const auto add = [&](std::string_view label, double value, bool holds, const char* relation,
                       double bound, const std::string& note, std::string_view meaning) {
    if (std::isnan(value)) return;
    // A run that broke down has numbers, but never came to set all limits.
    const std::string rule = std::isnan(bound) ? "" : fmt::format("{} {:.3g}", relation, bound);
    rows.push_back({label, value, holds, rule, note, meaning});
  };
  // Chains in modes of their own are not to agree.
  const bool together = !fit.average || fit.average->modes.empty();
  if (together) {
    add("R-hat, largest", fit.rhat_max, fit.rhat_max < fit.rhat_limit, "<", fit.rhat_limit,
        fit.rhat_parameter, "how far the chains are from one another; 1 is agreement");
  }
  if (o.mcse_threshold > 0) {
    add("MCSE, median", fit.mcse_median, fit.mcse_median < o.mcse_threshold, "<", o.mcse_threshold,
        "", "Monte Carlo error of the averaged parameters of q");
  }
  if (o.tolerance > 0 && together) {
    add("distance to best q, sds", fit.error, fit.error < o.tolerance, "<", o.tolerance, "",
        "error of the average at the most, with 95 % confidence, in standard deviations of q");
  }
  if (together) {
    add("ESS, smallest", fit.ess_min, fit.ess_min > fit.ess_limit, ">", fit.ess_limit, "",
        "independent iterates that the average is worth, for its worst component");
  }
  add("tail index of iterates", fit.tail_index_max, fit.tail_index_max < fit.tail_index_limit, "<",
      fit.tail_index_limit, "",
      "how heavy the tails of the iterates are; beyond the limit an average means little");
  if (!fit.average) return rows;
  const Answer& a = *fit.average;
  const bool last = fit.last_iterate && !std::isnan(fit.last_iterate->khat);
  if (weights_hardly_vary(a)) {
    add("evenness of q's weights", a.efficiency, true, ">", limit(Limit::hardly_varying_ess),
        "they hardly vary: there is no tail for k-hat",
        "effective sample size of q's own draws under their weights, as a share of them; near 1, q "
        "matches the posterior");
  } else {
    add("k-hat of q", a.khat, a.khat <= fit.khat_threshold, "<=", fit.khat_threshold,
        fmt::format("half of the batches in {:.2f} to {:.2f}{}", a.khat_low, a.khat_high,
                    last ? fmt::format("; last iterate {:.3g}", fit.last_iterate->khat) : ""),
        "how heavy the tail of the importance weights is: how well q matches the posterior");
  }
  add("share of q's draws that count", a.perplexity, a.perplexity >= limit(Limit::counting_draws),
      ">=", limit(Limit::counting_draws), "",
      "perplexity of their weights: where few count, what weights make of them is not trusted");
  const double mass_limit = unseen_mass_limit(a);
  add("mass that may be missed", a.unseen_mass, a.unseen_mass < mass_limit, "<", mass_limit, "",
      "share of the posterior that may lie where no draw went");
  add("variance that may be missed", a.unseen_variance,
      a.unseen_variance < limit(Limit::unseen_variance), "<", limit(Limit::unseen_variance), "",
      "the same of the variance of some parameter; its sd is not shown where that is too much");
  add("shape of the longest tail", a.tail_shape, a.tail_shape < limit(Limit::longest_tail), "<",
      limit(Limit::longest_tail), "",
      "of a parameter, from the density far out: from 0.5 on it has no variance, from 1 on no "
      "mean");
  if (!a.moves) return rows;
  const Moves& m = *a.moves;
  add("nested R-hat of moved draws", m.rhat, m.rhat < m.rhat_limit, "<", m.rhat_limit, "",
      "what they still know of where they were a round of moves ago; 1 is nothing");
  return rows;
}

}  // namespace ravi
