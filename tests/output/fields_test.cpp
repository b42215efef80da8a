// The lists of a fit's members are whole, come back from fit.json, and are in its document.
#include "output/fields.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <type_traits>

#include "output/fit_json.hpp"
#include "temporary_folder.hpp"
#include "tiny_fits.hpp"

namespace ravi {
namespace {

// Where the members are that a list visits.
struct Visited {
  std::set<const void*> places = {};
  template <typename Member>
  void operator()(const Key&, const Member& member) {
    places.insert(&member);
  }
  template <typename... Members>
  bool has(const Members&... members) const {
    return places.size() == sizeof...(members) && (places.contains(&members) && ...);
  }
};

// Each binding names every member of its struct, and does not compile when one is added: give it a
// place in the list and in has(), or say here why it has none.
TEST(Fields, OfAnAnswerAreInTheList) {
  const Answer answer;
  const auto& [q, elbo, elbo_mcse, khat, khat_low, khat_high, efficiency, perplexity,
               importance_draws, importance_ess, unseen_mass, share_of_q, coarseness,
               unseen_variance, tail_shape, draws_kept, resampled_distinct, log_evidence, weighted,
               parameters, unweighted_parameters, why_not_finite, reference, modes, bending, moves,
               draws, mode, mode_weight] = answer;
  Visited visited;
  visit_answer(answer, visited);
  // Not q, parameters, reference, modes, bending and moves, which are objects of their own; not
  // weighted and mode, which are beside them; not the draws, and not why_not_finite, which a
  // finding tells.
  EXPECT_TRUE(visited.has(elbo, elbo_mcse, khat, khat_low, khat_high, efficiency, perplexity,
                          importance_draws, importance_ess, unseen_mass, share_of_q, coarseness,
                          unseen_variance, tail_shape, draws_kept, resampled_distinct,
                          log_evidence));
}

TEST(Fields, OfAModeAreInTheList) {
  const ModeSummary mode;
  const auto& [q, components, mass, mass_error, seen, chains, exchanged, permutation, parameters] =
      mode;
  Visited visited;
  visit_mode(mode, visited);
  // Not q and parameters, which are objects of their own, nor what are lists.
  EXPECT_TRUE(visited.has(mass, mass_error, seen, exchanged));
}

TEST(Fields, OfABendingAreInTheLists) {
  const Bending bending;
  const auto& [gradient_evaluations, divergence, drivers, kept] = bending;
  Visited visited;
  visit_bending(bending, visited);
  // Not drivers, which are a list of their own.
  EXPECT_TRUE(visited.has(gradient_evaluations, divergence, kept));
  const Driven driven;
  const auto& [name, sd_factor, curve] = driven;
  Visited of_driven;
  visit_driven(driven, of_driven);
  EXPECT_TRUE(of_driven.has(name, sd_factor, curve));
}

TEST(Fields, OfMovesAreInTheList) {
  const Moves moves;
  const auto& [draws, transitions, gradient_evaluations, rhat, rhat_limit, kept] = moves;
  Visited visited;
  visit_moves(moves, visited);
  EXPECT_TRUE(visited.has(draws, transitions, gradient_evaluations, rhat, rhat_limit, kept));
}

TEST(Fields, OfASummaryAreInTheList) {
  const ParameterSummary summary;
  const auto& [name, mean, sd, q5, q50, q95, mcse, mcse_sd, mcse_q5, mcse_q50, mcse_q95, not_finite,
               sd_trusted] = summary;
  Visited visited;
  visit_summary(summary, visited);
  // Not not_finite, which a finding tells, nor sd_trusted, which is sd_missing in words.
  EXPECT_TRUE(visited.has(mean, sd, q5, q50, q95, mcse, mcse_sd, mcse_q5, mcse_q50, mcse_q95));
}

TEST(Fields, OfAFitAreInTheList) {
  const Fit fit;
  const auto& [model, dimension, options, verdict, termination, findings, iterations,
               averaging_started_at, gradient_evaluations, failed_draws, rhat_max, rhat_limit,
               rhat_parameter, error, mcse_median, mcse_max, ess_min, ess_limit, tail_index_max,
               tail_index_limit, khat_threshold, average, last_iterate, chains, trace, search_elbo,
               chain_elbo, components, timing, cost, provenance] = fit;
  Visited visited;
  visit_iterates(fit, visited);
  // Not what was run, what was judged, and the answers with khat_threshold beside them.
  EXPECT_TRUE(visited.has(iterations, averaging_started_at, gradient_evaluations, failed_draws,
                          rhat_max, rhat_limit, rhat_parameter, error, mcse_median, mcse_max,
                          ess_min, ess_limit, tail_index_max, tail_index_limit));
}

TEST(Fields, OfAReferenceAndACheckAreInTheLists) {
  const ReferenceScore score;
  const auto& [d_mu, d_sigma, kl] = score;
  Visited of_score;
  visit_reference(score, of_score);
  EXPECT_TRUE(of_score.has(d_mu, d_sigma, kl));
  const Check check;
  const auto& [iteration, elbo, rhat_max, mcse_median, ess_min, error] = check;
  Visited of_check;
  visit_check(check, of_check);
  EXPECT_TRUE(of_check.has(iteration, elbo, rhat_max, mcse_median, ess_min, error));
}

// Gives every member a value of its own; the same calls later expect them again.
struct Filler {
  double next = 1;
  template <typename Member>
  void operator()(const Key&, Member& member) {
    if constexpr (std::is_same_v<Member, std::string>) {
      member = std::to_string(next);
    } else if constexpr (std::is_same_v<Member, bool>) {
      member = true;
    } else {
      member = static_cast<Member>(next);
    }
    ++next;
  }
};

template <typename Visit>
void visit_all(Fit& fit, Visit&& visit) {
  visit_iterates(fit, visit);
  for (ModeSummary& mode : fit.average->modes) visit_mode(mode, visit);
  for (Answer* answer : {&*fit.average, &*fit.last_iterate, &fit.chains.front()}) {
    visit_answer(*answer, visit);
    visit_bending(*answer->bending, visit);
    for (Driven& d : answer->bending->drivers.front().driven) visit_driven(d, visit);
    visit_moves(*answer->moves, visit);
    for (ParameterSummary& p : answer->parameters) visit_summary(p, visit);
    for (ParameterSummary& p : answer->unweighted_parameters) visit_summary(p, visit);
  }
  visit_reference(*fit.average->reference, visit);
  visit_reference(*fit.last_iterate->reference, visit);
  for (Check& check : fit.trace) visit_check(check, visit);
}

Fit filled_fit() {
  Fit fit = tiny_fit();
  fit.average->reference.emplace();
  fit.average->bending = Bending{.drivers = {{.name = "tau", .driven = {{}, {}}}}};
  fit.average->moves.emplace();
  fit.average->modes.emplace_back().parameters.emplace_back().name = "a";
  fit.last_iterate = fit.average;
  Answer chain = tiny_answer();
  chain.bending = fit.average->bending;
  chain.moves.emplace();
  fit.chains = {chain};
  visit_all(fit, Filler());
  return fit;
}

TEST(Fields, ComeBackFromFitJsonEachWithItsOwnValue) {
  Fit expected = filled_fit();
  const TemporaryFolder folder;
  Fit back = read_fit(folder.write("fit.json", fit_to_json(expected, 10)));
  ASSERT_TRUE(back.average && back.average->moves && back.last_iterate);
  std::vector<std::string> texts;
  visit_all(expected, [&](const Key& key, const auto& member) {
    texts.push_back(nlohmann::json({key.name, member}).dump());
  });
  std::size_t i = 0;
  visit_all(back, [&](const Key& key, const auto& member) {
    EXPECT_EQ(nlohmann::json({key.name, member}).dump(), texts.at(i++));
  });
  EXPECT_EQ(i, texts.size());
}

TEST(Fields, OfEveryEndOfAFitComeBack) {
  const TemporaryFolder folder;
  Fit fit = tiny_fit();
  for (auto end = Termination::not_started; end <= Termination::interrupted;
       end = static_cast<Termination>(static_cast<int>(end) + 1)) {
    fit.termination = end;
    EXPECT_EQ(read_fit(folder.write("fit.json", fit_to_json(fit, 10))).termination, end);
  }
  for (auto verdict = Verdict::accurate; verdict <= Verdict::failed;
       verdict = static_cast<Verdict>(static_cast<int>(verdict) + 1)) {
    fit.verdict = verdict;
    EXPECT_EQ(read_fit(folder.write("fit.json", fit_to_json(fit, 10))).verdict, verdict);
  }
}

// "a", "b/c", "b/d" of the first cell of a row "| `a`, `b{c,d}`, `e[]` | ... |".
void add_keys(const std::string& row, std::set<std::string>& keys) {
  std::string name, outer;
  bool quoted = false;
  const auto end_of_name = [&] {
    if (!name.empty()) keys.insert(outer + name);
    name.clear();
  };
  for (const char c : row.substr(1, row.find('|', 1) - 1)) {
    if (c == '`') {
      if (quoted) end_of_name();
      quoted = !quoted;
    } else if (!quoted || c == '[' || c == ']') {
      continue;
    } else if (c == '{') {
      outer += name + "/";
      name.clear();
    } else if (c == '}') {
      end_of_name();
      outer.erase(outer.find_last_of('/', outer.size() - 2) + 1);  // 0 where there is none
    } else if (c == ',') {
      end_of_name();
    } else {
      name += c;
    }
  }
}

std::set<std::string> keys_of_document() {
  const std::string document = contents(RAVI_TEST_DATA "/../../docs/output-formats.md");
  const std::size_t first = document.find("| `schema`");
  std::istringstream rows(document.substr(first, document.find("\n\n", first) - first));
  std::set<std::string> keys;
  for (std::string row; std::getline(rows, row);) add_keys(row, keys);
  return keys;
}

// Objects that the document spells out by their members, the others by their names.
std::set<std::string> keys_of(const nlohmann::json& j, const std::set<std::string>& documented,
                              const std::string& outer = "") {
  std::set<std::string> keys;
  for (const auto& item : j.items()) {
    const std::string name = outer + item.key(), inside = name + "/";
    const auto next = documented.lower_bound(inside);
    if (item.value().is_object() && next != documented.end() && next->starts_with(inside)) {
      keys.merge(keys_of(item.value(), documented, inside));
    } else {
      keys.insert(name);
    }
  }
  return keys;
}

TEST(Fields, OfFitJsonAreThoseOfTheDocument) {
  const std::set<std::string> documented = keys_of_document();
  const auto j = nlohmann::json::parse(fit_to_json(filled_fit(), 10));
  EXPECT_EQ(keys_of(j, documented), documented);
}

}  // namespace
}  // namespace ravi
