// What --method robust must show, at full size: one row for every bar, medians over seeds.
// Usage: bars [--seeds 10] [--only TEXT] [--data FOLDER] [--references FOLDER] [--sensitivity]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "best_gaussian.hpp"
#include "core/numeric.hpp"
#include "diagnostics/importance.hpp"
#include "family/approximation.hpp"
#include "model/data.hpp"
#include "model/reference.hpp"
#include "model/registry.hpp"
#include "problems.hpp"
#include "ravi/ravi.hpp"

namespace {

using namespace ravi;

constexpr double kInf = std::numeric_limits<double>::infinity();

struct Settings {
  std::uint64_t seeds = 10;
  std::string only = {}, data = {}, references = {};
  bool sensitivity = false;
};

// --- Problems ---------------------------------------------------------------------------------

struct Problem {
  std::unique_ptr<Model> model;
  std::optional<Reference> reference = {};  // moments of the posterior
  std::optional<Reference> best = {};       // moments of the best Gaussian
};

Problem linear(Index n, Index p, double gamma, std::uint64_t seed) {
  SimulatedRegression s = simulate_linear_regression(n, p, gamma, seed);
  Problem problem{linear_model(s)};
  problem.reference = {problem.model->unconstrained_names(), std::move(s.mean), std::move(s.cov)};
  return problem;
}

Problem logistic(Index n, Index p, double gamma, std::uint64_t seed) {
  const SimulatedRegression s = simulate_linear_regression(n, p, gamma, seed);
  return {logistic_model(s.X, binary_targets(s, seed))};
}

// y = 1 where a linear regression's y is at least its median.
Data dichotomized(const Data& linear_data) {
  const Index n = linear_data.integer("N", 1), p = linear_data.integer("P", 1);
  const Vector y = linear_data.vector("y", n);
  const double middle = median(y);
  Data data;
  data.add("N", static_cast<double>(n)).add("P", static_cast<double>(p));
  data.add("X", linear_data.matrix("X", n, p));
  return data.add("y", (y.array() >= middle).cast<double>().matrix());
}

// The file in the folder given, else among the data of the tests; empty when there is none.
std::string find(const std::string& folder, const std::string& otherwise, const std::string& file) {
  for (const std::string& place : {folder, otherwise}) {
    const std::filesystem::path path = std::filesystem::path(place) / file;
    if (!place.empty() && std::filesystem::exists(path)) return path.string();
  }
  return {};
}

// --- Measures ---------------------------------------------------------------------------------

// Largest errors of the moments that a fit gives, on the unconstrained scale; infinite without one.
struct Errors {
  double mean = kInf, sd = kInf;  // |m - mean| / sd and |s / sd - 1|
  double factor = kInf;           // max(s / sd, sd / s)
};

Errors errors_of(const Fit& fit, const Problem& problem) {
  if (!fit.average || !problem.reference) return {};
  const WeightedDraws& draws = fit.average->draws;
  const Index count = draws.theta.cols();
  const Vector weights = fit.average->weighted
                             ? Vector(draws.log_weights.array().exp())
                             : Vector::Constant(count, 1 / static_cast<double>(count));
  Errors worst{0, 0, 1};
  for (Index i = 0; i < draws.theta.rows(); ++i) {
    const Vector x = draws.theta.row(i);
    const double sd = std::sqrt(problem.reference->cov(i, i));
    const double shift = std::abs(weighted_mean(x, weights) - problem.reference->mean(i)) / sd;
    const double ratio = weighted_sd(x, weights) / sd, stretch = std::abs(ratio - 1);
    const double factor = std::max(ratio, 1 / ratio);
    // Negated, so that NaN is the worst of all.
    if (!(shift <= worst.mean)) worst.mean = shift;
    if (!(stretch <= worst.sd)) worst.sd = stretch;
    if (!(factor <= worst.factor)) worst.factor = factor;
  }
  return worst;
}

double mean_error(const Fit& fit, const Problem& problem) { return errors_of(fit, problem).mean; }
double sd_error(const Fit& fit, const Problem& problem) { return errors_of(fit, problem).sd; }

double kl(const Fit& fit, const Problem& problem) {
  if (!fit.average) return kInf;
  const Gaussian& q = fit.average->q;
  return gaussian_kl(q.mean, q.cov, problem.reference->mean, problem.reference->cov);
}

double d_mu(const Fit& fit, const Problem& problem) {
  return fit.average ? (fit.average->q.mean - problem.best->mean).norm() : kInf;
}

double khat(const Fit& fit, const Problem&) { return fit.average ? fit.average->khat : kInf; }

// Wrong and trusted: a mean off by more than 0.3 sd or an sd by more than a factor of 1.4.
bool silent(const Fit& fit, const Problem& problem) {
  if (!trustworthy(fit.verdict) || !problem.reference) return false;
  const Errors errors = errors_of(fit, problem);
  return !(errors.mean <= 0.3 && errors.factor <= 1.4);
}

struct Measure {
  const char* what;
  double limit;
  double (*of)(const Fit&, const Problem&);
};

// --- Bars -------------------------------------------------------------------------------------

struct Bar {
  std::string name;
  std::function<Problem(std::uint64_t seed)> problem;
  bool fixed_data;  // the problem is the same with every seed
  std::vector<Measure> measures;
  double evaluations = kInf, seconds = kInf;  // limits: of one chain, and of the whole fit
  Verdict verdict = Verdict::usable;          // that most seeds must have, or a better one
  bool may_be_told = false;                   // "or the fit says that its answer is not to be used"
};

std::vector<Bar> bars(const Settings& settings) {
  const Measure exact{"KL", 1e-6, kl};
  const auto simulated = [&](Index n, Index p, double gamma, double evaluations, double seconds) {
    return Bar{fmt::format("linear N={} P={} gamma={}", n, p, gamma),
               [=](std::uint64_t seed) { return linear(n, p, gamma, seed); },
               false,
               {exact},
               evaluations,
               seconds,
               Verdict::accurate};
  };
  std::vector<Bar> all = {
      simulated(300, 100, 0.9, 3000, kInf),  simulated(300, 100, 0.5, 3000, kInf),
      simulated(300, 300, 0.9, 5000, kInf),  simulated(300, 300, 0.5, 5000, kInf),
      simulated(300, 1000, 0.9, 15000, 60),  simulated(3000, 1000, 0.9, 15000, 60),
      simulated(3000, 1000, 0.5, 15000, 60),
  };
  all.push_back({"logistic N=10000 P=50",
                 [](std::uint64_t seed) { return logistic(10000, 50, 0.9, seed); },
                 false,
                 {{"k-hat", kInf, khat}},
                 20000,
                 kInf,
                 Verdict::accurate});

  // With data and reference from files; left out, with a line that says so, where one is missing.
  const auto add = [&](const char* name, const char* model, const char* data_file,
                       const char* reference_file, std::vector<Measure> measures,
                       double evaluations, double seconds, Verdict verdict = Verdict::usable,
                       bool dichotomize = false) {
    const std::string data = find(settings.data, RAVI_TEST_DATA "/models", data_file);
    const std::string reference =
        find(settings.references, RAVI_TEST_DATA "/reference", reference_file);
    if (data.empty() || reference.empty()) {
      fmt::print("{}: no {}\n", name, data.empty() ? data_file : reference_file);
      return;
    }
    const bool needs_best = std::ranges::any_of(measures, [](auto& m) { return m.of == d_mu; });
    all.push_back({name,
                   [=](std::uint64_t) {
                     Data read = read_data(data);
                     if (dichotomize) read = dichotomized(read);
                     Problem problem{make_builtin(model, &read), read_reference(reference)};
                     check_reference(*problem.reference, *problem.model);
                     if (needs_best) {
                       problem.best = best_gaussian(*problem.model, *problem.reference);
                     }
                     return problem;
                   },
                   true, std::move(measures), evaluations, seconds, verdict});
  };
  const std::vector<Measure> logistic_bars = {{"D_mu to best q", 0.01, d_mu},
                                              {"means, sd", 0.02, mean_error}};
  add("logistic Boston", "logistic-regression", "logistic_boston.stan.json", "logistic_boston.json",
      logistic_bars, 10000, kInf);
  add("logistic Concrete", "logistic-regression", "linear_concrete.stan.json",
      "logistic_concrete.json", logistic_bars, 10000, kInf, Verdict::usable, true);
  add("logistic Wine", "logistic-regression", "logistic_wine_red.stan.json",
      "logistic_wine_red.json", logistic_bars, 10000, kInf);
  for (const auto& [name, file] : {std::pair{"Boston", "boston"}, std::pair{"Concrete", "concrete"},
                                   std::pair{"Wine", "wine_red"}}) {
    add(fmt::format("linear {}", name).c_str(), "linear-regression",
        fmt::format("linear_{}.stan.json", file).c_str(),
        fmt::format("linear_{}.json", file).c_str(), {exact}, 3000, kInf, Verdict::accurate);
  }
  const std::vector<Measure> schools = {{"means, sd", 0.05, mean_error}, {"sds", 0.05, sd_error}};
  add("eight schools noncentered", "eight-schools-noncentered", "eight_schools.json",
      "eight_schools_ncp.json", schools, kInf, kInf);
  add("eight schools centered", "eight-schools-centered", "eight_schools.json",
      "eight_schools_cp.json", schools, kInf, kInf);
  all.back().may_be_told = true;
  add("radon", "radon", "radon.stan.json", "radon_centered.json", {{"means, sd", 0.1, mean_error}},
      kInf, 60);
  return all;
}

// --- Table ------------------------------------------------------------------------------------

struct Outcome {
  std::vector<Vector> measured;  // of every measure, by seed
  Vector evaluations, seconds;
  std::map<Verdict, int> verdicts = {};
  int silent = 0;
  Options taken = {};  // what the method made of the options
};

Outcome run(const Bar& bar, const Settings& settings, const Options& base) {
  const auto n = static_cast<Index>(settings.seeds);
  Outcome outcome{.measured = std::vector<Vector>(bar.measures.size(), Vector(n)),
                  .evaluations = Vector(n),
                  .seconds = Vector(n)};
  Problem problem;
  for (Index i = 0; i < n; ++i) {
    Options options = base;
    options.seed = static_cast<std::uint64_t>(i + 1);
    if (i == 0 || !bar.fixed_data) problem = bar.problem(options.seed);
    const Fit fit = ravi::fit(*problem.model, options);
    for (std::size_t m = 0; m < bar.measures.size(); ++m) {
      outcome.measured[m](i) = bar.measures[m].of(fit, problem);
    }
    outcome.evaluations(i) = static_cast<double>(fit.gradient_evaluations) / options.chains;
    outcome.seconds(i) = fit.timing.seconds;
    ++outcome.verdicts[fit.verdict];
    outcome.silent += silent(fit, problem);
    outcome.taken = fit.options;
  }
  return outcome;
}

// The worst of all is NaN, where there is one.
double worst(const Vector& x) { return x.hasNaN() ? kUnknown : x.maxCoeff(); }

// How many fits have that verdict or a better one; verdicts stand in order, the best first.
int at_least(Verdict verdict, const Outcome& outcome) {
  int count = 0;
  for (const auto& [found, times] : outcome.verdicts) count += found <= verdict ? times : 0;
  return count;
}

// What the median seed misses of a bar; nothing where a bar may be told and mostly is.
std::string missed(const Bar& bar, const Outcome& outcome, const Measure& measure,
                   double median_value, const Settings& settings) {
  const auto most = [&](int count) { return 2 * count > static_cast<int>(settings.seeds); };
  if (outcome.silent > 0) return " silence";
  if (bar.may_be_told && !most(at_least(Verdict::usable, outcome))) return {};
  std::string text;
  if (!(median_value <= measure.limit)) text += " value";
  if (!(median(outcome.evaluations) <= bar.evaluations)) text += " gradients";
  if (!(median(outcome.seconds) <= bar.seconds)) text += " time";
  if (!most(at_least(bar.verdict, outcome))) text += " verdict";
  return text;
}

void print(const Bar& bar, const std::string& variant, const Outcome& outcome,
           const Settings& settings, const Outcome* base) {
  std::string verdicts;
  for (const auto& [verdict, count] : outcome.verdicts) {
    verdicts += fmt::format("{}{} {}", verdicts.empty() ? "" : ", ", count, name(verdict));
  }
  if (outcome.silent > 0) verdicts += fmt::format(", {} SILENT", outcome.silent);
  const double evaluations = median(outcome.evaluations), seconds = median(outcome.seconds);
  for (std::size_t m = 0; m < bar.measures.size(); ++m) {
    const Measure& measure = bar.measures[m];
    const double middle = median(outcome.measured[m]);
    const std::string failing = missed(bar, outcome, measure, middle, settings);
    fmt::print("{:<38} {:<15} {:>8.1e} {:>9.2e} {:>9.2e} {:>9.0f} {:>7.0f} {:>7.2f}  {:<9} {}",
               bar.name + variant, measure.what, measure.limit, middle, worst(outcome.measured[m]),
               evaluations, bar.evaluations, seconds,
               failing.empty() ? "holds" : "misses" + failing, verdicts);
    if (base) {
      // Divergences of rounding size have no ratio.
      const double before = median(base->measured[m]);
      const bool rounding = std::max(std::abs(middle), std::abs(before)) < 1e-10;
      fmt::print(", {:.2f} times the error", rounding ? 1 : middle / before);
    }
    fmt::print("\n");
  }
  std::fflush(stdout);
}

// Nobody should have to choose eta and M: ten times or a tenth of what the method takes by itself
// changes no verdict, and errors by less than a factor of 2.
void measure_sensitivity(const Bar& bar, const Settings& settings, const Outcome& base) {
  for (const double factor : {10.0, 0.1}) {
    Options options{.method = "robust"};
    options.step_size = factor * base.taken.step_size;
    print(bar, fmt::format(", eta x {}", factor), run(bar, settings, options), settings, &base);
    options = {.method = "robust"};
    options.draws = std::max(1, static_cast<int>(std::lround(factor * base.taken.draws)));
    print(bar, fmt::format(", M x {}", factor), run(bar, settings, options), settings, &base);
  }
}

Settings read_settings(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    if (flag == "--sensitivity") {
      settings.sensitivity = true;
      continue;
    }
    if (i + 1 == argc) throw UsageError(fmt::format("{} needs a value, or is no option", flag));
    const std::string value = argv[++i];
    if (flag == "--seeds") {
      settings.seeds = std::max(1UL, std::stoul(value));
    } else if (flag == "--only") {
      settings.only = value;
    } else if (flag == "--data") {
      settings.data = value;
    } else if (flag == "--references") {
      settings.references = value;
    } else {
      throw UsageError(fmt::format("{} is no option", flag));
    }
  }
  return settings;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Settings settings = read_settings(argc, argv);
    const std::vector<Bar> all = bars(settings);
    fmt::print("{:<38} {:<15} {:>8} {:>9} {:>9} {:>9} {:>7} {:>7}  {}\n", "problem", "measure",
               "limit", "median", "worst", "gradients", "limit", "seconds", "verdicts");
    for (const Bar& bar : all) {
      if (bar.name.find(settings.only) == std::string::npos) continue;
      const Outcome base = run(bar, settings, {.method = "robust"});
      print(bar, "", base, settings, nullptr);
      if (settings.sensitivity) measure_sensitivity(bar, settings, base);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "bars: {}\n", error.what());
    return 2;
  }
  return 0;
}
