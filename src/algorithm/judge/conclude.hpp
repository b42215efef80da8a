// From what a method found to a Fit: gather, judge the chains, score, correct, judge the answer.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "algorithm/judge/monitor.hpp"
#include "algorithm/judge/run.hpp"

namespace ravi {

// What one more search, from a point where p is larger than q says, has found: an optimum, if that
// is a new one with mass.
struct Further {
  std::unique_ptr<Approximation> q;
  std::int64_t evaluations = 0;
};

// An optimum with mass: how many searches came to it, none of one that they have left, and the
// chains that began there.
struct Optimum {
  const Approximation* q;
  int seen = 0;
  std::vector<std::size_t> chains = {};
};

// What a method hands over.
struct Outcome {
  enum class LastIterate { scored, shown };      // is it of interest?
  enum class PoorWeights { told, made_up_for };  // by draws that are moved
  RunReport report;
  ChainRun run;
  const Iterates& iterates;  // what the chains averaged
  Vector last_lambda;        // where chain 1 stopped; always finite
  LastIterate last_iterate = LastIterate::scored;
  PoorWeights poor_weights = PoorWeights::told;
  std::vector<Finding> findings = {};  // what the method has learned besides
  std::vector<Optimum> optima = {};
  std::function<Further(const Vector&)> search_further = {};
};

Fit conclude(const Outcome& outcome, const Model& model, const Approximation& prototype,
             const Options& options, Monitor& monitor, const Reference* reference);

}  // namespace ravi
