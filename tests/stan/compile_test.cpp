// Compiling Stan programs: the cache, includes, threads, and everything that can be wrong.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <atomic>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "cli/cli.hpp"
#include "core/process.hpp"
#include "evaluation.hpp"
#include "programs.hpp"
#include "ravi/error.hpp"
#include "setting.hpp"
#include "temporary_folder.hpp"

namespace ravi {
namespace {

using testing::AllOf, testing::HasSubstr, testing::Not, testing::StartsWith;

constexpr const char* kNormal =
    "parameters { real mu; }\n"
    "model { mu ~ normal(0, 1); }\n";

struct Outcome {
  int status;
  std::string out, err;
};

Outcome ravi(const cli::Arguments& args) {
  std::ostringstream out, err;
  cli::Console console{out, err};
  const int status = cli::run(args, console);
  return {status, out.str(), err.str()};
}

// Options of a fit that is over soon.
cli::Arguments quick_fit(const std::string& program, const std::string& data) {
  cli::Arguments args = {
      "fit", program, "--method", "paper", "--stop", "fixed", "--max-iterations", "200", "--quiet"};
  if (!data.empty()) args.insert(args.end(), {"--data", data});
  return args;
}

TEST(Compile, PrintsThePathOfALibraryAndKeepsIt) {
  const TemporaryFolder folder;
  const std::string program = folder.write("normal.stan", kNormal);
  const Outcome first = ravi({"compile", program, "--output", folder / "normal.so"});
  ASSERT_EQ(first.status, 0) << first.err;
  EXPECT_EQ(first.out, folder / "normal.so" + "\n");
  const Outcome second = ravi({"compile", program});
  EXPECT_EQ(second.status, 0);
  EXPECT_THAT(second.out, StartsWith(stan_cache_folder()));
  EXPECT_EQ(second.err, "") << "it was compiled a second time";
  EXPECT_LE(ravi(quick_fit(folder / "normal.so", "")).status, 1);
}

TEST(Compile, AnotherProgramOrIncludeIsAnotherLibrary) {
  const TemporaryFolder folder;
  const std::string program =
      folder.write("with_include.stan",
                   "functions {\n#include half.stan\n}\n"
                   "parameters { real mu; }\nmodel { mu ~ normal(half(2), 1); }\n");
  folder.write("half.stan", "real half(real x) { return x / 2; }\n");
  const std::string first = compile_stan(program);
  folder.write("half.stan", "real half(real x) { return x * 3; }\n");
  const std::string second = compile_stan(program);
  EXPECT_NE(first, second);
  const Matrix theta = Matrix::Zero(1, 1);
  EXPECT_NEAR(evaluate(*stan_model(first), theta).gradient(0, 0), 1, 1e-12);
  EXPECT_NEAR(evaluate(*stan_model(second), theta).gradient(0, 0), 6, 1e-12);
}

TEST(Compile, ErrorsPointAtTheUsersLine) {
  struct Case {
    const char *program, *expected;
  };
  const TemporaryFolder folder;
  folder.write("half.stan", "real half(real x) {\n\n  return x / 2;\n}\n");
  folder.write("third.stan", "real third(real x) {\n\n  return x / thre;\n}\n");
  const bool stanc3 = stan_minor() >= 26;
  for (const auto& [program, expected] : {
           Case{"data { int N; array[N] real y }\nparameters { real mu; }\n", "wrong.stan:1: "},
           Case{"data {\n  int N;\n  array[N] real x, y;\n}\nparameters { real mu; }\n"
                "model { mu ~ normal(0, sgma); }\n",
                stanc3 ? "wrong.stan:6: Identifier 'sgma' not in scope."
                       : "wrong.stan:6: Variable \"sgma\" does not exist."},
           Case{"functions {\n\n#include half.stan\n\n}\n\nparameters { real mu; }\n\n"
                "model { mu ~ normal(half(1), sgma); }\n",
                "wrong.stan:9: "},
           Case{"functions {\n#include third.stan\n}\nmodel { }\n", "third.stan:3: "},
           Case{"parameters { real mu; }\nmodel { mu ~ normall(0, 1); }\n", "wrong.stan:2: "},
           Case{"functions {\n#include nowhere.stan\n}\n", "nowhere.stan"},
           Case{"parameters { real mu; }\nmodel { #include prior.stan\n}\n",
                "wrong.stan:2: #include must be the first thing in its line"},
       }) {
    const Outcome outcome = ravi({"fit", folder.write("wrong.stan", program)});
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(expected));
    EXPECT_THAT(outcome.err, Not(HasSubstr("rstan")));
  }
}

// The message names the file of data, the variable, and the line of its declaration.
TEST(Compile, BadDataAreRefusedInOneLine) {
  const TemporaryFolder folder;
  const std::string program = folder.write("mean.stan",
                                           "data {\n"
                                           "  int<lower=1> N;\n"
                                           "  array[N] int k;\n"
                                           "  matrix[N, 2] x;\n"
                                           "  vector<lower=0>[N] y;\n"
                                           "}\n"
                                           "parameters { real mu; }\n"
                                           "model { y ~ normal(mu, 1); }\n");
  const std::string good = R"({"N": 2, "k": [1, 2], "x": [[1, 2], [3, 4]], "y": [0.5, 1]})";
  EXPECT_LE(ravi(quick_fit(program, folder.write("good.json", good))).status, 1);
  struct Case {
    const char *data, *expected;
  };
  for (const auto& [data, expected] : {
           Case{R"({"N": 2, "k": [1, 2], "x": [[1, 2], [3, 4]]})",
                stan_minor() < 26 ? "y is missing; the program declares it as vector (in "
                                    "'mean.stan' at line 5)"
                                  : "y is missing; the program declares it as real numbers (in "
                                    "'mean.stan' at line 5)"},
           Case{R"({"N": 2, "k": [1, 2], "x": [[1, 2], [3, 4]], "y": [1, 2, 3]})",
                "y has size 3, but the program declares 2 (in 'mean.stan' at line 5)"},
           Case{R"({"N": 2, "k": [1, 2], "x": [1, 2], "y": [1, 2]})",
                "x has size 2, but the program declares 2 x 2 (in 'mean.stan' at line 4)"},
           Case{R"({"N": 2, "k": [1, 2.5], "x": [[1, 2], [3, 4]], "y": [1, 2]})",
                "k is not whole numbers, but the program declares it as int (in 'mean.stan' at "
                "line 3)"},
           Case{R"({"N": 2, "k": [1, 2], "x": [[1, 2], [3, 4]], "y": [1, -2]})",
                "y[2] is -2, but must be greater than or equal to 0"},
           Case{R"({"N": 0, "k": [], "x": [], "y": []})",
                "N is 0, but must be greater than or equal to 1"},
           Case{R"({"N": 2, "k": [1, 2], "x": [[1, 2], [3]], "y": [1, 2]})",
                "x is not a rectangular array"},
           Case{R"({"N": 2, "k": ["a", "b"], "x": [[1, 2], [3, 4]], "y": [1, 2]})",
                "k holds the text"},
           Case{R"({"N": 2, "k": [1,, 2]})", "parse error"},
       }) {
    const std::string path = folder.write("bad.json", data);
    const Outcome outcome = ravi(quick_fit(program, path));
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_THAT(outcome.err, AllOf(StartsWith("ravi fit: " + path + ": "), HasSubstr(expected)));
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  }
  EXPECT_THAT(ravi(quick_fit(program, "")).err,
              StartsWith("ravi fit: without data: N is missing; the program declares it as int"));
}

// Matrices are rows in JSON and columns in Stan; arrays of matrices have both orders.
TEST(Compile, DataArriveInStansOrder) {
  const TemporaryFolder folder;
  const std::string program = folder.write(
      "order.stan",
      "data { array[2] matrix[2, 3] x; array[2, 3] int k; array[0, 3] real none; real inf; }\n"
      "parameters { real mu; }\n"
      "model { mu ~ normal(0, 1); }\n"
      "generated quantities {\n"
      "  array[6] real seen = {x[1, 1, 2], x[1, 2, 1], x[2, 2, 3], k[1, 2], k[2, 1], inf};\n"
      "}\n");
  const auto model = stan_model(program,
                                R"({"x": [[[11, 12, 13], [21, 22, 23]], [[31, 32, 33],
                                          [41, 42, 43]]], "k": [[1, 2, 3], [4, 5, 6]], "none": [],
                                    "inf": -Infinity})");
  Matrix quantities(7, 1);
  model->constrain(Matrix::Zero(1, 1), quantities, 1);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(quantities.col(0), (Vector{{0, 12, 21, 43, 2, 4, -infinity}}));
  EXPECT_EQ(model->parameter_names()[6], "seen[6]");
}

// Stan's own readers say nothing of it.
TEST(Compile, DataThatAProgramDoesNotReadAreNamedInTheFit) {
  const TemporaryFolder folder;
  folder.write("sizes.stan", "int N; // and_this\n");
  const std::string program = folder.write("reads.stan",
                                           "data {\n#include sizes.stan\n  vector[N] y;\n}\n"
                                           "transformed data { int other = N; }\n"
                                           "parameters { real mu; }\n"
                                           "model { y ~ normal(mu, 1); }\n");
  const auto model = stan_model(program, R"({"N": 2, "y": [1, 2], "other": 1, "Y": 4})");
  EXPECT_THAT(model->unread_data(), testing::ElementsAre("other", "Y"));
  EXPECT_THAT(stan_model(program, R"({"N": 2, "y": [1, 2]})")->unread_data(), testing::IsEmpty());
  EXPECT_THAT(stan_model(program, folder.write("table.csv", "y,x\n1,2\n3,4\n"))->unread_data(),
              testing::IsEmpty());
  cli::Arguments args = quick_fit(program, folder.write("d.json", R"({"N": 1, "y": [1], "z": 2})"));
  std::erase(args, "--quiet");
  EXPECT_THAT(ravi(args).out, AllOf(HasSubstr("warning data-unread"), HasSubstr("(z)")));
}

// Not the bare words of a parser that has never heard of it.
TEST(Compile, ProgramsForANewerStanAreRecognized) {
  struct Case {
    int since;
    const char *program, *used;
  };
  const TemporaryFolder folder;
  for (const auto& [since, program, used] : {
           Case{36, "parameters { sum_to_zero_vector[3] x; }\nmodel { x ~ normal(0, 1); }\n",
                "sum_to_zero_vector"},
           Case{24,
                "functions { vector sho(real t, vector y, real a) { return -a * y; } }\n"
                "parameters { real<lower=0> a; }\n"
                "model { array[1] vector[1] y = ode_bdf(sho, [1]', 0, {1.0}, a); y[1] ~ "
                "normal(0, 1); }\n",
                "ode_bdf"},
           Case{33,
                "data { tuple(real, int) t; }\nparameters { real x; }\n"
                "model { x ~ normal(t.1, 1); }\n",
                "tuple"},
           Case{35, "parameters { real x; }\nmodel { x ~ normal(0, 1); jacobian += x; }\n",
                "jacobian +="},
           Case{29, "parameters { real<lower=0> x; }\nmodel { x ~ loglogistic(1, 2); }\n",
                "loglogistic"},
       }) {
    if (stan_minor() >= since) continue;
    const Outcome outcome = ravi({"fit", folder.write("newer.stan", program)});
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_THAT(outcome.err,
                AllOf(HasSubstr(fmt::format("uses {}, which Stan has since 2.{}; this is Stan 2.{}",
                                            used, since, stan_minor())),
                      HasSubstr("BRIDGESTAN")));
  }
  // A name of the user's own is no reason to doubt the version.
  const Outcome own = ravi({"fit", folder.write("own.stan",
                                                "functions { real norm(real x) { return x; } }\n"
                                                "parameters { real x; }\n"
                                                "model { x ~ normal(norm(1), sgma); }\n")});
  EXPECT_EQ(own.status, 2);
  EXPECT_THAT(own.err, AllOf(HasSubstr("sgma"), Not(HasSubstr("BRIDGESTAN"))));
}

TEST(Compile, MessagesOfTheModelReachTheFinding) {
  const TemporaryFolder folder;
  const std::string program = folder.write("reject.stan",
                                           "parameters { real mu; }\n"
                                           "model {\n"
                                           "  mu ~ normal(0, 1);\n"
                                           "  if (mu > -100) reject(\"mu is \", mu > -100);\n"
                                           "}\n");
  const Outcome outcome = ravi({"fit", program, "--max-iterations", "300"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("failed"), HasSubstr("density-not-computable"),
                                 HasSubstr("mu is 1 (in 'reject.stan' at line 4)")));
}

TEST(Compile, ProgramsThatPrintAreShownUpToALimit) {
  const TemporaryFolder folder;
  const std::string program = folder.write("chatty.stan",
                                           "parameters { real mu; }\n"
                                           "model { mu ~ normal(0, 1); print(\"hello\"); }\n");
  const Outcome outcome = ravi({"fit", program, "--method", "paper", "--stop", "fixed",
                                "--max-iterations", "200", "--json"});
  EXPECT_NO_THROW(nlohmann::json::parse(outcome.out));
  EXPECT_THAT(outcome.err, HasSubstr("print: hello\n"));
  EXPECT_THAT(outcome.err, HasSubstr("is not shown"));
  EXPECT_LT(std::ranges::count(outcome.err, '\n'), 50);
}

TEST(Compile, AProgramOfGeneratedQuantitiesOnlyIsDrawn) {
  const TemporaryFolder folder;
  const std::string program =
      folder.write("simulation.stan", "generated quantities { real x = normal_rng(3, 2); }\n");
  const Outcome outcome = ravi({"fit", program, "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto j = nlohmann::json::parse(outcome.out);
  // 4000 draws: standard error 2 / sqrt(4000) = 0.032, four of them.
  EXPECT_NEAR(j.at("parameters").at(0).at("mean").get<double>(), 3, 0.13);
  EXPECT_EQ(j.at("findings").at(0).at("code"), "no-parameters");
  const std::string empty = folder.write("empty.stan", "model { }\n");
  const Outcome nothing = ravi({"fit", empty});
  EXPECT_EQ(nothing.status, 2);
  EXPECT_THAT(nothing.err, HasSubstr("neither parameters nor quantities"));
}

// 100 000 gradients of a program built without thread support, by four threads.
TEST(Compile, WithoutThreadSupportFourThreadsGetTheAnswersOfOne) {
  const auto model =
      stan_model(program_of("radon"), file_of("radon", "data.json"), {.threads = false});
  const Matrix theta = random_points(model->dimension(), 1000);
  const Values expected = evaluate(*model, theta);
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int repeat = 0; repeat < 25; ++repeat) {
          const Values v = evaluate(*model, theta);
          if (v.log_density != expected.log_density || v.gradient != expected.gradient) ++wrong;
        }
      });
    }
  }
  EXPECT_EQ(wrong, 0);
}

// Other libraries can have taken all of the little memory for thread-local data at fixed offsets.
TEST(Compile, WhereThreadLocalDataHaveNoRoomAProgramIsCompiledToDoWithoutIt) {
  const TemporaryFolder folder;
  const std::string fake =
      contents(std::string(RAVI_FAKE_LIBRARIES) + "/fake_static_thread_locals.so");
  std::vector<std::unique_ptr<Model>> loaded;
  std::string refusal;
  for (int i = 0; i < 100 && refusal.empty(); ++i) {
    // What is behind the library's end makes it another one.
    const std::string copy = folder.write(std::to_string(i) + ".so", fake + std::to_string(i));
    try {
      loaded.push_back(stan_model(copy));
    } catch (const EnvironmentError& e) {
      refusal = e.what();
    }
  }
  EXPECT_THAT(refusal, HasSubstr("static TLS"));
  // Of one content there is one copy, however often it is asked for.
  EXPECT_NO_THROW(stan_model(folder / "0.so"));
  const auto model = stan_model(program_of("dose_response"), file_of("dose_response", "data.json"));
  const Values values = evaluate(*model, random_points(model->dimension(), 3));
  EXPECT_TRUE(values.log_density.allFinite());
}

// Not the program's fault: exit status 3, with what R said.
TEST(Compile, AnRThatFailsIsNotTheProgramsFault) {
  const TemporaryFolder folder;
  for (const char* name : {"dpkg-architecture", "clang++"}) {
    std::filesystem::create_symlink(std::string("/usr/bin/") + name, folder / name);
  }
  const std::string rscript = folder.write("Rscript", "#!/bin/sh\necho no package rstan; exit 1\n");
  std::filesystem::permissions(rscript, std::filesystem::perms::owner_all);
  const std::string program = folder.write("normal_3.stan", kNormal);
  const Setting path("PATH", folder / "");
  const Outcome outcome = ravi({"fit", program});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("R could not run stanc (status 1)"), HasSubstr("no package rstan")));
}

// An empty PATH has neither compiler nor R.
TEST(Compile, MissingPackagesAreNamed) {
  const TemporaryFolder folder;
  const std::string program = folder.write("normal.stan", kNormal);
  const Setting path("PATH", folder / "nothing");
  const Outcome outcome = ravi({"fit", program});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("apt-get install --no-install-recommends r-cran-rstan clang"));
}

// A PATH with everything but clang.
TEST(Compile, WithoutClangItIsGxx) {
  const TemporaryFolder folder;
  for (const auto& entry : std::filesystem::directory_iterator("/usr/bin")) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("clang")) {
      std::filesystem::create_symlink(entry.path(), folder / name);
    }
  }
  const Setting path("PATH", folder / "");
  const std::string program = folder.write("by_gxx.stan", kNormal);
  std::string said;
  StanOptions options;
  options.progress = [&](std::string_view line) { said += line; };
  const auto model = stan_model(program, "", options);
  EXPECT_THAT(said, testing::AnyOf(testing::IsEmpty(), HasSubstr("compiling with g++")));
  EXPECT_NEAR(evaluate(*model, Matrix::Ones(1, 1)).gradient(0, 0), -1, 1e-12);
}

TEST(Compile, ACacheThatCannotBeWrittenIsNamed) {
  const TemporaryFolder folder;
  const std::string program = folder.write("normal_2.stan", kNormal);
  const Setting cache("XDG_CACHE_HOME", folder.write("file", "not a folder"));
  const Outcome outcome = ravi({"fit", program});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr(folder / "file"), HasSubstr("XDG_CACHE_HOME")));
}

TEST(Compile, TwoAtOnceCompileOnce) {
  const TemporaryFolder folder;
  // The folder's name makes it a program that no earlier run has left in the cache.
  const std::string program = folder.write("twice.stan", kNormal + ("// " + folder / "\n"));
  // The headers are ready, so that what is compiled twice would be the program.
  compile_stan(folder.write("before.stan", kNormal));
  std::vector<Outcome> outcomes(2);
  {
    std::vector<std::jthread> threads;
    for (Outcome& outcome : outcomes) {
      threads.emplace_back([&] {
        const ProcessResult result = run_process({RAVI_PROGRAM, "compile", program});
        outcome = {result.status, result.output, ""};
      });
    }
  }
  EXPECT_EQ(outcomes[0].status, 0) << outcomes[0].out;
  EXPECT_EQ(outcomes[1].status, 0) << outcomes[1].out;
  const bool compiled[] = {outcomes[0].out.find("compiled in") != std::string::npos,
                           outcomes[1].out.find("compiled in") != std::string::npos};
  EXPECT_NE(compiled[0], compiled[1]) << outcomes[0].out << outcomes[1].out;
  std::filesystem::remove(compile_stan(program));
}

TEST(Compile, CleanEmptiesTheCache) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "ravi/stan");
  folder.write("ravi/stan/model.so", std::string(2000000, 'x'));
  const Setting cache("XDG_CACHE_HOME", folder / "");
  const Outcome outcome = ravi({"compile", "--clean"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("removed 2.0 MB"));
  EXPECT_FALSE(std::filesystem::exists(folder / "ravi/stan"));
}

// A BridgeStan of the user's: a folder with a Makefile that turns NAME.stan into NAME_model.so.
TEST(Compile, BridgeStanIsUsedWhenItIsNamed) {
  const TemporaryFolder folder;
  const std::string program = folder.write("mine.stan", "array[2] real: left as it is\n");
  folder.write("Makefile",
               "%_model.so: %.stan\n"
               "\tgrep -q 'array.2. real' $< && test \"$(STAN_THREADS)\" = true\n"
               "\tcp " +
                   std::string(RAVI_FAKE_LIBRARIES) + "/fake_v2_threads.so $@\n");
  const Setting bridgestan("BRIDGESTAN", folder / "");
  const auto model = stan_model(program);
  EXPECT_EQ(model->dimension(), 3);

  folder.write("Makefile", "%_model.so: %.stan\n\t@echo \"Syntax error in '$<', line 3\"; false\n");
  const Outcome wrong = ravi({"fit", folder.write("wrong.stan", "parameters {")});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("Syntax error in '" + (folder / "wrong.stan") + "', line 3"));

  const Setting nowhere("BRIDGESTAN", folder / "nowhere");
  const Outcome missing = ravi({"fit", program});
  EXPECT_EQ(missing.status, 3);
  EXPECT_THAT(missing.err, HasSubstr("no Makefile in that folder"));
}

TEST(Compile, AnInterruptedCompilationLeavesNothing) {
  const TemporaryFolder folder;
  std::atomic<bool> stop = false;
  const Setting cache("XDG_CACHE_HOME", folder / "cache");
  StanOptions options{.stop_requested = &stop};
  options.progress = [&](std::string_view) { stop = true; };
  EXPECT_THROW(compile_stan(folder.write("normal.stan", kNormal), options), EnvironmentError);
  for (const auto& entry : std::filesystem::directory_iterator(folder / "cache/ravi/stan")) {
    EXPECT_EQ(entry.path().extension(), ".lock") << entry.path();
  }
}

}  // namespace
}  // namespace ravi
