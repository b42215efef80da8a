// The parts of `ravi paper` that need no statistics: plots, documents, the cache, the lab.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "cli/cli.hpp"
#include "family/approximation.hpp"
#include "paper/evaluation.hpp"
#include "paper/plot.hpp"
#include "paper/tables.hpp"
#include "temporary_folder.hpp"

namespace ravi::paper {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr double kInf = std::numeric_limits<double>::infinity();

// How often text occurs.
int count(const std::string& where, const std::string& text) {
  int n = 0;
  for (auto at = where.find(text); at != std::string::npos; at = where.find(text, at + 1)) ++n;
  return n;
}

TEST(Plot, TicksAreRoundNumbersInsideTheRange) {
  EXPECT_THAT(ticks(-0.3, 1.1, false), ElementsAre(-0.2, 0, 0.2, 0.4, 0.6000000000000001, 0.8, 1));
  EXPECT_THAT(ticks(0.05, 2e4, true), ElementsAre(0.1, 1, 10, 100, 1000, 10000));
  EXPECT_THAT(ticks(20, 60, true), ElementsAre(20, 30, 50));
  EXPECT_THAT(ticks(1, 1, false), testing::IsEmpty());
}

TEST(Plot, NamesItsAxesAndCurves) {
  Plot plot{"D & more", "iterations", "D < 1"};
  plot.curves = {{"last \"iterate\"", 0, false, {1, 2}, {3, 4}}, {"IA", 0, true, {1, 2}, {1, 2}}};
  plot.vertical = {{"stop", 1.5, 3}};
  plot.horizontal = {{"0.7", 0.7, 6}};
  const std::string svg = to_svg(plot);
  EXPECT_THAT(svg, AllOf(HasSubstr("D &amp; more"), HasSubstr(">iterations<"),
                         HasSubstr("D &lt; 1"), HasSubstr("last &quot;iterate&quot;"),
                         HasSubstr(">IA<"), HasSubstr(">stop<"), HasSubstr(">0.7<")));
  EXPECT_EQ(count(svg, "stroke-dasharray=\"7 4\""), 2);  // the curve and its legend
  EXPECT_EQ(count(svg, "<text"), count(svg, "</text>"));
  EXPECT_EQ(count(svg, "<circle"), 4);
}

TEST(Plot, LeavesOutWhatItsAxesCannotShow) {
  Plot plot{"", "x", "y", false, true};
  plot.curves = {{"a", 0, false, {1, 2, 3, 4, 5}, {1, kUnknown, -1, kInf, 2}}};
  const std::string svg = to_svg(plot);
  EXPECT_EQ(count(svg, "<circle"), 2);
  EXPECT_THAT(svg, AllOf(Not(HasSubstr("nan")), Not(HasSubstr("inf"))));
  // Nothing to show is no reason to fail.
  EXPECT_THAT(to_svg(Plot{}), Not(HasSubstr("nan")));
}

TEST(Document, IsOnePageWithNothingOutsideIt) {
  Document document{"A & B"};
  document.sections.push_back(
      {"Part <1>",
       {Text("a < b"), Table{"T", {"x", "y"}, {{RowKind::printed, {"1", "a|b"}}}},
        Figures{{"f.svg", "<svg></svg>", "caption", {}}}}});
  const std::string html = to_html(document);
  EXPECT_THAT(html, AllOf(HasSubstr("<title>A &amp; B</title>"), HasSubstr("Part &lt;1&gt;"),
                          HasSubstr("<p>a &lt; b</p>"), HasSubstr("class=\" printed\""),
                          HasSubstr("<svg></svg>")));
  EXPECT_THAT(html,
              AllOf(Not(HasSubstr("<script")), Not(HasSubstr("http")), Not(HasSubstr("src="))));
  EXPECT_THAT(html, HasSubstr("<caption><span>T</span></caption>"));
  const std::string markdown = to_markdown(document);
  EXPECT_THAT(markdown, AllOf(HasSubstr("# A & B\n"), HasSubstr("| *1* | *a\\|b* |"),
                              HasSubstr("`f.svg`: caption"), Not(HasSubstr("<svg"))));
}

paper::Run short_run(std::uint64_t seed) {
  paper::Run run{.posterior = "eight-schools-noncentered",
                 .options = paper_options("", quick_effort())};
  run.options.stop = "fixed";
  run.options.max_iterations = 200;
  run.options.psis_draws = 100;
  run.options.seed = seed;
  return run;
}

TEST(Runs, HaveOneNamePerSettings) {
  std::set<std::string> names;
  Options options;
  visit_fields(options, [&](const Field& field, const auto&) {
    paper::Run run = short_run(1);
    visit_fields(run.options, [&](const Field& other, auto& value) {
      using Value = std::decay_t<decltype(value)>;
      if (other.name != field.name) return;
      if constexpr (std::is_arithmetic_v<Value>) {
        value = static_cast<Value>(value + 1);
      } else {
        value += "-other";
      }
    });
    names.insert(run.name());
  });
  names.insert(short_run(1).name());  // which is also that with other threads
  std::size_t fields = 0;
  visit_fields(options, [&](const Field&, const auto&) { ++fields; });
  EXPECT_EQ(names.size(), fields);
}

Result some_result() {
  Result r{.termination = "converged", .verdict = "usable", .iterations = 300};
  r.rhat = kInf;
  r.last = {.d_mu = 0.1, .khat = -0.3};
  r.points = {{.iteration = 200, .elbo = -1.5, .average = {.d_sigma = 3}}};
  r.autocorrelation = Matrix::Identity(3, 2);
  return r;
}

TEST(Cache, GivesBackWhatWasStored) {
  const TemporaryFolder folder;
  const Cache cache(folder / "cache");
  const paper::Run run = short_run(1);
  EXPECT_FALSE(cache.find(run));
  cache.store(run, some_result());
  const std::optional<Result> found = cache.find(run);
  ASSERT_TRUE(found);
  EXPECT_EQ(to_json(*found).dump(), to_json(some_result()).dump());
  EXPECT_FALSE(cache.find(short_run(2)));
}

TEST(Cache, PassesOverDamagedFiles) {
  const TemporaryFolder folder;
  const Cache cache(folder / "cache");
  cache.store(short_run(1), some_result());
  folder.write("cache/" + short_run(1).name() + ".json", "{\"version\": ");
  EXPECT_FALSE(cache.find(short_run(1)));
  folder.write("cache/" + short_run(1).name() + ".json", "{\"settings\": {}, \"result\": {}}");
  EXPECT_FALSE(cache.find(short_run(1)));
}

std::string all_results(const Lab& lab) {
  std::string text;
  for (const auto& [run, result] : lab.all()) text += run->settings() + to_json(*result).dump();
  return text;
}

TEST(Lab, GoesOnAfterAnInterruptionAndDoesNotDependOnThreads) {
  const Library library(RAVI_SOURCE, "");
  const auto silent = [](const LabProgress&) {};
  const TemporaryFolder one, two;

  Lab stopped(library);
  stopped.ask(short_run(0), 3);
  const std::atomic<bool> stop = true;
  stopped.work(Cache(one / "cache"), 2, kNoLimit, &stop, silent);
  EXPECT_EQ(stopped.done().done, 0u);

  // Interrupted after the first run.
  Lab begun(library);
  begun.ask(short_run(0), 3);
  std::atomic<bool> stop_soon = false;
  begun.work(Cache(one / "cache"), 1, kNoLimit, &stop_soon,
             [&](const LabProgress& p) { stop_soon = p.done >= 1; });
  EXPECT_EQ(begun.all().size(), 1u);
  EXPECT_EQ(begun.done().seeds, 1u);

  Lab resumed(library), at_once(library);
  resumed.ask(short_run(0), 3);
  at_once.ask(short_run(0), 3);
  std::size_t from_cache = 99;
  resumed.work(Cache(one / "cache"), 1, kNoLimit, nullptr,
               [&](const LabProgress& p) { from_cache = std::min(from_cache, p.done); });
  EXPECT_TRUE(resumed.done().complete());
  EXPECT_EQ(from_cache, 1u);
  at_once.work(Cache(two / "cache"), 3, kNoLimit, nullptr, silent);
  EXPECT_TRUE(at_once.done().complete());
  EXPECT_EQ(resumed.ask(short_run(0), 3).results.size(), 3u);
  EXPECT_EQ(all_results(resumed), all_results(at_once));
}

TEST(Lab, TakesSeedAfterSeedAndBeginsNothingWhenTimeIsOver) {
  const Library library(RAVI_SOURCE, "");
  const TemporaryFolder folder;
  Lab lab(library);
  paper::Run longer = short_run(0);
  longer.options.max_iterations *= 2;
  lab.ask(short_run(0), 2);
  lab.ask(longer, 2);
  lab.work(Cache(folder / "cache"), 1, 0, nullptr, [](const LabProgress&) {});
  EXPECT_EQ(lab.done().done, 0u);
  EXPECT_EQ(lab.done().seeds, 0u);
  std::atomic<bool> stop = false;
  lab.work(Cache(folder / "cache"), 1, kNoLimit, &stop,
           [&](const LabProgress& p) { stop = p.done >= 3; });
  EXPECT_EQ(lab.done().done, 3u);
  EXPECT_EQ(lab.done().seeds, 1u);
  EXPECT_EQ(lab.ask(short_run(0), 2).results.size(), 1u);
  EXPECT_EQ(lab.ask(longer, 2).results.size(), 2u);
}

TEST(Group, TakesMediansOverWhatIsKnown) {
  Result a{.iterations = 100}, b{.iterations = 300}, c{.iterations = 200};
  a.verdict = b.verdict = "usable";
  c.verdict = "failed";
  b.last.d_mu = 2;
  const Group group{{&a, &b, &c}};
  EXPECT_EQ(group.median([](const Result& r) { return double(r.iterations); }), 200);
  EXPECT_EQ(group.median([](const Result& r) { return r.last.d_mu; }), 2);
  EXPECT_TRUE(std::isnan(group.median([](const Result& r) { return r.last.khat; })));
  EXPECT_EQ(group.commonest_verdict(), "usable");
}

// K = P(P+3)/2 counts the mean and the lower triangle, as the paper's table does but its text does
// not; for MNIST100 the table has P itself.
TEST(PrintedValues, AreOfPosteriorsThatThereAre) {
  const Library library(RAVI_SOURCE, "");
  const Printed printed = read_printed(library.own_file("printed.json"));
  EXPECT_EQ(printed.table1.size(), 14u);
  EXPECT_EQ(printed.table2.size(), 10u);
  for (const auto* table : {&printed.table1, &printed.table2}) {
    for (std::size_t i = 0; i < table->size(); ++i) {
      const PrintedRow& row = (*table)[i];
      EXPECT_EQ(row.rule, i % 2 == 0 ? "delta-elbo" : "mcse") << row.model;
      for (const std::string& posterior : row.posteriors) {
        if (!library.has(posterior_of(posterior))) continue;
        const Index p = library.load({.posterior = posterior}).model->dimension();
        EXPECT_EQ(row.size, posterior == "mnist100" ? p : p * (p + 3) / 2) << row.model;
      }
    }
  }
}

TEST(Evaluation, SaysWhereToGetMissingDataAndAsksForTheRest) {
  const TemporaryFolder folder;
  // A source folder with nothing but what the paper printed.
  std::filesystem::create_directories(folder / "paper");
  std::filesystem::copy(RAVI_SOURCE "/paper/printed.json", folder / "paper/printed.json");
  const Library library(folder / ".", "");
  EXPECT_FALSE(library.has(posterior_of("radon")));
  EXPECT_FALSE(library.has(posterior_of("linear-wine")));
  EXPECT_TRUE(library.has(posterior_of("simulated")));
  Lab lab(library);
  const Printed printed = read_printed(library.own_file("printed.json"));
  const std::string text = to_markdown(evaluate({}, lab, quick_effort(), printed));
  EXPECT_THAT(text, AllOf(HasSubstr("linear-wine needs wine_quality_red.csv: UCI"),
                          HasSubstr("radon needs radon.csv"), HasSubstr("*15000\\**")));
}

// MNIST100 as its authors ran it is run with the digits of paper/data where there are no others.
TEST(Evaluation, OtherDigitsStandInForMissingOnesOnly) {
  const TemporaryFolder folder;
  folder.write("mnist_100.json", "{}");  // is only looked for here
  const Printed printed = read_printed(RAVI_SOURCE "/paper/printed.json");
  const auto digits = [&](const Library& library) {
    Lab lab(library);
    std::vector<std::string> names;
    for (const AuthorsRuns& runs :
         table_runs(printed.table1, kTable1Optimizers, lab, quick_effort()).authors) {
      if (runs.model == "MNIST100") names.push_back(runs.posterior);
    }
    return names;
  };
  EXPECT_THAT(digits(Library(RAVI_SOURCE, folder / ".")), ElementsAre("authors-mnist100"));
  if (const Library without(RAVI_SOURCE, ""); !without.has(posterior_of("authors-mnist100"))) {
    EXPECT_THAT(digits(without), ElementsAre("authors-mnist100", "authors-mnist100-other"));
  }
}

TEST(PaperCommand, RefusesWhatItDoesNotKnow) {
  const auto call = [](const cli::Arguments& args) {
    std::ostringstream out, err;
    cli::Console console{out, err};
    const int status = cli::run(args, console);
    return std::to_string(status) + " " + err.str();
  };
  EXPECT_THAT(call({"paper", "table3"}), AllOf(HasSubstr("2 "), HasSubstr("did you mean 'table")));
  EXPECT_THAT(call({"paper", "--quick", "--full"}), HasSubstr("2 ravi paper: --quick or --full"));
  EXPECT_THAT(call({"paper", "--minutes", "0"}), HasSubstr("2 ravi paper: --minutes = 0, but"));
  const TemporaryFolder folder;
  EXPECT_THAT(call({"paper", "--source", folder / "none"}),
              AllOf(HasSubstr("2 "), HasSubstr("printed.json is not there")));
}

}  // namespace
}  // namespace ravi::paper
