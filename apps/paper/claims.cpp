// The table of claims.
#include "paper/claims.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "paper/evidence.hpp"

namespace ravi::paper {
namespace {

// Two modes at equal distance from the origin; the second half of the run is looked at.
Group bimodal(Lab& lab, const Effort& effort, int chains) {
  Run run{.posterior = "bimodal", .options = paper_options("bimodal", effort)};
  run.options.stop = "fixed";
  run.options.max_iterations = 3000;
  run.options.chains = chains;
  return lab.ask(run, effort.seeds);
}

Evidence gather(Lab& lab, const Effort& effort, const Printed& printed) {
  return {.table1 = table_runs(printed.table1, kTable1Optimizers, lab, effort),
          .table2 = table_runs(printed.table2, kTable2Optimizers, lab, effort),
          .dimensions = dimension_runs(lab, effort),
          .authors_dimensions = authors_dimension_runs(lab, effort),
          .strong = evolution_runs(lab, effort, kStrong),
          .mild = evolution_runs(lab, effort, kMild),
          .chains = autocorrelation_runs(lab, effort, printed),
          .oscillations = oscillation_runs(lab, effort),
          .network = network_runs(lab, effort),
          .bimodal_one = bimodal(lab, effort, 1),
          .bimodal_four = bimodal(lab, effort, 4),
          .elbo_thresholds = elbo_threshold_runs(lab, effort)};
}

}  // namespace

std::string text(Judgement judgement) {
  switch (judgement) {
    case Judgement::held:
      return "held";
    case Judgement::held_in_part:
      return "held in part";
    case Judgement::not_reproduced:
      return "not reproduced";
    case Judgement::not_measured:
      return "not measured";
  }
  std::abort();
}

Judgement judged(std::size_t holding, std::size_t all) {
  if (all == 0) return Judgement::not_measured;
  if (holding == all) return Judgement::held;
  return 2 * holding >= all ? Judgement::held_in_part : Judgement::not_reproduced;
}

std::vector<Claim> judge_claims(Lab& lab, const Effort& effort, const Printed& printed) {
  const Evidence evidence = gather(lab, effort, printed);
  if (lab.all().empty()) return {};  // the runs are only being collected
  std::vector<Claim> claims = claims_on_averaging(evidence);
  std::ranges::move(claims_on_stopping(evidence, printed), std::back_inserter(claims));
  return claims;
}

Section claims_section(Lab& lab, const Effort& effort, const Printed& printed) {
  Table table{.caption = {}, .header = {"claim", "where", "measured", "judgement", "explanation"}};
  for (const Claim& c : judge_claims(lab, effort, printed)) {
    table.rows.push_back({RowKind::measured,
                          {c.claim, c.where, c.evidence, text(c.judgement), c.explanation},
                          true});
  }
  Section section{"Claims"};
  section.blocks.emplace_back(std::move(table));
  return section;
}

}  // namespace ravi::paper
