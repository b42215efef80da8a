// fit.json, the files it goes to, and the words on the terminal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/files.hpp"
#include "file_size_limit.hpp"
#include "model/registry.hpp"
#include "output/criteria.hpp"
#include "output/fit_json.hpp"
#include "output/json_values.hpp"
#include "output/numbers.hpp"
#include "output/run_words.hpp"
#include "output/terminal.hpp"
#include "ravi/error.hpp"
#include "ravi/version.hpp"
#include "temporary_folder.hpp"

namespace ravi {
namespace {

using testing::HasSubstr;

Fit fit_of(const char* model, Options options = {}, const Reference* reference = nullptr) {
  options.method = "paper";
  options.stop = "fixed";
  if (options.max_iterations == 0) options.max_iterations = 3000;
  Fit result = fit(*make_builtin(model, nullptr), options, {}, reference);
  result.model = model;
  return result;
}

Fit failed_fit() {
  Options options;
  options.step_size = 1e6;
  return fit_of("gaussian", options);
}

Fit mean_field_fit() {
  Options options;
  options.family = "mean-field";
  return fit_of("eight-schools-centered", options);
}

Fit referenced_fit() {
  const Reference reference{make_builtin("student-t", nullptr)->unconstrained_names(),
                            Vector::Zero(5), Matrix::Identity(5, 5)};
  return fit_of("student-t", {}, &reference);
}

Fit multimodal_fit() {
  return fit_of("bimodal", {.method = "paper", .stop = "fixed", .max_iterations = 2000});
}

Fit moved_fit() {
  Fit fit = fit_of("gaussian");
  fit.average->moves = Moves{.draws = 1000,
                             .transitions = 24,
                             .gradient_evaluations = 98765,
                             .rhat = 1.0625,
                             .rhat_limit = kUnknown,
                             .kept = true};
  return fit;
}

std::vector<Fit> all_kinds() {
  std::vector<Fit> fits;
  fits.push_back(fit_of("gaussian"));
  fits.push_back(failed_fit());
  fits.push_back(mean_field_fit());
  fits.push_back(referenced_fit());
  fits.push_back(multimodal_fit());
  fits.push_back(moved_fit());
  return fits;
}

// What was written must be read back in full: writing it again gives the same bytes.
TEST(FitJson, ReadsBackWhatItWrote) {
  const TemporaryFolder folder;
  for (Fit fit : all_kinds()) {
    fit.provenance.command = {"ravi", "fit", "a b"};
    fit.provenance.data = {"data.json", "0123"};
    if (fit.average) fit.average->parameters.back().sd_trusted = false;
    const std::string text = fit_to_json(fit, 10);
    const Fit back = read_fit(folder.write("fit.json", text));
    EXPECT_EQ(fit_to_json(back, 10), text) << fit.model;
  }
}

TEST(FitJson, SaysWhereAFitComesFrom) {
  ::setenv("SOURCE_DATE_EPOCH", "86399", 1);
  Fit fit = fit_of("gaussian");
  ::unsetenv("SOURCE_DATE_EPOCH");
  const auto j = nlohmann::json::parse(fit_to_json(fit, 10))["provenance"];
  EXPECT_EQ(j["version"], version());
  EXPECT_EQ(j["created_at"], "1970-01-01T23:59:59Z");
  EXPECT_EQ(j["interface"], "c++");
  EXPECT_FALSE(j["platform"].get<std::string>().empty());
  EXPECT_TRUE(j["program"]["hash"].is_null() && j["data"]["hash"].is_null());
  EXPECT_GT(fit_of("gaussian").provenance.created_at, "2025");
}

TEST(FitJson, HasEveryKeyOfTheContract) {
  for (const Fit& fit : all_kinds()) {
    const auto j = nlohmann::json::parse(fit_to_json(fit, 10));
    for (const char* key : {"schema",
                            "model",
                            "dimension",
                            "options",
                            "seed",
                            "verdict",
                            "termination",
                            "iterations",
                            "averaging_started_at",
                            "gradient_evaluations",
                            "rhat",
                            "mcse",
                            "ess",
                            "tail_index",
                            "khat",
                            "khat_threshold",
                            "elbo",
                            "findings",
                            "variational",
                            "last_iterate",
                            "parameters",
                            "unweighted_parameters",
                            "timing",
                            "memory_peak_mb",
                            "provenance"}) {
      EXPECT_TRUE(j.contains(key)) << key;
    }
    EXPECT_EQ(j["schema"], 1);
    EXPECT_EQ(j["options"]["max_iterations"], fit.options.max_iterations);
    EXPECT_FALSE(j["options"].contains("threads"));
    for (const auto& f : j["findings"]) {
      for (const char* key :
           {"code", "severity", "measure", "observed", "limit", "parameter", "message", "advice"}) {
        EXPECT_TRUE(f.contains(key)) << key;
      }
    }
  }
}

TEST(FitJson, HoldsTheAnswerInTheFormOfItsFamily) {
  const auto full = nlohmann::json::parse(fit_to_json(fit_of("gaussian"), 10))["variational"];
  EXPECT_EQ(full["family"], "full-rank");
  EXPECT_EQ(full["mean"].size(), 10u);
  EXPECT_EQ(full["cov"].size(), 10u);
  const auto diagonal = nlohmann::json::parse(fit_to_json(mean_field_fit(), 10))["variational"];
  EXPECT_EQ(diagonal["family"], "mean-field");
  EXPECT_EQ(diagonal["scale"].size(), 10u);
  const auto apart = nlohmann::json::parse(fit_to_json(multimodal_fit(), 10));
  EXPECT_TRUE(apart["variational"].is_null());
  ASSERT_EQ(apart["chains"].size(), 4u);
  EXPECT_EQ(apart["chains"][0]["mean"].size(), 2u);
  EXPECT_EQ(apart["chains"][0]["parameters"].size(), 2u);
  const auto r = nlohmann::json::parse(fit_to_json(referenced_fit(), 10))["reference"];
  for (const char* key :
       {"d_mu", "d_sigma", "kl", "d_mu_last", "d_sigma_last", "kl_last", "khat_last"}) {
    EXPECT_TRUE(r[key].is_number()) << key;
  }
}

TEST(FitJson, RejectsWhatIsNoFitAndNamesTheFile) {
  const TemporaryFolder folder;
  for (const char* text : {"{}", "[1, 2]", "{\"schema\": 99}", "{\"schema\": 1, \"model\": 3}"}) {
    const std::string path = folder.write("fit.json", text);
    try {
      read_fit(path);
      FAIL() << text << " was accepted";
    } catch (const UsageError& e) {
      EXPECT_THAT(e.what(), HasSubstr(path));
    }
  }
}

TEST(JsonValues, KeepNumbersBitForBitAndSpellOutTheRest) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const double x : {0.1, -1e-300, 5e-324, 1.7976931348623157e308, 2.0 / 3, inf, -inf}) {
    const auto text = number_to_json(x).dump();
    EXPECT_EQ(number_from_json(nlohmann::json::parse(text)), x) << text;
  }
  EXPECT_TRUE(number_to_json(std::nan("")).is_null());
  EXPECT_TRUE(std::isnan(number_from_json(nullptr)));
}

// nlohmann's dump() throws on such a text, and the fit would be lost.
TEST(JsonValues, ATextThatIsNotUtf8IsStillWritten) {
  const std::string text = layout({{"model", "caf\xe9.stan"}, {"\xff", {{{"name", "\xe9"}}}}});
  EXPECT_EQ(nlohmann::json::parse(text)["model"], "caf\ufffd.stan");
}

TEST(Files, AreReplacedWholeAndLeaveNothingBehind) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.txt", "old");
  write_atomically(path, "new");
  EXPECT_EQ(contents(path), "new");
  const auto count = std::distance(std::filesystem::directory_iterator(folder / ""), {});
  EXPECT_EQ(count, 1);
}

TEST(Files, AFullDiskLeavesTheOldFileAndNoOther) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.txt", "old");
  try {
    const FileSizeLimit full(1000);
    write_atomically(path, std::string(5000, 'x'));
    ADD_FAILURE() << "writing beyond the limit succeeded";
  } catch (const EnvironmentError& e) {
    EXPECT_THAT(e.what(), HasSubstr(path));
  }
  EXPECT_EQ(contents(path), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / ""), {}), 1);
}

// Where others can write too, they can guess the number of a process and put links in its way.
TEST(Files, ALinkInTheWayOfATemporaryFileOrALockIsNotFollowed) {
  const TemporaryFolder folder;
  const std::string victim = folder.write("victim", "precious"), path = folder / "a.txt";
  std::filesystem::create_symlink(victim, path + ".ravi-tmp" + std::to_string(::getpid()));
  std::filesystem::create_symlink(victim, path);
  write_atomically(path, "new");
  EXPECT_EQ(contents(victim), "precious");
  EXPECT_EQ(contents(path), "new");
  EXPECT_FALSE(std::filesystem::is_symlink(path));
  std::filesystem::create_symlink(folder / "made", folder / ".ravi-lock");
  EXPECT_THROW(FolderLock(folder / ""), EnvironmentError);
  EXPECT_FALSE(std::filesystem::exists(folder / "made"));
}

// Replaced by a file it would be gone.
TEST(Files, WhatIsNotAFileIsNotReplacedByOne) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THROW(write_atomically(folder / "pipe", "text"), EnvironmentError);
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
  EXPECT_THROW(write_atomically(folder / "", "text"), EnvironmentError);
}

TEST(Files, AFolderThatCannotBeUsedIsRefusedBeforeTheWork) {
  const TemporaryFolder folder;
  const std::string file = folder.write("file", "");
  const auto prepare = [](const std::string& path, bool overwrite) {
    const auto lock = prepare_folder(path, {"fit.json"}, overwrite);
  };
  EXPECT_THROW(prepare(file, false), UsageError);
  EXPECT_THROW(prepare(file + "/below", false), UsageError);
  EXPECT_THROW(prepare("/proc/ravi", false), EnvironmentError);
  prepare(folder / "a/b", false);
  EXPECT_TRUE(std::filesystem::is_empty(folder / "a/b"));
  std::ofstream(folder / "a/b/fit.json") << "{}";
  EXPECT_THROW(prepare(folder / "a/b", false), UsageError);
  EXPECT_NO_THROW(prepare(folder / "a/b", true));
}

TEST(Findings, EveryCodeHasWordsAndADifferentName) {
  std::vector<std::string> names;
  for (const FindingWords& w : finding_table()) {
    EXPECT_EQ(&words(w.code), &w);
    EXPECT_FALSE(w.message.empty() || w.advice.empty() || w.source.empty());
    names.emplace_back(w.name);
  }
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
  EXPECT_EQ(static_cast<int>(finding_table().size()),
            static_cast<int>(FindingCode::interrupted) + 1);
}

TEST(Findings, TheWorstOneDecidesTheVerdict) {
  EXPECT_EQ(judge({}), Verdict::accurate);
  EXPECT_EQ(judge({{FindingCode::weights_needed}}), Verdict::usable);
  EXPECT_EQ(judge({{FindingCode::weights_needed}, {FindingCode::approximation_poor}}),
            Verdict::unreliable);
  EXPECT_EQ(judge({{FindingCode::iterates_heavy_tailed}, {FindingCode::approximation_poor}}),
            Verdict::not_converged);
  EXPECT_EQ(judge({{FindingCode::iterates_diverged}, {FindingCode::chains_disagree}}),
            Verdict::failed);
}

TEST(Summary, ShowsVerdictFindingsAndAdvice) {
  for (const Fit& fit : all_kinds()) {
    const std::string text = summary(fit, {});
    EXPECT_THAT(text, HasSubstr(std::string("verdict: ") + std::string(name(fit.verdict))));
    for (const Finding& f : fit.findings) EXPECT_THAT(text, HasSubstr(words(f.code).name));
    EXPECT_THAT(text, testing::Not(HasSubstr("\x1b")));
  }
}

// An error of 50 leaves no ones, one of 1e-10 all of a small number; one that is not known leaves
// the size.
TEST(Numbers, HaveTheDigitsThatTheirErrorAllows) {
  EXPECT_EQ(with_error(4.399587, 0.028), "4.40");
  EXPECT_EQ(with_error(1234, 50), "1230");
  EXPECT_EQ(with_error(-1234, 5000), "-1000");
  EXPECT_EQ(with_error(-1234, 20000), "0");
  EXPECT_EQ(with_error(-0.0004, 0.01), "0.00");
  EXPECT_EQ(with_error(1.5e-8, 1e-10), "1.50e-08");
  EXPECT_EQ(with_error(123456789, 1000), "1.23457e+08");
  EXPECT_EQ(with_error(3.75, kUnknown), "4");
  EXPECT_EQ(with_error(2.5, 0), "2.5");
  EXPECT_EQ(with_error(kUnknown, 0.1), "-");
}

// Mean and quantiles stay, wherever they are shown; the sd goes, and the reason comes.
TEST(Summary, HasNoSdThatIsNotToBeTrusted) {
  Fit fit = fit_of("gaussian");
  ParameterSummary& first = fit.average->parameters.front();
  first.sd = 77.125;
  first.sd_trusted = false;
  const std::string text = summary(fit, {});
  EXPECT_THAT(text, testing::Not(HasSubstr("77")));
  EXPECT_THAT(text, HasSubstr("sd -: it rests on too few draws, or does not exist"));
  EXPECT_THAT(summary(fit_of("gaussian"), {}), testing::Not(HasSubstr("sd -")));
  const auto j = nlohmann::json::parse(fit_to_json(fit, 10))["parameters"];
  EXPECT_TRUE(j[0]["sd"].is_null() && j[0]["mcse_sd"].is_null());
  EXPECT_THAT(j[0]["sd_missing"].get<std::string>(), HasSubstr("too few draws"));
  EXPECT_FALSE(j[0]["mean"].is_null() || j[1]["sd"].is_null() || j[1].contains("sd_missing"));
}

// A Pareto distribution fitted to weights that hardly vary has any k-hat at all.
TEST(Summary, ShowsKhatOnlyWhereWeightsVary) {
  Fit fit = fit_of("gaussian");
  fit.average->khat = 2.77;
  fit.average->efficiency = 0.5;
  EXPECT_THAT(summary(fit, {}), HasSubstr("k-hat of q"));
  EXPECT_EQ(khat_text(*fit.average), "2.77");
  fit.average->efficiency = 0.999;
  const std::string text = summary(fit, {});
  EXPECT_THAT(text, testing::Not(testing::AnyOf(HasSubstr("k-hat of q"), HasSubstr("2.77"))));
  EXPECT_THAT(text, HasSubstr("they hardly vary"));
  EXPECT_EQ(khat_text(*fit.average), "weights even");
}

TEST(Summary, SaysConvergedOnlyWhereTheFitDid) {
  Fit fit = multimodal_fit();
  fit.termination = Termination::converged;
  ASSERT_EQ(fit.verdict, Verdict::not_converged);
  EXPECT_THAT(summary(fit, {}), testing::Not(HasSubstr("(converged)")));
  fit.termination = Termination::max_iterations;
  EXPECT_THAT(summary(fit, {}), HasSubstr("(max-iterations)"));
  fit.termination = Termination::converged;
  fit.verdict = Verdict::usable;
  EXPECT_THAT(summary(fit, {}), HasSubstr("(converged)"));
}

TEST(Summary, OfIteratesThatWereAveragedNamesTheFirstAndTheLast) {
  EXPECT_EQ(averaged_text({.iterations = 330, .averaging_started_at = 150}), "151 to 330");
  EXPECT_EQ(averaged_text({.iterations = 0, .averaging_started_at = 0}), std::nullopt);
  EXPECT_EQ(averaged_text({.iterations = 10, .averaging_started_at = -1}), std::nullopt);
}

// The last check is the one that the verdict rests on, whatever was compared in it.
TEST(Fit, HasOneLargestRhat) {
  for (const Fit& fit : all_kinds()) {
    if (fit.trace.empty() || fit.termination == Termination::diverged) continue;
    EXPECT_EQ(fit.trace.back().rhat_max, fit.rhat_max) << fit.model;
  }
}

TEST(Summary, SaysWhereTheTableIsThatOfMovedDraws) {
  EXPECT_THAT(summary(moved_fit(), {}), HasSubstr("1000 draws, each moved by 24 Hamiltonian"));
}

TEST(Summary, FitsTheWidthItIsGiven) {
  for (const int width : {60, 80, 100}) {
    std::istringstream lines(summary(multimodal_fit(), {.width = width}));
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("bimodal:") || line.starts_with("  parameter")) continue;
      EXPECT_LE(line.size(), static_cast<std::size_t>(std::max(width, 70))) << line;
    }
  }
}

TEST(Summary, OfALongTableSaysHowManyRowsAreMissing) {
  const std::string text = summary(fit_of("gaussian"), {.max_parameters = 4});
  EXPECT_THAT(text, HasSubstr("theta[4]"));
  EXPECT_THAT(text, testing::Not(HasSubstr("theta[5]")));
  EXPECT_THAT(text, HasSubstr("and 6 more, in fit.json"));
}

// A clock that the tests move.
struct Hands {
  std::chrono::steady_clock::time_point now{};
  void move(double seconds) {
    now += std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        std::chrono::duration<double>(seconds));
  }
  std::function<std::chrono::steady_clock::time_point()> clock() {
    return [this] { return now; };
  }
};

Progress progress_of(Phase phase, long done, long most, const char* unit) {
  return {.phase = phase, .done = done, .most = most, .unit = unit};
}

TEST(Progress, IsPlainLinesByPhaseAndEveryTenSecondsWhereThereIsNoTerminal) {
  std::ostringstream out;
  const Options options{.tolerance = 0.1};
  Hands hands;
  ProgressDisplay display(out, options, false, 80, hands.clock());
  for (int i = 0; i < 9; ++i) {
    display.show(progress_of(Phase::searching, 0, 12, "starts"));
    hands.move(0.1);
  }
  EXPECT_EQ(out.str(), "");  // nothing is said of the first second
  for (int i = 0; i < 251; ++i) {
    hands.move(0.1);
    display.show(progress_of(Phase::searching, i / 25, 12, "starts"));
  }
  Progress averaging = progress_of(Phase::averaging, 40, 644, "windows");
  averaging.check.rhat_max = 1.5;
  averaging.rhat_limit = 1.2;
  display.show(averaging);
  const std::string text = out.str();
  // After 1, 11 and 21 seconds, and when the phase changed.
  EXPECT_EQ(std::ranges::count(text, '\n'), 4) << text;
  EXPECT_THAT(text, HasSubstr("searching     8 of 12 starts"));
  EXPECT_THAT(text, HasSubstr("averaging     40 of 644 windows  R-hat 1.5 > 1.2"));
  EXPECT_TRUE(std::ranges::none_of(text, [](char c) { return c != '\n' && std::iscntrl(c); }));
}

// What is left is told of the phase, by its own count, and only where it tells something.
TEST(Progress, TellsWhatIsLeftOfThePhaseAtTheMost) {
  const auto last_line = [](std::vector<std::pair<double, Progress>> steps) {
    std::ostringstream out;
    const Options options;
    Hands hands;
    ProgressDisplay display(out, options, true, 200, hands.clock());
    for (const auto& [seconds, progress] : steps) {
      hands.move(seconds);
      display.show(progress);
    }
    return out.str().substr(out.str().rfind('\r') + 5);
  };
  // 3 of 12 in 6 s: 18 s are left.
  EXPECT_EQ(last_line({{0, progress_of(Phase::searching, 0, 12, "starts")},
                       {6, progress_of(Phase::searching, 3, 12, "starts")}}),
            "searching     3 of 12 starts  6 s, 18 s left of this at the most");
  // Iterations go on counting from one phase to the next.
  EXPECT_EQ(last_line({{0, progress_of(Phase::searching, 0, 2000, "iterations")},
                       {10, progress_of(Phase::averaging, 1000, 2000, "iterations")},
                       {5, progress_of(Phase::averaging, 1500, 2000, "iterations")}}),
            "averaging     1500 of 2000 iterations  15 s, 5 s left of this at the most");
  // A cap that is far away says nothing about this fit.
  EXPECT_EQ(last_line({{0, progress_of(Phase::searching, 0, 100000, "iterations")},
                       {36, progress_of(Phase::searching, 25, 100000, "iterations")}}),
            "searching     25 of 100000 iterations  36 s");
}

TEST(Progress, IsOneRewrittenLineOnATerminal) {
  std::ostringstream out;
  {
    const Options options;
    ProgressDisplay display(out, options, true, 40);
    display.show({.phase = Phase::averaging, .check = {100, -10, 1.05, 0.01, 12}});
  }
  const std::string text = out.str();
  EXPECT_EQ(std::ranges::count(text, '\n'), 0);
  EXPECT_THAT(text, HasSubstr("averaging"));
  EXPECT_TRUE(text.ends_with("\r\x1b[2K"));
}

TEST(Timing, IsShownByItsParts) {
  const Timing timing{.seconds = 3.5, .search_seconds = 1, .scoring_seconds = 2.5};
  EXPECT_EQ(time_text(timing), "3.5 s: search 1, scoring 2.5");
}

}  // namespace
}  // namespace ravi
