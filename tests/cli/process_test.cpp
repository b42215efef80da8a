// The program as a process: signals, a full disk, a closed pipe.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "temporary_folder.hpp"

namespace ravi {
namespace {

// Runs the program in the background with its output in files.
class Process {
 public:
  Process(std::vector<std::string> args, const std::string& log, rlim_t file_limit = 0) {
    args.insert(args.begin(), RAVI_PROGRAM);
    std::vector<char*> argv;
    for (std::string& a : args) argv.push_back(a.data());
    argv.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ != 0) return;
    const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(out, STDERR_FILENO);
    if (file_limit > 0) {
      const rlimit limit{file_limit, file_limit};
      ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  pid_t id() const { return pid_; }
  void kill(int signal) const { ::kill(pid_, signal); }
  // Exit status, or minus the signal that ended it.
  int wait() const {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  // The same, but what has not ended by then is killed.
  int wait_or_kill(std::chrono::seconds most) const {
    const auto deadline = std::chrono::steady_clock::now() + most;
    siginfo_t ended{};
    while (std::chrono::steady_clock::now() < deadline) {
      ::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT);
      if (ended.si_pid == pid_) return wait();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    kill(SIGKILL);
    return wait();
  }

 private:
  pid_t pid_;
};

// Exit status of a command line.
int shell(const std::string& command) {
  const int status = std::system(("( " + command + " ) 2> /dev/null").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// Less than a second, and exit status 1.
std::string quick_fit(const std::string& output) {
  return std::string(RAVI_PROGRAM) +
         " fit gaussian --method paper --stop fixed --max-iterations 400 --output " + output;
}

void wait_for_text(const std::string& path, const std::string& text) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (contents(path).find(text) == std::string::npos) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline) << contents(path);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

// A fit that takes minutes, so that it is always caught running.
std::vector<std::string> long_fit(const std::string& output) {
  return {"fit",      "gaussian", "--stop",   "fixed", "--max-iterations", "20000000",
          "--window", "2000000",  "--method", "paper", "--output",         output};
}

TEST(Process, CtrlCEndsAFitCleanlyAndKeepsWhatWasFound) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const TemporaryFolder folder;
    const std::string log = folder / "log";
    std::vector<std::string> args = long_fit(folder / "out");
    args[7] = "1000";  // --window
    const Process process(args, log);
    wait_for_text(log, " iterations  R-hat");
    process.kill(signal);
    EXPECT_EQ(process.wait(), 1);
    const auto j = nlohmann::json::parse(contents(folder / "out/fit.json"));
    EXPECT_EQ(j["termination"], "interrupted");
    EXPECT_EQ(j["verdict"], "not-converged");
    EXPECT_GE(j["iterations"], 1000);
    EXPECT_FALSE(j["parameters"].empty());
    EXPECT_THAT(contents(log), testing::HasSubstr("interrupted"));
  }
}

TEST(Process, AKillLeavesNoHalfWrittenFile) {
  const TemporaryFolder folder;
  const Process process(long_fit(folder / "out"), folder / "log");
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  process.kill(SIGKILL);
  EXPECT_EQ(process.wait(), -SIGKILL);
  EXPECT_FALSE(std::filesystem::exists(folder / "out/fit.json"));
}

// Half of the rows are gone, which mini-batches notice at once.
TEST(Process, ADataFileThatShrinksIsSaidAndExitsWithThree) {
  const TemporaryFolder folder;
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (100000, 2), }";
  header.resize(117, ' ');
  const std::string data = folder.write("d.npy", std::string("\x93NUMPY\x01\x00\x76\x00", 10) +
                                                     header + '\n' + std::string(800000, '\0'));
  const Process process(
      {"fit", "linear-regression", "--data", data, "--minibatch", "100", "--method", "paper",
       "--stop", "fixed", "--max-iterations", "2000000", "--window", "1000"},
      folder / "log");
  wait_for_text(folder / "log", " iterations  R-hat");
  std::filesystem::resize_file(data, 400000);
  EXPECT_EQ(process.wait(), 3);
  EXPECT_THAT(contents(folder / "log"), testing::HasSubstr("a data file became shorter"));
}

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code not_there_yet;
  for (const auto& entry : std::filesystem::directory_iterator(folder, not_there_yet)) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

// Hundreds of thousands of draws take a second to write, so that the kill comes in the middle.
TEST(Process, AKillWhileWritingLeavesWholeFilesAndWhatTheNextRunRemoves) {
  const TemporaryFolder folder;
  const std::vector<std::string> quick = {"fit",         "gaussian", "--method",         "paper",
                                          "--stop",      "fixed",    "--max-iterations", "400",
                                          "--overwrite", "--output", folder / "out"};
  std::vector<std::string> large = quick;
  large.insert(large.end(), {"--psis-draws", "200000"});
  const Process process(large, folder / "log");
  // A file that is being written, after the first: which one depends on the machine.
  const auto temporary = testing::IsSupersetOf<testing::Matcher<std::string>>(
      {"fit.json", testing::HasSubstr(".ravi-tmp")});
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  while (!testing::Matches(temporary)(files_in(folder / "out"))) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline) << contents(folder / "log");
  }
  process.kill(SIGKILL);
  EXPECT_EQ(process.wait(), -SIGKILL);
  EXPECT_THAT(files_in(folder / "out"),
              testing::IsSupersetOf<testing::Matcher<std::string>>(
                  {"fit.json", ".ravi-lock", testing::HasSubstr(".ravi-tmp")}));
  EXPECT_TRUE(nlohmann::json::accept(contents(folder / "out/fit.json")));
  const Process next(quick, folder / "log");
  EXPECT_LE(next.wait(), 1);
  EXPECT_THAT(files_in(folder / "out"),
              testing::Each(testing::Not(testing::ContainsRegex("tmp|lock"))));
}

// The first Ctrl-C ends the writing, whole files stay, and nothing else does.
TEST(Process, CtrlCWhileWritingLeavesWholeFilesOnly) {
  const TemporaryFolder folder;
  const Process process(
      {"fit", "gaussian", "--method", "paper", "--stop", "fixed", "--max-iterations", "400",
       "--psis-draws", "200000", "--output", folder / "out"},
      folder / "log");
  // A file that is being written, after the first: which one depends on the machine.
  const auto temporary = testing::IsSupersetOf<testing::Matcher<std::string>>(
      {"fit.json", testing::HasSubstr(".ravi-tmp")});
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  while (!testing::Matches(temporary)(files_in(folder / "out"))) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline) << contents(folder / "log");
  }
  process.kill(SIGINT);
  EXPECT_EQ(process.wait(), 3);
  // What is there is what is said to be.
  const std::vector<std::string> outputs{"fit.json", "draws.csv", "draws_variational.csv", "fit.nc",
                                         "report.html"};
  const auto files = files_in(folder / "out");
  ASSERT_GE(files.size(), 1U);
  ASSERT_LT(files.size(), outputs.size());
  std::string said, missing;
  for (const std::string& name : outputs) {
    const bool there = std::ranges::find(files, name) != files.end();
    (there ? said : missing) += " " + name;
  }
  EXPECT_THAT(files, testing::Each(testing::AnyOfArray(outputs)));
  EXPECT_TRUE(said.starts_with(" fit.json")) << said;
  EXPECT_THAT(contents(folder / "log"),
              testing::AllOf(testing::HasSubstr("verdict: "), testing::HasSubstr("interrupted"),
                             testing::HasSubstr(":" + said + "; not written:" + missing)));
}

// A pipe without a writer stands for a file that takes long to read.
TEST(Process, ASignalWhileDataAreReadEndsTheProgramAtOnce) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const TemporaryFolder folder;
    ASSERT_EQ(::mkfifo((folder / "d.json").c_str(), 0600), 0);
    const Process process({"fit", "linear-regression", "--data", folder / "d.json"},
                          folder / "log");
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    process.kill(signal);
    EXPECT_EQ(process.wait_or_kill(std::chrono::seconds(10)), -signal);
  }
}

TEST(Process, ASecondRunIntoAFolderIsRefusedBeforeItFitsAndAKilledOneLocksNobodyOut) {
  const TemporaryFolder folder;
  const Process first(long_fit(folder / "out"), folder / "log");
  wait_for_text(folder / "out/.ravi-lock", "UTC");
  const Process second(long_fit(folder / "out"), folder / "log2");
  EXPECT_EQ(second.wait_or_kill(std::chrono::seconds(20)), 3);
  EXPECT_THAT(
      contents(folder / "log2"),
      testing::AllOf(testing::HasSubstr("is in use by process " + std::to_string(first.id())),
                     testing::HasSubstr(" on "), testing::HasSubstr("since 20")));
  first.kill(SIGKILL);
  EXPECT_EQ(first.wait(), -SIGKILL);
  EXPECT_EQ(shell(quick_fit(folder / "out")), 1);
  EXPECT_THAT(
      files_in(folder / "out"),
      testing::AllOf(testing::Contains("fit.json"), testing::Not(testing::Contains(".ravi-lock"))));
}

TEST(Process, AReaderWhoLeavesCostsNoFit) {
  const TemporaryFolder folder;
  const std::string status = " ; echo $? > " + folder / "status";
  shell("(" + quick_fit(folder / "out") + status + ") 2>&1 | true");
  EXPECT_EQ(contents(folder / "status"), "1\n");  // as without the pipe
  EXPECT_THAT(files_in(folder / "out"),
              testing::IsSupersetOf({"fit.json", "fit.nc", "report.html"}));
  EXPECT_EQ(shell(std::string(RAVI_PROGRAM) + " list | head -1 > /dev/null"), 0);
}

// A file that gets the number of a closed stream would be printed into.
TEST(Process, ClosedStreamsCostNoFitAndEndUpInNoFile) {
  const TemporaryFolder folder;
  EXPECT_EQ(shell(quick_fit(folder / "out") + " <&- >&- 2>&-"), 1);
  EXPECT_TRUE(nlohmann::json::accept(contents(folder / "out/fit.json")));
  for (const std::string& file : files_in(folder / "out")) {
    EXPECT_THAT(contents(folder / ("out/" + file)),
                testing::Not(testing::HasSubstr("R-hat, largest ")))
        << file;
  }
}

// The table of README.md, "How to read the verdict".
TEST(Process, ExitStatusesAreThoseOfTheReadme) {
  const TemporaryFolder folder;
  const std::string fit = std::string(RAVI_PROGRAM) + " fit --quiet ";
  EXPECT_EQ(shell(fit + "eight-schools-noncentered"), 0);
  EXPECT_EQ(shell(fit + "cauchy"), 1);
  EXPECT_EQ(shell(fit + "gaussian --no-such-option"), 2);
  EXPECT_EQ(shell(fit + "gaussian --chains -1"), 2);
  EXPECT_EQ(shell(fit + "linear-regression --data " + folder.write("bad.json", "{")), 2);
  EXPECT_EQ(shell(fit + "linear-regression --data " + folder / "missing.json"), 2);
  EXPECT_EQ(shell(fit + "gaussian --output /proc/ravi"), 3);
  EXPECT_EQ(shell(fit + "gaussian --data '{\"P\": 100000000000000}'"), 3);
  EXPECT_EQ(shell(quick_fit(folder / "out") + " > /dev/full"), 3);
  EXPECT_TRUE(std::filesystem::exists(folder / "out/report.html"));
  if (::geteuid() == 0) return;  // who may write anywhere
  std::filesystem::create_directory(folder / "closed");
  ::chmod((folder / "closed").c_str(), 0500);
  EXPECT_EQ(shell(fit + "gaussian --output " + folder / "closed"), 3);
}

// The log of a short fit is below the limit, fit.json is not.
TEST(Process, AFullDiskIsSaidAndExitsWithThree) {
  const TemporaryFolder folder;
  const Process process({"fit", "gaussian", "--method", "paper", "--stop", "fixed",
                         "--max-iterations", "400", "--output", folder / "out"},
                        folder / "log", 6000);
  EXPECT_EQ(process.wait(), 3);
  EXPECT_THAT(contents(folder / "log"),
              testing::AllOf(testing::HasSubstr("verdict: "),
                             testing::HasSubstr("fit.json: cannot be written")));
  EXPECT_TRUE(std::filesystem::is_empty(folder / "out"));
}

}  // namespace
}  // namespace ravi
