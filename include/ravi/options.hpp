// Every option of a fit: its default, the paper's symbol, its meaning and its range, each once.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ravi {

// The value of an option that is to be chosen, for those that may be; in text it is kAutoWord.
inline constexpr int kAuto = std::numeric_limits<int>::min();
inline constexpr std::string_view kAutoWord = "auto";

// An option that is 0 or empty and marked (*) takes the value that its method thinks best; a fit
// records the value it took.
struct Options {
  std::string family = "full-rank";  //        variational family of q
  std::string method = "robust";     //        how the optimum is searched and the search judged
  std::string stop = "";             // (*)    when to stop
  std::string optimizer = "";        // (*)    gamma: the rule that scales each step
  double step_size = 0;              // (*)    eta:   step size of every chain
  double decay = 0;                  // (*)    rmsprop: of the mean of squared gradients
  double offset = 0;                 // (*)    what keeps steps finite where gradients vanish
  std::string offset_place = "";     // (*)    inside the root of the squares, or outside
  int squares = 0;                   // (*)    adagrad-windowed: gradients that count
  int draws = 0;                     // (*)    M:     draws from q per gradient
  int minibatch = 0;                 //        |S|:   rows per gradient; or kAuto
  int chains = 0;                    // (*)    J:     optimizer chains run in parallel
  std::string start = "";            // (*)    q at the start
  std::string root = "";             // (*)    of the covariance, which draws of q are made by
  int window = 0;                    // (*)    W:     iterations between checks
  std::string rhat_window = "";      // (*)    iterates that R-hat looks at
  std::string rhat_gates = "";       // (*)    whether means and scales pass on their own
  int rhat_from = 0;                 // (*)    first iteration at which R-hat may pass
  double rhat_threshold = 0;         // (*)    tau:   chains agree when max R-hat < tau
  double tolerance = 0;              // (*)    how far q may be from the best q
  std::string mcse_over = "";        // (*)    iterates whose MCSE is judged
  double mcse_threshold = 0;         // (*)    eps:   precise when median MCSE < epsilon
  std::string ess_over = "";         // (*)    which of all components decides
  double ess_threshold = 0;          // (*)    e:     and its ESS > e
  double scale_ess_threshold = 0;    // (*)    the same for the scales of q
  int least_iterations = 0;          // (*)    and so many iterations are done,
  int least_averaged = 0;            // (*)    of which so many are averaged
  std::string elbo_rule = "";        // (*)    what delta-elbo compares
  std::string elbo_average = "";     // (*)    what it averages when it stops
  double elbo_threshold = 0;         // (*)    eps:   delta-elbo stops when the change is below
  int max_iterations = 0;            // (*)    T_max: iterations of every chain
  int psis_draws = 4000;             //        S:     draws from q per importance-sampling batch
  std::uint64_t seed = 1;            //        same seed, same answer
  int threads = 0;                   //        0: one per core; never changes the answer
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
  // Who may choose it but the user. The method fills in what is left open, 0 or empty, and refuses
  // what it has no use for; kAuto, which is in range whatever the range, has it chosen by the data.
  enum class ChosenBy { user, method, data } chosen_by = ChosenBy::user;
  // What changes how a fit is run but never what it finds is not recorded with the answer.
  enum class Shapes { answer, run } shapes = Shapes::answer;

  bool by_method() const { return chosen_by == ChosenBy::method; }
  bool may_be_auto() const { return chosen_by == ChosenBy::data; }
  bool shapes_answer() const { return shapes == Shapes::answer; }
};

// Calls visit(field, member) for every option, in the order help and fit.json show them.
template <typename OptionsLike, typename Visitor>
void visit_fields(OptionsLike& o, Visitor&& visit) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const auto by_method = [](std::string_view name, std::string_view symbol,
                            std::string_view meaning) {
    return Field{name, symbol, meaning, {0, inf}, Field::ChosenBy::method};
  };
  visit(Field{"family", "", "variational family of q"}, o.family);
  visit(Field{"method", "", "how the optimum is searched and the search judged"}, o.method);
  visit(by_method("stop", "", "stopping rule"), o.stop);
  visit(by_method("optimizer", "", "update rule of every chain"), o.optimizer);
  visit(by_method("step_size", "eta", "step size; of robust in the first round, at the most"),
        o.step_size);
  visit(Field{"decay",
              "",
              "rmsprop: share of the mean of squared gradients that a step keeps",
              {0, 1},
              Field::ChosenBy::method},
        o.decay);
  visit(by_method("offset", "", "rmsprop, adagrad: keeps steps finite where gradients vanish"),
        o.offset);
  visit(by_method("offset_place", "", "where it is added: inside the root or outside"),
        o.offset_place);
  visit(by_method("squares", "", "adagrad-windowed: squared gradients that are summed"), o.squares);
  visit(by_method("draws", "M", "draws from q per gradient, at the least"), o.draws);
  visit(Field{"minibatch",
              "|S|",
              "rows of data per gradient; 0 takes all, auto as many as pay",
              {0, inf},
              Field::ChosenBy::data},
        o.minibatch);
  visit(by_method("chains", "J", "optimizer chains, run in parallel"), o.chains);
  visit(by_method("start", "", "q at the start of every chain"), o.start);
  visit(by_method("root", "", "root of q's covariance that its draws are made by"), o.root);
  visit(by_method("window", "W", "iterations between checks"), o.window);
  visit(by_method("rhat_window", "", "iterates that R-hat looks at: the last window or half"),
        o.rhat_window);
  visit(by_method("rhat_gates", "", "means and scales pass R-hat together or apart, for good"),
        o.rhat_gates);
  visit(by_method("rhat_from", "", "first iteration at which R-hat may pass"), o.rhat_from);
  visit(by_method("rhat_threshold", "tau", "the chains agree when max R-hat is below this"),
        o.rhat_threshold);
  visit(by_method("tolerance", "", "how far q may be from the best q, in its standard deviations"),
        o.tolerance);
  visit(by_method("mcse_over", "", "iterates whose MCSE is judged: the averaged or all"),
        o.mcse_over);
  visit(by_method("mcse_threshold", "epsilon",
                  "the average is precise when the median MCSE is below this"),
        o.mcse_threshold);
  visit(by_method("ess_over", "", "effective sample size that decides: min or median of all"),
        o.ess_over);
  visit(by_method("ess_threshold", "e", "and that effective sample size is above this"),
        o.ess_threshold);
  visit(by_method("scale_ess_threshold", "e", "the same of the scales of q"),
        o.scale_ess_threshold);
  visit(by_method("least_iterations", "", "mcse does not stop before this iteration"),
        o.least_iterations);
  visit(by_method("least_averaged", "", "nor with fewer iterations averaged"), o.least_averaged);
  visit(by_method("elbo_rule", "", "delta-elbo: estimates of the ELBO that are compared"),
        o.elbo_rule);
  visit(by_method("elbo_average", "", "delta-elbo: iterates averaged when it stops"),
        o.elbo_average);
  visit(by_method("elbo_threshold", "epsilon",
                  "delta-elbo: stop when the ELBO's relative change is below this"),
        o.elbo_threshold);
  visit(by_method("max_iterations", "T_max", "iterations of every chain at the most"),
        o.max_iterations);
  visit(Field{"psis_draws", "S", "draws per importance-sampling batch", {100, inf}}, o.psis_draws);
  visit(Field{"seed", "", "same seed, same answer", {0, inf}}, o.seed);
  visit(Field{"threads",
              "",
              "0 takes one per core; never changes the answer",
              {0, inf},
              Field::ChosenBy::user,
              Field::Shapes::run},
        o.threads);
}

// Calls visit(field, member of a, member of b).
template <typename OptionsLike, typename Visitor>
void visit_pairs(OptionsLike& a, const Options& b, Visitor&& visit) {
  visit_fields(a, [&](const Field& field, auto& mine) {
    visit_fields(b, [&](const Field& other, const auto& theirs) {
      if constexpr (std::is_same_v<std::decay_t<decltype(mine)>, std::decay_t<decltype(theirs)>>) {
        if (field.name == other.name) visit(field, mine, theirs);
      }
    });
  });
}

template <typename Value>
bool left_open(const Value& value) {
  return value == Value{};
}

// One line per option outside its range, "step_size = -1, but it must lie in (0, inf)  (eta ...)".
std::vector<std::string> range_violations(const Options& options);

}  // namespace ravi
