// Every option of a fit: its default, the paper's symbol, its meaning and its range, each once.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace ravi {

struct Options {
  std::string family = "full-rank";   //        variational family of q
  std::string method = "paper";       //        how the optimum is searched and the search judged
  std::string stop = "mcse";          //        when to stop
  std::string optimizer = "rmsprop";  // gamma: the rule that scales each step
  double step_size = 0.01;            // eta:   step size of every chain
  int draws = 10;                     // M:     draws from q per gradient
  int minibatch = 0;                  // |S|:   rows per gradient
  int chains = 4;                     // J:     optimizer chains run in parallel
  int window = 100;                   // W:     iterations between checks
  double rhat_threshold = 1.1;        // tau:   chains agree when max R-hat < tau
  double mcse_threshold = 0.02;       // eps:   precise when median MCSE < epsilon
  double ess_threshold = 20;          // e:     and min ESS > e
  double elbo_threshold = 0.01;       // eps:   delta-elbo stops when the relative change is below
  int max_iterations = 15000;         // T_max: iterations of every chain
  int psis_draws = 4000;              // S:     draws from q per importance-sampling batch
  std::uint64_t seed = 1;             //        same seed, same answer
  int threads = 0;                    //        0: one per core; never changes the answer
};

// An interval; an open end is written ( or ) in messages.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;
  bool high_open = true;

  bool contains(double x) const;  // false for NaN
  std::string text() const;       // "(0, inf)"
};

// What is known of an option besides its value. The name is also the JSON key; with dashes for
// underscores it is the command-line flag.
struct Field {
  std::string_view name;
  std::string_view symbol;   // of the paper, in plain text; may be empty
  std::string_view meaning;  // one line, for a statistician
  Range range = {};          // numbers only
  // False for what changes how a fit is run but never what it finds: not recorded with the answer.
  bool shapes_answer = true;
};

// Calls visit(field, member) for every option, in the order help and fit.json show them.
template <typename OptionsLike, typename Visitor>
void visit_fields(OptionsLike& o, Visitor&& visit) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  visit(Field{"family", "", "variational family of q"}, o.family);
  visit(Field{"method", "", "how the optimum is searched and the search judged"}, o.method);
  visit(Field{"stop", "", "stopping rule"}, o.stop);
  visit(Field{"optimizer", "", "update rule of every chain"}, o.optimizer);
  visit(Field{"step_size", "eta", "step size", {0, inf, true}}, o.step_size);
  visit(Field{"draws", "M", "draws from q per gradient", {1, inf}}, o.draws);
  visit(Field{"minibatch", "|S|", "rows of data per gradient; 0 takes all", {0, inf}}, o.minibatch);
  visit(Field{"chains", "J", "optimizer chains, run in parallel", {1, inf}}, o.chains);
  visit(Field{"window", "W", "iterations between checks", {4, inf}}, o.window);
  visit(
      Field{
          "rhat_threshold", "tau", "the chains agree when max R-hat is below this", {1, inf, true}},
      o.rhat_threshold);
  visit(Field{"mcse_threshold",
              "epsilon",
              "the average is precise when the median MCSE is below this",
              {0, inf, true}},
        o.mcse_threshold);
  visit(Field{"ess_threshold", "e", "and every effective sample size is above this", {0, inf}},
        o.ess_threshold);
  visit(Field{"elbo_threshold",
              "epsilon",
              "delta-elbo: stop when the ELBO's relative change is below this",
              {0, inf, true}},
        o.elbo_threshold);
  visit(Field{"max_iterations", "T_max", "iterations of every chain at the most", {1, inf}},
        o.max_iterations);
  visit(Field{"psis_draws", "S", "draws per importance-sampling batch", {100, inf}}, o.psis_draws);
  visit(Field{"seed", "", "same seed, same answer", {0, inf}}, o.seed);
  visit(Field{"threads", "", "0 takes one per core; never changes the answer", {0, inf}, false},
        o.threads);
}

// One line per option outside its range, "step_size = -1, but it must lie in (0, inf)  (eta ...)".
std::vector<std::string> range_violations(const Options& options);

}  // namespace ravi
