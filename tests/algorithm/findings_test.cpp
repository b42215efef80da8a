// What a fit says about itself: its words are true, its advice helps, its times add up.
#include "ravi/findings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <map>
#include <regex>
#include <set>
#include <stdexcept>
#include <thread>

#include "algorithm/gradient_check.hpp"
#include "algorithm/judge/conclude.hpp"
#include "algorithm/methods.hpp"
#include "algorithm/validate.hpp"
#include "core/registry.hpp"
#include "model/registry.hpp"
#include "ravi/error.hpp"
#include "ravi/fit.hpp"

namespace ravi {
namespace {

using enum FindingCode;
using testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::unique_ptr<Model> builtin(std::string_view name) { return make_builtin(name, nullptr); }

std::vector<FindingCode> codes_of(const std::vector<Finding>& findings) {
  std::vector<FindingCode> codes;
  for (const Finding& f : findings) codes.push_back(f.code);
  return codes;
}

const Finding* find(const Fit& fit, FindingCode code) {
  const auto at = std::ranges::find(fit.findings, code, &Finding::code);
  return at == fit.findings.end() ? nullptr : &*at;
}

// Of the first two starts, x and -x, one cannot be computed; the user asks to stop while they
// climb, so that nothing is found.
TEST(RunReport, OfASearchThatWasStoppedKeepsThePointToAskTheModelAbout) {
  std::atomic<bool> stop = false;
  std::atomic<std::int64_t> before = std::numeric_limits<std::int64_t>::max(), calls = 0;
  const auto model = make_model(1, [&](const Vector& theta, Vector& gradient) {
    stop = ++calls > before;
    if (theta.size() != 1) {
      ADD_FAILURE() << "the model was asked about a point of size " << theta.size();
      return kNan;
    }
    if (theta(0) < 0) throw std::domain_error("left of zero");
    gradient(0) = -theta(0);
    return -0.5 * theta(0) * theta(0);
  });
  // What comes before the climbs.
  const GradientCheck check = check_gradient(*model, 1);
  before = calls.exchange(0);
  const Fit fit = ravi::fit(*model, {}, {.stop_requested = &stop});
  EXPECT_EQ(fit.termination, Termination::interrupted);
  EXPECT_EQ(fit.failed_draws, check.failed + 1);
  const Finding* failed = find(fit, draws_failed);
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->detail, "left of zero");
}

TEST(RunReport, AddsUp) {
  RunReport all{.evaluations = 10, .failed_draws = 1, .search_elbo = {{1, {-1}}}};
  all.add({.evaluations = 5,
           .failed_draws = 2,
           .first_failure = Vector::Constant(1, 7),
           .interrupted = true,
           .iteration = 25,
           .chain_elbo = {{2, {-3}}}});
  all.add(
      {.breakdown = Breakdown{iterates_diverged, 1, 5}, .first_failure = Vector::Constant(1, 8)});
  EXPECT_EQ(all.evaluations, 15);
  EXPECT_EQ(all.failed_draws, 3);
  EXPECT_EQ(all.first_failure(0), 7);
  EXPECT_TRUE(all.interrupted);
  EXPECT_EQ(all.iteration, 25);
  ASSERT_TRUE(all.breakdown);
  EXPECT_EQ(all.breakdown->chain, 1);
  EXPECT_EQ(all.search_elbo.size(), 1u);
  EXPECT_EQ(all.chain_elbo.size(), 1u);
}

// --- Words --------------------------------------------------------------------------------------

TEST(Findings, SayWhatTheirNumbersAre) {
  EXPECT_THAT(describe({chains_disagree, 4.8, 1.1, "mu[3]"}),
              HasSubstr("(R-hat 4.8, limit 1.1, in mu[3])"));
  EXPECT_THAT(describe({.code = iterates_diverged, .parameter = "chain 2", .iteration = 500}),
              HasSubstr("(chain 2, iteration 500)"));
  EXPECT_THAT(describe({.code = few_draws_count,
                        .observed = 0.01,
                        .limit = 0.02,
                        .measure = "effective share of all draws"}),
              HasSubstr("(effective share of all draws 0.01, limit 0.02)"));
  // Those that never have a number.
  const std::set<FindingCode> without = {
      iterates_diverged, density_not_computable, no_parameters, single_chain, stopped_by_elbo,
      interrupted,       density_flat,           data_unread,   sds_unknown};
  for (const FindingWords& w : finding_table()) {
    EXPECT_EQ(w.measure.empty(), without.contains(w.code)) << w.name;
  }
}

TEST(Findings, ComeCausesFirstThenBySeverity) {
  const auto ordered = [](const std::vector<Finding>& findings) {
    const std::vector<Finding> result = in_order(findings);
    EXPECT_EQ(judge(result), judge(findings));
    return codes_of(result);
  };
  using Codes = std::vector<FindingCode>;
  // Failures, warnings, notes.
  EXPECT_EQ(
      ordered({{minor_modes}, {quantities_not_finite}, {moves_unsettled}, {approximation_poor}}),
      (Codes{approximation_poor, moves_unsettled, quantities_not_finite, minor_modes}));
  // The model's own words lead where something failed, whatever their severity; without words, or
  // without a failure, a few failed draws explain nothing.
  const Finding words{.code = few_draws_failed, .detail = "Scale parameter is -1, but must be > 0"};
  EXPECT_EQ(ordered({{chains_disagree}, words}), (Codes{few_draws_failed, chains_disagree}));
  EXPECT_EQ(ordered({{few_draws_failed}, {chains_disagree}}),
            (Codes{chains_disagree, few_draws_failed}));
  EXPECT_EQ(ordered({words, {quantities_not_finite}}),
            (Codes{quantities_not_finite, few_draws_failed}));
  EXPECT_EQ(ordered({{iterates_diverged}, {draws_failed}}),
            (Codes{draws_failed, iterates_diverged}));
}

TEST(Findings, LeaveOutWhatACauseExplains) {
  const auto left = [](const std::vector<Finding>& findings) {
    const std::vector<Finding> result = in_order(findings);
    EXPECT_EQ(judge(result), judge(findings));
    return codes_of(result);
  };
  using Codes = std::vector<FindingCode>;
  EXPECT_EQ(left({{not_stationary}, {average_imprecise}, {few_effective_iterates}}),
            Codes{not_stationary});
  EXPECT_EQ(left({{not_stationary}, {interrupted}, {approximation_poor}}), Codes{interrupted});
  EXPECT_EQ(left({{density_not_computable}, {draws_failed}}), Codes{density_not_computable});
  // A warning does not stand for a failure.
  EXPECT_EQ(left({{not_stationary}, {draws_failed}}), (Codes{draws_failed, not_stationary}));
}

TEST(Findings, OfADensityThatIsNeverFiniteAreOneInTheModelsWords) {
  const auto model = make_model(
      1, [](const Vector&, Vector&) -> double { throw std::domain_error("y is missing"); });
  for (const char* method : {"robust", "paper"}) {
    const Fit fit = ravi::fit(*model, {.method = method});
    ASSERT_EQ(codes_of(fit.findings), std::vector{density_not_computable}) << method;
    EXPECT_THAT(describe(fit.findings[0]), HasSubstr("the model says: y is missing"));
  }
}

// --- Advice -------------------------------------------------------------------------------------

// A fit whose finding gives advice that names options, and those options with what to follow them
// with.
struct Advised {
  const char* what;
  FindingCode code;
  std::function<std::unique_ptr<Model>()> model;
  Options given;
  std::map<std::string, std::vector<Options>> followed;
  bool gone = true;   // the finding, when its advice was followed
  bool there = true;  // false: no posterior here surely has it, and the advice is given by itself
};

template <typename F>
Options with(Options options, F change) {
  change(options);
  return options;
}

std::vector<Advised> advised() {
  const auto model = [](const char* name) { return [name] { return builtin(name); }; };
  // Its gradients are so large that the first step overflows.
  const auto narrow = [] {
    return make_model(1, [](const Vector& theta, Vector& gradient) {
      gradient = -1e10 * theta;
      return -0.5e10 * theta.squaredNorm();
    });
  };
  // Nothing can be computed beyond 100, where a step of 1000 leads.
  const auto bounded = [] {
    return make_model(1, [](const Vector& theta, Vector& gradient) {
      gradient = -theta;
      return std::abs(theta(0)) > 100 ? kNan : -0.5 * theta.squaredNorm();
    });
  };
  const Options robust, one{.chains = 1}, few{.draws = 100, .max_iterations = 400};
  const Options mean_field{.family = "mean-field"};
  const Options paper{.method = "paper"};
  const Options fixed{.method = "paper", .stop = "fixed", .max_iterations = 2000};
  const Options settled{.method = "paper", .stop = "delta-elbo"};
  const Options far = with(fixed, [](Options& o) {
    o.optimizer = "sgd";
    o.step_size = 1e300;
  });
  const Options out = with(fixed, [](Options& o) { o.step_size = 1000; });
  const Options noisy = with(fixed, [](Options& o) {
    o.optimizer = "adam";
    o.step_size = 0.5;
    o.draws = 1;
    o.max_iterations = 4000;
  });
  const auto window = [](int w) { return [w](Options& o) { o.window = w; }; };
  const auto draws = [](int m) { return [m](Options& o) { o.draws = m; }; };
  const auto iterations = [](int t) { return [t](Options& o) { o.max_iterations = t; }; };
  const auto eta = [](double x) { return [x](Options& o) { o.step_size = x; }; };
  const auto stop = [](const char* s) { return [s](Options& o) { o.stop = s; }; };
  return {
      {"rounds that end too soon",
       not_stationary,
       model("eight-schools-centered"),
       robust,
       {{"window", {with(robust, window(50))}}, {"draws", {with(robust, draws(100))}}},
       true,
       false},
      {"few iterations allowed",
       not_stationary,
       model("eight-schools-centered"),
       few,
       {{"max-iterations", {with(few, iterations(100000))}}},
       true,
       false},
      {"heavy tails, robust",
       iterates_heavy_tailed,
       model("eight-schools-centered"),
       robust,
       {{"draws", {with(robust, draws(140))}}},
       false,
       false},
      {"a diagonal q",
       approximation_poor,
       model("eight-schools-centered"),
       mean_field,
       {{"family", {robust}}},
       false,
       false},
      {"one chain", single_chain, model("gaussian"), one, {{"chains", {robust}}}},
      {"a tail without weight",
       tail_without_weight,
       model("gaussian"),
       robust,
       {{"psis-draws", {with(robust, [](Options& o) { o.psis_draws = 40000; })}}},
       false,
       false},
      {"a short window",
       window_too_short,
       model("gaussian"),
       paper,
       {{"window", {with(paper, window(2000))}}, {"stop", {with(paper, stop("fixed"))}}}},
      {"steps far too long",
       iterates_diverged,
       narrow,
       far,
       {{"step-size", {with(far, eta(1e-12))}}}},
      {"steps to where nothing is",
       density_not_computable,
       bounded,
       out,
       {{"step-size", {with(out, eta(0.1))}}}},
      {"a short run",
       not_stationary,
       model("gaussian"),
       fixed,
       {{"max-iterations", {with(fixed, iterations(20000))}},
        {"step-size", {with(fixed, eta(0.05))}}}},
      {"an ELBO that seems to settle",
       not_stationary,
       model("eight-schools-noncentered"),
       settled,
       {{"elbo-threshold", {with(settled, [](Options& o) { o.elbo_threshold = 1e-6; })}},
        {"stop", {with(settled, stop("mcse")), with(settled, stop("fixed"))}}},
       false},
      {"stopped by the ELBO",
       stopped_by_elbo,
       model("eight-schools-noncentered"),
       settled,
       {{"stop", {with(settled, stop("mcse")), with(settled, stop("fixed"))}}}},
      {"heavy tails",
       iterates_heavy_tailed,
       model("gaussian"),
       noisy,
       {{"step-size", {with(noisy, eta(0.05))}}, {"draws", {with(noisy, draws(100))}}}},
  };
}

std::set<std::string> flags_in(const std::string& text) {
  std::set<std::string> flags;
  const std::regex flag("--([a-z-]+)");
  for (std::sregex_iterator at(text.begin(), text.end(), flag), end; at != end; ++at) {
    flags.insert((*at)[1]);
  }
  return flags;
}

Vector answer_of(const Fit& fit) {
  const Gaussian& q = fit.average          ? fit.average->q
                      : fit.chains.empty() ? fit.last_iterate->q
                                           : fit.chains[0].q;
  Vector all(2 * q.mean.size() + 1);
  all << q.mean, q.cov.size() > 0 ? Vector(q.cov.diagonal()) : Vector(q.scale.cwiseAbs2()),
      fit.average ? fit.average->elbo : 0;
  return all;
}

class Advice : public testing::TestWithParam<Advised> {};

TEST_P(Advice, HelpsWhenItIsFollowed) {
  const Advised& a = GetParam();
  const auto model = a.model();
  const Fit before = ravi::fit(*model, a.given);
  const Finding* finding = find(before, a.code);
  ASSERT_TRUE(finding || !a.there);
  const std::string text = finding ? advice(*finding, before) : advice({a.code}, before);
  std::set<std::string> tried;
  for (const auto& [flag, ways] : a.followed) {
    tried.insert(flag);
    for (const Options& way : ways) {
      SCOPED_TRACE("--" + flag);
      const Fit after = ravi::fit(*model, way);
      EXPECT_NE(answer_of(after), answer_of(before));
      if (a.gone && a.there) {
        EXPECT_FALSE(find(after, a.code)) << text;
      }
    }
  }
  EXPECT_EQ(tried, flags_in(text)) << text;
}

INSTANTIATE_TEST_SUITE_P(Every, Advice, testing::ValuesIn(advised()), [](const auto& tested) {
  std::string name;
  for (bool up = true; const char c : std::string(tested.param.what)) {
    if (std::isalpha(c)) name += static_cast<char>(up ? std::toupper(c) : c);
    up = !std::isalpha(c);
  }
  return name;
});

// Whatever advice names options was followed above.
TEST(Findings, HaveNoAdviceThatNobodyFollowed) {
  std::set<std::string> followed;
  for (const Advised& a : advised()) {
    const Options options = filled_in(a.given, 10);
    for (const Termination end :
         {Termination::converged, Termination::elbo_settled, Termination::iterations_done,
          Termination::max_iterations, Termination::rounds_done}) {
      const std::string text = advice({a.code}, options, end);
      std::set<std::string> tried;
      for (const auto& entry : a.followed) tried.insert(entry.first);
      if (flags_in(text) == tried) followed.insert(text);
    }
  }
  for (const FindingWords& w : finding_table()) {
    for (const char* method : {"robust", "paper"}) {
      for (const char* family : {"full-rank", "mean-field"}) {
        for (const Termination end :
             {Termination::converged, Termination::elbo_settled, Termination::iterations_done,
              Termination::max_iterations, Termination::rounds_done}) {
          const Options options{.family = family, .method = method};
          const std::string text = advice({w.code}, options, end);
          EXPECT_TRUE(flags_in(text).empty() || followed.contains(text))
              << w.name << ", " << method << ": " << text;
        }
      }
    }
  }
}

// The default method has caps of its own, and says when those have ended it.
TEST(Termination, SaysWhatEndedTheRun) {
  const auto model = builtin("eight-schools-noncentered");
  const Fit rounds = ravi::fit(*model, {.tolerance = 1e-5});
  EXPECT_EQ(rounds.termination, Termination::rounds_done);
  EXPECT_LT(rounds.iterations, rounds.options.max_iterations);
  const Fit cut = ravi::fit(*model, {.max_iterations = 100});
  EXPECT_EQ(cut.termination, Termination::max_iterations);
  EXPECT_LE(cut.iterations, 100);
}

// What these options of the default method are said to be, limits, they are.
TEST(Termination, OfTheDefaultMethodLooksAtTheOptionsItTakes) {
  const auto model = builtin("eight-schools-noncentered");
  const Vector before = answer_of(ravi::fit(*model, {}));
  EXPECT_NE(answer_of(ravi::fit(*model, {.step_size = 0.2})), before);
  EXPECT_NE(answer_of(ravi::fit(*model, {.max_iterations = 50})), before);
}

// --- Progress and times -------------------------------------------------------------------------

// Every gradient takes as long as a step of a solver: a fit whose observer hears of it no more
// often than between checks would be silent for long.
TEST(Progress, IsToldOftenByPhaseAndFromOneThread) {
  // In this order: with a q that bends, with draws that are moved, with neither.
  const std::pair<const char*, Options> fits[] = {
      {"eight-schools-centered", {}},
      {"gaussian", {.family = "mean-field"}},
      {"eight-schools-centered", {.method = "paper", .stop = "fixed", .max_iterations = 1000}}};
  for (const auto& [name_of_model, given] : fits) {
    std::vector<Progress> told;
    const auto caller = std::this_thread::get_id();
    const Observer observer{.progress = [&](const Progress& p) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      told.push_back(p);
    }};
    const Options options = with(given, [](Options& o) { o.threads = 2; });
    const Fit fit = ravi::fit(*builtin(name_of_model), options, observer);
    std::map<Phase, std::pair<long, std::set<std::string_view>>> phases;
    const Progress* before = nullptr;
    for (const Progress& p : told) {
      EXPECT_LE(p.done, p.most);
      auto& [calls, units] = phases[p.phase];
      ++calls;
      if (p.most > 0) units.insert(p.unit);
      if (before && before->phase == p.phase) {
        EXPECT_GE(p.done, before->done);
        EXPECT_GE(p.evaluations, before->evaluations);
      }
      before = &p;
    }
    using Units = std::set<std::string_view>;
    const bool robust = options.method == "robust";
    EXPECT_EQ(phases[Phase::searching].second, Units{robust ? "starts" : "iterations"});
    EXPECT_EQ(phases[Phase::averaging].second, Units{robust ? "windows" : "iterations"});
    EXPECT_EQ(phases[Phase::scoring].second, Units{"importance draws"});
    const bool moved = options.family == "mean-field";
    EXPECT_EQ(phases.contains(Phase::bending), robust && !moved);
    EXPECT_EQ(phases.contains(Phase::moving), moved);
    if (moved) {
      EXPECT_EQ(phases[Phase::moving].second, Units{"transitions"});
    }
    for (const auto& [phase, heard] : phases) EXPECT_GT(heard.first, 20) << name(phase);
    // Looking on changes nothing.
    EXPECT_EQ(answer_of(fit), answer_of(ravi::fit(*builtin(name_of_model), options)));
  }
}

TEST(Timing, PartsAddUpToWhatTheClockShows) {
  const std::vector<std::pair<const char*, Options>> fits = {
      {"eight-schools-centered", {}},          // which bends
      {"gaussian", {.family = "mean-field"}},  // with moves
      {"eight-schools-noncentered", {.method = "paper", .stop = "fixed", .max_iterations = 2000}},
      {"gaussian", {.method = "paper", .step_size = 1e6}}};  // fails
  for (const auto& [name, options] : fits) {
    const auto model = builtin(name);
    const auto began = std::chrono::steady_clock::now();
    const Timing timing = ravi::fit(*model, options).timing;
    const double passed =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    double sum = 0;
    visit_parts(timing, [&](std::string_view, double seconds) {
      EXPECT_GE(seconds, 0);
      sum += seconds;
    });
    EXPECT_NEAR(sum, timing.seconds, 1e-9 * timing.seconds) << name;
    // Besides there are the check of the options and the return of the result.
    EXPECT_LE(timing.seconds, passed) << name;
    EXPECT_GT(timing.seconds, 0.8 * passed - 0.02) << name;
    EXPECT_GT(timing.search_seconds, 0) << name;
  }
  const Timing bent = ravi::fit(*builtin("eight-schools-centered")).timing,
               moved = ravi::fit(*builtin("gaussian"), {.family = "mean-field"}).timing;
  for (const double part : {bent.averaging_seconds, bent.diagnostics_seconds, bent.scoring_seconds,
                            bent.bending_seconds, moved.moving_seconds}) {
    EXPECT_GT(part, 0);
  }
}

}  // namespace
}  // namespace ravi
