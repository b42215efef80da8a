// The program as a user meets it: good requests, bad ones, and what is left behind.
#include "cli/cli.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "ravi/output.hpp"
#include "temporary_folder.hpp"

namespace ravi::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct Outcome {
  int status;
  std::string out, err;
};

Outcome call(const Arguments& args) {
  std::ostringstream out, err;
  Console console{out, err};
  const int status = run(args, console);
  return {status, out.str(), err.str()};
}

nlohmann::json without_timing(const std::string& text) {
  auto j = nlohmann::json::parse(text);
  j.erase("timing");
  j.erase("memory_peak_mb");
  j.erase("provenance");
  return j;
}

const Arguments kQuickFit = {"fit",   "eight-schools-noncentered", "--method", "paper", "--stop",
                             "fixed", "--max-iterations",          "400"};

Arguments with(Arguments args, const Arguments& more) {
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

TEST(Program, ExplainsItself) {
  for (const char* help : {"--help", "-h", "help"}) {
    const Outcome o = call({help});
    EXPECT_EQ(o.status, 0);
    EXPECT_THAT(o.out, AllOf(HasSubstr("fit"), HasSubstr("simulate"), HasSubstr("diagnose")));
  }
  EXPECT_EQ(call({}).status, 2);
  EXPECT_THAT(call({"--version"}).out, testing::MatchesRegex("ravi [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  EXPECT_THAT(call({"fti"}).err, HasSubstr("did you mean 'fit'?"));
}

TEST(Program, HelpOfEveryCommandNamesThePapersSymbols) {
  for (const char* command : {"fit", "list", "simulate", "diagnose", "paper"}) {
    const Outcome o = call({command, "--help"});
    EXPECT_EQ(o.status, 0);
    EXPECT_TRUE(o.err.empty());
    EXPECT_FALSE(o.out.empty());
  }
  const std::string help = call({"fit", "--help"}).out;
  for (const OutputKind& kind : output_kinds()) {
    EXPECT_THAT(help,
                testing::ContainsRegex(std::string(kind.name) + "  +" + std::string(kind.what)));
  }
  for (const char* word :
       {"--step-size", "eta = robust 0.8, paper 0.01", "--chains",
        "J = robust 4, paper 4, authors 1", "tau = robust 1.1, paper 1.1, authors 1.3",
        "epsilon = paper 0.02", "rmsprop, adagrad", "full-rank", "delta-elbo", "--reference",
        "Exit status"}) {
    EXPECT_THAT(help, HasSubstr(word));
  }
}

TEST(List, ShowsEveryRegistry) {
  const Outcome o = call({"list"});
  EXPECT_EQ(o.status, 0);
  for (const char* name : {"linear-regression", "logistic-regression", "eight-schools-centered",
                           "eight-schools-noncentered", "radon", "mnist-nn", "gaussian", "funnel",
                           "bimodal", "cauchy", "student-t", "mean-field", "full-rank", "rmsprop",
                           "adagrad-windowed", "delta-elbo", "paper"}) {
    EXPECT_THAT(o.out, HasSubstr(name));
  }
}

TEST(List, LimitsAreThoseOfTheDocument) {
  const Outcome o = call({"list", "limits"});
  EXPECT_EQ(o.status, 0);
  EXPECT_THAT(contents(RAVI_SOURCE "/docs/method.md"), HasSubstr(o.out));
  EXPECT_EQ(call({"list", "lemons"}).status, 2);
}

TEST(FitCommand, WritesWhatItShows) {
  const TemporaryFolder folder;
  const Outcome o = call(with(kQuickFit, {"--output", folder / "out"}));
  EXPECT_THAT(o.out, HasSubstr("verdict: "));
  const auto j = nlohmann::json::parse(contents(folder / "out/fit.json"));
  EXPECT_THAT(o.out, HasSubstr("verdict: " + j["verdict"].get<std::string>()));
  EXPECT_EQ(j["model"], "eight-schools-noncentered");
  EXPECT_THAT(o.err, HasSubstr("written: " + (folder / "out") + "/ fit.json draws"));
  for (const char* file : {"out/fit.nc", "out/report.html"}) {
    EXPECT_TRUE(std::filesystem::exists(folder / file)) << file;
  }
  const Outcome json = call(with(kQuickFit, {"--json", "--quiet"}));
  EXPECT_EQ(without_timing(json.out), without_timing(contents(folder / "out/fit.json")));
  EXPECT_TRUE(json.err.empty());
}

TEST(FitCommand, ExitStatusFollowsTheVerdict) {
  const Outcome good = call({"fit", "gaussian", "--family", "mean-field", "--quiet", "--json"});
  const std::string verdict = nlohmann::json::parse(good.out)["verdict"];
  EXPECT_EQ(good.status, verdict == "accurate" || verdict == "usable" ? 0 : 1);

  const TemporaryFolder folder;
  const Outcome failed = call(
      {"fit", "gaussian", "--method", "paper", "--step-size", "1e6", "--output", folder / "f"});
  EXPECT_EQ(failed.status, 1);
  EXPECT_THAT(failed.out, HasSubstr("verdict: failed"));
  EXPECT_EQ(nlohmann::json::parse(contents(folder / "f/fit.json"))["verdict"], "failed");
  EXPECT_THAT(failed.err, HasSubstr("no draws"));

  const Outcome combined = call({"fit", "bimodal", "--quiet", "--json"});
  EXPECT_EQ(combined.status, 0);
  EXPECT_EQ(nlohmann::json::parse(combined.out)["modes"].size(), 2u);

  const Outcome apart = call({"fit", "bimodal", "--method", "paper", "--stop", "fixed",
                              "--max-iterations", "2000", "--output", folder / "b"});
  EXPECT_EQ(apart.status, 1);
  const auto j = nlohmann::json::parse(contents(folder / "b/fit.json"));
  EXPECT_EQ(j["verdict"], "not-converged");
  EXPECT_EQ(j["findings"][0]["code"], "chains-disagree");
  EXPECT_EQ(j["chains"].size(), 4u);

  const Outcome accurate =
      call({"fit", "eight-schools-noncentered", "--quiet", "--output", folder / "e"});
  EXPECT_EQ(accurate.status, 0);
}

TEST(FitCommand, SaysFromWhatAndByWhichCommandAFitWasMade) {
  const TemporaryFolder folder;
  const std::string data = folder.write("data.json", "{\"P\": 2}");
  const auto provenance = [&] {
    return nlohmann::json::parse(
        call({"fit", "gaussian", "--data", data, "--json", "--quiet"}).out)["provenance"];
  };
  const auto first = provenance();
  EXPECT_EQ(first["interface"], "command line");
  EXPECT_EQ(first["command"],
            nlohmann::json({"ravi", "fit", "gaussian", "--data", data, "--json", "--quiet"}));
  EXPECT_EQ(first["data"]["path"], data);
  EXPECT_TRUE(first["program"]["hash"].is_null());  // built in: the version says which
  EXPECT_EQ(provenance()["data"]["hash"], first["data"]["hash"]);
  folder.write("data.json", "{\"P\": 3}");
  EXPECT_NE(provenance()["data"]["hash"], first["data"]["hash"]);
}

// Byte for byte, but for the lines that are about the run and not the answer.
TEST(FitCommand, SameSeedSameBytesWhateverTheThreads) {
  const auto lines = [](const std::string& text) {
    std::istringstream in(text);
    std::string kept;
    for (std::string line; std::getline(in, line);) {
      const auto about = [&](const char* key) { return line.starts_with(key); };
      if (about("\"timing\"") || about("\"memory_peak_mb\"") || about("\"provenance\"")) continue;
      kept += line + "\n";
    }
    return kept;
  };
  const auto fit = [&](const Arguments& more) {
    return lines(call(with(kQuickFit, with({"--json", "--quiet"}, more))).out);
  };
  const std::string one = fit({"--threads", "1"});
  EXPECT_EQ(one, fit({"--threads", "2"}));
  EXPECT_EQ(one, fit({"--threads", "5"}));
  EXPECT_EQ(one, fit({"--threads", "1"}));
  EXPECT_NE(one, fit({"--seed", "2"}));
}

TEST(FitCommand, CanBeRepeatedFromItsOwnResult) {
  const TemporaryFolder folder;
  call(with(kQuickFit, {"--seed", "7", "--optimizer", "adam", "--output", folder / "a"}));
  const Outcome again = call(
      {"fit", "eight-schools-noncentered", "--config", folder / "a/fit.json", "--json", "--quiet"});
  EXPECT_EQ(without_timing(again.out), without_timing(contents(folder / "a/fit.json")));
}

TEST(FitCommand, ReadsOptionsFromTomlAndJsonAndTheCommandLineWins) {
  const TemporaryFolder folder;
  const std::string toml = folder.write("fit.toml",
                                        "# a comment\nmethod = \"paper\"\nstop = "
                                        "\"fixed\"\nmax-iterations = 300\nstep_size = 0.02\n");
  const std::string json = folder.write(
      "fit2.json",
      R"({"method": "paper", "stop": "fixed", "max_iterations": 300, "step_size": 0.02})");
  for (const std::string& config : {toml, json}) {
    const Outcome o = call({"fit", "gaussian", "--config", config, "--seed", "3", "--step-size",
                            "0.03", "--json", "--quiet"});
    const auto options = nlohmann::json::parse(o.out)["options"];
    EXPECT_EQ(options["stop"], "fixed");
    EXPECT_EQ(options["max_iterations"], 300);
    EXPECT_EQ(options["step_size"], 0.03);
    EXPECT_EQ(options["seed"], 3);
  }
}

// A word on the command line and in a file; the number it became is recorded.
TEST(FitCommand, RecordsTheMiniBatchesThatAutoStandsFor) {
  const TemporaryFolder folder;
  const std::string data =
      folder.write("d.json", R"({"N": 3, "P": 1, "X": [[1], [2], [3]], "y": [1, 2, 2]})");
  const std::string json = folder.write("fit.json", R"({"minibatch": "auto"})");
  const std::string toml = folder.write("fit.toml", "minibatch = \"auto\"\n");
  for (const Arguments& more :
       {Arguments{"--minibatch", "auto"}, {"--config", json}, {"--config", toml}}) {
    Arguments args = {"fit", "linear-regression", "--data", data, "--json", "--quiet"};
    args.insert(args.end(), more.begin(), more.end());
    const Outcome o = call(args);
    EXPECT_EQ(nlohmann::json::parse(o.out)["options"]["minibatch"], 0) << o.err;
  }
}

// Each bad request: arguments, and what its one message must name.
struct BadRequest {
  const char* name;
  Arguments args;
  std::vector<std::string> said;
};

class EveryBadRequest : public testing::TestWithParam<BadRequest> {};

TEST_P(EveryBadRequest, EndsWithOneClearMessageAndNothingWritten) {
  const TemporaryFolder folder, output;
  folder.write("malformed.json", "{\n  \"N\": 3,\n  \"X\": [1, 2,, 3]\n}");
  folder.write("dimensions.json", R"({"N": 3, "P": 2, "X": [[1, 2], [3, 4]], "y": [1, 2, 3]})");
  folder.write("nan.json", R"({"N": 2, "P": 1, "X": [[1], ["NaN"]], "y": [1, 2]})");
  folder.write("bare_nan.json", "{\"N\": 2, \"P\": 1,\n\"X\": [[1], [NaN]], \"y\": [1, 2]}");
  folder.write("inf.csv", "a,y\n1,2\ninf,3\n");
  folder.write("headless.csv", "1.5,2\n3,4\n5,6\n");
  folder.write("ragged.csv", "a,b,y\n1,2,3\n4,5\n6,7,8\n");
  folder.write("empty_p.json", R"({"N": 2, "P": 0, "X": [[], []], "y": [1, 2]})");
  std::filesystem::create_directories(folder / "taken");
  folder.write("taken/fit.json", "{}");
  folder.write("file", "");
  folder.write("good.json", R"({"N": 2, "P": 1, "X": [[1], [2]], "y": [1, 2]})");
  folder.write("bad.toml", "step_sise = 3\n");
  folder.write("equals.toml", "# nothing\n=\n");
  folder.write("valueless.toml", "seed =\n");
  folder.write("section.toml", "[options]\nseed = 1\n");
  folder.write("two.toml", "seed = 1 2\n");
  folder.write("twice.toml", "seed = 1\nseed = 2\n");
  folder.write("reference.json", R"({"parameters": ["a"], "mean": [0], "cov": [[1]]})");
  Arguments args = GetParam().args;
  for (std::string& a : args) {
    if (a.starts_with("@")) a = folder / a.substr(1);
  }
  if (std::ranges::find(args, "--output") == args.end()) {
    args.insert(args.end(), {"--output", output / "made"});
  }
  const Outcome o = call(args);
  EXPECT_EQ(o.status, 2) << o.err;
  EXPECT_TRUE(o.out.empty()) << o.out;
  EXPECT_TRUE(o.err.starts_with("ravi " + GetParam().args[0] + ": ")) << o.err;
  for (const std::string& word : GetParam().said) EXPECT_THAT(o.err, HasSubstr(word));
  EXPECT_EQ(std::ranges::count(o.err, '\n'), 1) << o.err;
  EXPECT_TRUE(output.empty());
  EXPECT_EQ(contents(folder / "taken/fit.json"), "{}");
}

INSTANTIATE_TEST_SUITE_P(
    Program, EveryBadRequest,
    testing::Values(
        BadRequest{"UnknownModel", {"fit", "gausian"}, {"gausian", "did you mean 'gaussian'?"}},
        BadRequest{"NoModel", {"fit"}, {"which model"}},
        BadRequest{"MissingDataFile",
                   {"fit", "linear-regression", "--data", "@nowhere.json"},
                   {"nowhere.json", "No such file"}},
        BadRequest{"DataNeeded", {"fit", "linear-regression"}, {"linear-regression", "data"}},
        BadRequest{"MalformedJson",
                   {"fit", "linear-regression", "--data", "@malformed.json"},
                   {"malformed.json:3:"}},
        BadRequest{"WrongDimensions",
                   {"fit", "linear-regression", "--data", "@dimensions.json"},
                   {"dimensions.json", "X", "3 x 2", "2 x 2"}},
        BadRequest{"NanInData",
                   {"fit", "linear-regression", "--data", "@nan.json"},
                   {"nan.json", "X[2,1]", "finite"}},
        BadRequest{"BareNanInData",
                   {"fit", "linear-regression", "--data", "@bare_nan.json"},
                   {"bare_nan.json:2:", "finite"}},
        BadRequest{"InfinityInCsv",
                   {"fit", "linear-regression", "--data", "@inf.csv"},
                   {"inf.csv:3", "finite"}},
        BadRequest{"RaggedCsv",
                   {"fit", "linear-regression", "--data", "@ragged.csv"},
                   {"ragged.csv:3", "2 fields", "3 columns"}},
        BadRequest{"CsvWithoutHeader",
                   {"fit", "linear-regression", "--data", "@headless.csv"},
                   {"headless.csv:1", "1.5", "name the columns"}},
        BadRequest{"NoParameters", {"fit", "linear-regression", "--data", "@empty_p.json"}, {"P"}},
        BadRequest{"NegativeStepSize",
                   {"fit", "gaussian", "--step-size", "-1"},
                   {"step_size = -1", "[0, inf)", "eta"}},
        BadRequest{
            "NoChains", {"fit", "gaussian", "--chains", "-1"}, {"chains = -1", "[0, inf)", "J"}},
        BadRequest{"WindowBeyondTheEnd",
                   {"fit", "gaussian", "--window", "500", "--max-iterations", "100"},
                   {"window = 500", "max_iterations = 100"}},
        BadRequest{"NotANumber",
                   {"fit", "gaussian", "--step-size", "fast"},
                   {"--step-size expects a number, got 'fast'"}},
        BadRequest{"NotAWholeNumber",
                   {"fit", "gaussian", "--chains", "2.5"},
                   {"--chains expects a whole number, got '2.5'"}},
        BadRequest{"NegativeSeed", {"fit", "gaussian", "--seed", "-4"}, {"--seed", "-4"}},
        BadRequest{"OutOfRange",
                   {"fit", "gaussian", "--chains", "99999999999"},
                   {"--chains", "out of range"}},
        BadRequest{"UnknownOption",
                   {"fit", "gaussian", "--chians", "4"},
                   {"no option is called '--chians', did you mean '--chains'?"}},
        BadRequest{"UnknownOptionWithValue", {"fit", "gaussian", "--stepsize=3"}, {"--step-size"}},
        BadRequest{"ValueMissing", {"fit", "gaussian", "--chains"}, {"--chains"}},
        BadRequest{"TooManyArguments", {"fit", "gaussian", "funnel"}, {"'funnel'"}},
        BadRequest{"UnknownFamily",
                   {"fit", "gaussian", "--family", "full_rank"},
                   {"full_rank", "did you mean 'full-rank'?"}},
        BadRequest{"UnknownStop",
                   {"fit", "gaussian", "--method", "paper", "--stop", "never"},
                   {"mcse, delta-elbo, fixed"}},
        BadRequest{"OptionOfAnotherMethod",
                   {"fit", "gaussian", "--stop", "fixed"},
                   {"stop = fixed", "robust has no use for it", "method paper"}},
        BadRequest{
            "MiniBatchWithoutRows", {"fit", "gaussian", "--minibatch", "5"}, {"minibatch = 5"}},
        BadRequest{"AutomaticMiniBatchWithoutRows",
                   {"fit", "gaussian", "--minibatch", "auto"},
                   {"minibatch = auto", "not a sum over rows"}},
        BadRequest{"MiniBatchesOfAStanProgram",  // said before anything is read or compiled
                   {"fit", "there_is_none.stan", "--minibatch", "5"},
                   {"minibatch = 5", "a Stan program never is"}},
        BadRequest{"MiniBatchIsAWord",
                   {"fit", "gaussian", "--minibatch", "many"},
                   {"--minibatch expects a whole number or 'auto', got 'many'"}},
        BadRequest{"ChainsAreNotAutomatic",
                   {"fit", "gaussian", "--chains", "auto"},
                   {"--chains expects a whole number, got 'auto'"}},
        BadRequest{"MiniBatchTooLarge",
                   {"fit", "linear-regression", "--data", "@good.json", "--minibatch", "5"},
                   {"minibatch = 5", "2 rows"}},
        BadRequest{
            "OutputIsAFile", {"fit", "gaussian", "--output", "@file"}, {"file", "output folder"}},
        BadRequest{
            "OutputIsEmpty", {"fit", "gaussian", "--output", ""}, {"--output needs a value"}},
        BadRequest{"DataIsEmpty", {"fit", "gaussian", "--data", ""}, {"--data needs a value"}},
        BadRequest{
            "ConfigIsEmpty", {"fit", "gaussian", "--config", ""}, {"--config needs a value"}},
        BadRequest{"ReferenceIsEmpty",
                   {"fit", "gaussian", "--reference", ""},
                   {"--reference needs a value"}},
        BadRequest{"SimulateToNowhere",
                   {"simulate", "linear-regression", "--output", ""},
                   {"--output needs a value"}},
        BadRequest{"ConfigIsALoneEqualsSign",
                   {"fit", "gaussian", "--config", "@equals.toml"},
                   {"equals.toml:2: expected 'name = value'"}},
        BadRequest{"ConfigWithoutAValue",
                   {"fit", "gaussian", "--config", "@valueless.toml"},
                   {"valueless.toml:1: expected"}},
        BadRequest{"ConfigWithASection",
                   {"fit", "gaussian", "--config", "@section.toml"},
                   {"section.toml:1: expected"}},
        BadRequest{"ConfigWithTwoValues",
                   {"fit", "gaussian", "--config", "@two.toml"},
                   {"two.toml:1: expected"}},
        BadRequest{"ConfigSaysItTwice",
                   {"fit", "gaussian", "--config", "@twice.toml"},
                   {"twice.toml:2: seed is given twice"}},
        BadRequest{
            "OutputTaken", {"fit", "gaussian", "--output", "@taken"}, {"fit.json", "--overwrite"}},
        BadRequest{"UnknownOptionInConfig",
                   {"fit", "gaussian", "--config", "@bad.toml"},
                   {"bad.toml", "step_sise", "step_size"}},
        BadRequest{"ConfigOfAnotherKind", {"fit", "gaussian", "--config", "@file"}, {".toml"}},
        BadRequest{"ReferenceOfAnotherModel",
                   {"fit", "gaussian", "--reference", "@reference.json"},
                   {"reference.json"}},
        BadRequest{"SimulateNothing", {"simulate", "linear-regression", "--p", "0"}, {"p"}},
        BadRequest{
            "SimulateTooCorrelated", {"simulate", "linear-regression", "--gamma", "1"}, {"gamma"}},
        BadRequest{"SimulateWhat", {"simulate"}, {"which model", "linear-regression"}},
        BadRequest{"SimulateUnknown", {"simulate", "radon"}, {"linear-regression"}}),
    [](const auto& request) { return std::string(request.param.name); });

// 10^14 parameters are more than any machine has memory for; names of them would take a day.
TEST(FitCommand, ASizeBeyondMemoryIsSaidBeforeAnythingIsMade) {
  for (const char* model : {"gaussian", "bimodal", "cauchy", "funnel", "student-t"}) {
    const Outcome o = call({"fit", model, "--data", R"({"P": 100000000000000})"});
    EXPECT_EQ(o.status, 3);
    EXPECT_THAT(o.err, AllOf(HasSubstr("P is 100000000000000"), HasSubstr("GB of memory")));
  }
  const Outcome o = call(
      {"fit", "radon", "--data",
       R"({"N": 1, "J": 100000000000000, "county": [1], "log_radon": [1], "floor_measure": [0]})"});
  EXPECT_EQ(o.status, 3);
  EXPECT_THAT(o.err, HasSubstr("J is 100000000000000"));
}

TEST(FitCommand, WritesToAFolderWhoseNameIsNotUtf8AndSpellsItOut) {
  const TemporaryFolder folder;
  const std::string output = folder / "caf\xe9";
  const Outcome o = call(with(kQuickFit, {"--output", output}));
  EXPECT_LE(o.status, 1) << o.err;
  EXPECT_TRUE(nlohmann::json::accept(contents(output + "/fit.json")));
  EXPECT_THAT(o.err, HasSubstr("caf\\xe9/ fit.json"));
}

TEST(Simulate, MakesDataWhosePosteriorTheFitFinds) {
  const TemporaryFolder folder;
  const Arguments args = {"simulate", "linear-regression", "--n", "100",    "--p",
                          "3",        "--gamma",           "0.5", "--seed", "2",
                          "--output", folder / "sim"};
  ASSERT_EQ(call(args).status, 0);
  const std::string first = contents(folder / "sim/data.json");
  EXPECT_EQ(call(args).status, 2);
  ASSERT_EQ(call(with(args, {"--overwrite"})).status, 0);
  EXPECT_EQ(contents(folder / "sim/data.json"), first);
  const Outcome o = call({"fit", "linear-regression", "--data", folder / "sim/data.json",
                          "--reference", folder / "sim/reference.json", "--json", "--quiet"});
  const auto j = nlohmann::json::parse(o.out);
  // The posterior is a Gaussian, which the steps reach but for rounding.
  EXPECT_LT(j["reference"]["kl"].get<double>(), 1e-6);
  EXPECT_LE(
      j["elbo"]["value"].get<double>(),
      nlohmann::json::parse(contents(folder / "sim/reference.json"))["log_evidence"].get<double>() +
          5 * j["elbo"]["mcse"].get<double>());
}

TEST(Diagnose, ShowsTheSameVerdictAndStatusAgain) {
  const TemporaryFolder folder;
  const Outcome fit = call({"fit", "bimodal", "--method", "paper", "--stop", "fixed",
                            "--max-iterations", "2000", "--output", folder / "b"});
  for (const std::string& path : {folder / "b", folder / "b/fit.json"}) {
    const Outcome again = call({"diagnose", path});
    EXPECT_EQ(again.status, fit.status);
    EXPECT_THAT(again.out, HasSubstr(fit.out));
    EXPECT_THAT(again.out, HasSubstr("Algorithm 1"));
  }
  EXPECT_EQ(call({"diagnose"}).status, 2);
  EXPECT_EQ(call({"diagnose", folder / "nowhere"}).status, 2);
  EXPECT_EQ(call({"diagnose", folder / std::string(5000, 'x')}).status, 2);
}

TEST(Diagnose, SaysWhatIsWrongWithAFileInPlainWords) {
  const TemporaryFolder folder;
  for (const char* text : {"{}", R"({"schema": "one"})", R"({"schema": 1, "model": 3})", "[1]"}) {
    const Outcome o = call({"diagnose", folder.write("fit.json", text)});
    EXPECT_EQ(o.status, 2);
    EXPECT_THAT(o.err, AllOf(HasSubstr("not a fit written by ravi: "), Not(HasSubstr("exception")),
                             Not(HasSubstr("[json"))));
  }
}

// Names as an attacker would choose them: to set a title, to color, to erase, to forge a line.
constexpr const char* kHostile =
    "\x1b]0;title\x07\nverdict: accurate - forged\r\x1b[2K\x7f\u202e\u009b1m";

// Everything but the sequences that ravi itself uses on a terminal.
std::string without_styles(std::string text) {
  for (const std::string own :
       {"\x1b[0m", "\x1b[1;32m", "\x1b[1;36m", "\x1b[1;31m", "\x1b[31m", "\x1b[33m", "\x1b[36m"}) {
    for (std::size_t at = 0; (at = text.find(own, at)) != std::string::npos;) {
      text.erase(at, own.size());
    }
  }
  return text;
}

void expect_safe(const std::string& text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    EXPECT_TRUE(byte == '\n' || (byte >= 0x20 && byte != 0x7f)) << text;
  }
  for (const char* hidden : {"\u202e", "\u009b"}) EXPECT_THAT(text, Not(HasSubstr(hidden)));
  EXPECT_THAT("\n" + text, Not(HasSubstr("\nverdict: accurate - forged")));
}

TEST(Terminal, NamesInAFitCannotSteerIt) {
  const TemporaryFolder folder;
  const Outcome fit = call(with(kQuickFit, {"--json", "--quiet"}));
  auto j = nlohmann::json::parse(fit.out);
  j["model"] = j["rhat"]["parameter"] = kHostile;
  for (auto& p : j["parameters"]) p["name"] = kHostile;
  ASSERT_FALSE(j["findings"].empty());
  for (auto& f : j["findings"]) f["parameter"] = f["detail"] = kHostile;
  const std::string path = folder.write("fit.json", j.dump());
  for (const bool terminal : {true, false}) {
    std::ostringstream out, err;
    Console console{out, err, terminal, terminal};
    run({"diagnose", path}, console);
    EXPECT_EQ(out.str() != without_styles(out.str()), terminal);
    expect_safe(without_styles(out.str()));
    EXPECT_THAT(out.str(), HasSubstr("\\u001b]0;title\\u0007"));
  }
}

TEST(Terminal, NoMessageCanSteerIt) {
  const TemporaryFolder folder;
  const std::string hostile = kHostile, key = nlohmann::json(hostile).dump();
  folder.write("key.json", "{" + key + ": \"x\"}");
  folder.write("twice.json", "{" + key + ": 1, " + key + ": 2}");
  folder.write("config.json", "{" + key + ": 1}");
  std::string cell = hostile;  // a line break ends a row
  std::erase(cell, '\n');
  folder.write("header.csv", cell + "," + cell + "\n1,2\n");
  folder.write("field.csv", "a,b\n1," + cell + "\n");
  folder.write("latin1.csv", "caf\xe9,b\n1,x\n");
  const auto data = [&](const char* file) {
    return Arguments{"fit", "linear-regression", "--data", folder / file};
  };
  for (const Arguments& args : {data("key.json"),
                                data("twice.json"),
                                data("header.csv"),
                                data("field.csv"),
                                data("latin1.csv"),
                                data(kHostile),
                                Arguments{"fit", hostile},
                                {hostile},
                                {"fit", "gaussian", hostile},
                                {"fit", "gaussian", "--" + hostile},
                                {"fit", "gaussian", "--seed", hostile},
                                {"fit", "gaussian", "--family", hostile},
                                {"fit", "gaussian", "--config", hostile},
                                {"fit", "gaussian", "--config", hostile + ".toml"},
                                {"fit", "gaussian", "--config", folder / "config.json"},
                                {"fit", hostile + ".stan"},
                                {"compile", hostile},
                                {"diagnose", hostile},
                                {"report", hostile},
                                {"simulate", hostile}}) {
    const Outcome o = call(args);
    EXPECT_EQ(o.status, 2) << o.err;
    expect_safe(o.err);
    EXPECT_EQ(std::ranges::count(o.err, '\n'), 1) << o.err;
  }
}

}  // namespace
}  // namespace ravi::cli
