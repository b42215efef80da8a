// From chains that have run to a Fit: judge what they did, score what they found.
#pragma once

#include <functional>

#include "algorithm/optima.hpp"
#include "algorithm/search.hpp"

namespace ravi {

// What went on in searches and chains, of whatever kind they are.
struct ChainsReport {
  std::optional<Breakdown> breakdown = {};
  std::int64_t evaluations = 0, failed_draws = 0;
  Vector first_failure = {};  // a draw to ask the model about
  bool interrupted = false;
  long iteration = 0;  // of every chain
  std::vector<ElboTrace> search_elbo = {}, chain_elbo = {};

  // What went on after it, in the same fit.
  void add(const ChainsReport& later);
};

ChainsReport report_of(const Chains& chains);

struct Outcome {
  ChainsReport report;
  Search search;
  const Iterates& iterates;                       // what the search averaged
  Vector last_lambda;                             // where chain 1 stopped; always finite
  bool score_last = true;                         // or is it of no interest?
  bool move_doubtful = false;                     // draws whose weights are not to be trusted?
  std::vector<Finding> findings = {};             // what the method has learned besides
  std::vector<const Approximation*> optima = {};  // that its searches found with mass
  std::function<Further(const Vector&)> search_further = {};  // one more of those, from a point
};

Fit conclude(const Outcome& outcome, const Model& model, Approximation& q, const Options& options,
             Monitor& monitor, const Reference* reference);

}  // namespace ravi
