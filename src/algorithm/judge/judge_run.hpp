// What chains did, judged before any answer is looked at.
#pragma once

#include "algorithm/judge/agreement.hpp"
#include "algorithm/judge/monitor.hpp"
#include "algorithm/judge/run.hpp"

namespace ravi {

// Breakdowns, failed draws, interruptions: what went on, whatever came out.
std::vector<Finding> judge_report(const RunReport& report, const Model& model,
                                  const Options& options);

// Whether the chains came to rest, and to one answer.
struct JudgedRun {
  Agreement agreement;
  bool apart = false;       // different answers: there is no common average
  Largest rhat;             // the one that decides
  Largest tail_index = {};  // of the averaged iterates
  std::vector<Component> components = {};
  std::vector<Finding> findings = {};
};
JudgedRun judge_run(const ChainRun& run, const Iterates& iterates, const Approximation& prototype,
                    const Options& options, const Monitor& monitor);

// What says that the iterates, and so their average, have not come to rest.
bool about_rest(const Finding& finding);

}  // namespace ravi
