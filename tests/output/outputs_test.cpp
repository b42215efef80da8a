// The folder of a fit: which files there are, and what happens when they cannot be written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file_size_limit.hpp"
#include "ravi/error.hpp"
#include "ravi/output.hpp"
#include "temporary_folder.hpp"
#include "tiny_fits.hpp"

namespace ravi {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

TEST(Outputs, AreWhatTheFitHas) {
  const TemporaryFolder folder;
  EXPECT_THAT(
      write_outputs(tiny_fit(), folder / "usable"),
      ElementsAre("fit.json", "draws.csv", "draws_variational.csv", "fit.nc", "report.html"));
  Fit unweighted = tiny_fit();
  unweighted.average->weighted = false;
  EXPECT_THAT(write_outputs(unweighted, folder / "unweighted"),
              ElementsAre("fit.json", "draws.csv", "fit.nc", "report.html"));
  EXPECT_THAT(
      write_outputs(tiny_fit_apart(), folder / "apart"),
      ElementsAre("fit.json", "draws_chain_1.csv", "draws_chain_2.csv", "fit.nc", "report.html"));
  EXPECT_THAT(write_outputs(tiny_fit_failed(), folder / "failed"),
              ElementsAre("fit.json", "report.html"));
  EXPECT_THAT(files_in(folder / "apart"),
              UnorderedElementsAre("fit.json", "draws_chain_1.csv", "draws_chain_2.csv", "fit.nc",
                                   "report.html"));
}

TEST(Outputs, OfAnEarlierFitAreReplacedOnlyWhenAskedAndThenAllOfThem) {
  const TemporaryFolder folder;
  write_outputs(tiny_fit_apart(), folder / "out");
  folder.write("out/notes.csv", "mine");
  folder.write("out/draws_chain_one.csv", "mine");
  EXPECT_THROW(write_outputs(tiny_fit(), folder / "out"), UsageError);
  EXPECT_THAT(files_in(folder / "out"), testing::Contains("draws_chain_2.csv"));
  write_outputs(tiny_fit(), folder / "out", true);
  EXPECT_THAT(files_in(folder / "out"),
              UnorderedElementsAre("fit.json", "draws.csv", "draws_variational.csv", "fit.nc",
                                   "report.html", "notes.csv", "draws_chain_one.csv"));
}

// A file of that name may be somebody's own.
TEST(Outputs, NeverReplaceAFileUnasked) {
  const TemporaryFolder folder;
  folder.write("draws.csv", "mine");
  EXPECT_THROW(OutputFolder(folder / ""), UsageError);
  EXPECT_THROW(write_outputs(tiny_fit(), folder / ""), UsageError);
  EXPECT_EQ(contents(folder / "draws.csv"), "mine");
}

// With a limit between fit.nc and what is written before it, those are there and it is not; nor is
// the page, which is larger still.
TEST(Outputs, OfAFullDiskAreWholeAndTheMessageSaysWhichAreThere) {
  const TemporaryFolder folder;
  write_outputs(tiny_fit(), folder / "whole");
  const auto size = [&](const char* name) {
    return std::filesystem::file_size(folder / (std::string("whole/") + name));
  };
  const auto limit = std::max(size("fit.json"), size("draws.csv")) + 1000;
  ASSERT_GT(size("fit.nc"), limit);
  std::string message;
  try {
    const FileSizeLimit full(limit);
    write_outputs(tiny_fit(), folder / "out");
  } catch (const EnvironmentError& e) {
    message = e.what();
  }
  EXPECT_THAT(message,
              AllOf(HasSubstr("out/fit.nc: cannot be written: File too large"),
                    HasSubstr("fit.json draws.csv draws_variational.csv; not written: fit.nc"),
                    HasSubstr("run the fit again")));
  EXPECT_THAT(files_in(folder / "out"),
              UnorderedElementsAre("fit.json", "draws.csv", "draws_variational.csv"));
  EXPECT_EQ(contents(folder / "out/draws.csv"), contents(folder / "whole/draws.csv"));
}

TEST(Outputs, ThatCannotBeWrittenLeaveTheEarlierFitAsItWas) {
  const TemporaryFolder folder;
  write_outputs(tiny_fit_apart(), folder / "out");
  const auto before = files_in(folder / "out");
  const std::string json = contents(folder / "out/fit.json");
  std::string message;
  try {
    const FileSizeLimit full(100);
    write_outputs(tiny_fit(), folder / "out", true);
  } catch (const EnvironmentError& e) {
    message = e.what();
  }
  EXPECT_THAT(message, AllOf(HasSubstr("fit.json: cannot be written"), HasSubstr("is as it was")));
  EXPECT_EQ(files_in(folder / "out"), before);
  EXPECT_EQ(contents(folder / "out/fit.json"), json);
}

// What a process that was killed leaves behind has its number in the name.
TEST(Outputs, RemoveWhatAKilledProcessLeftBehindAndNoMore) {
  const pid_t gone = ::fork();
  if (gone == 0) ::_exit(0);
  ::waitpid(gone, nullptr, 0);
  const TemporaryFolder folder;
  const std::string dead = "draws.csv.ravi-tmp" + std::to_string(gone);
  const std::string alive = "draws.csv.ravi-tmp" + std::to_string(::getppid());
  for (const std::string& name :
       {dead, dead + "-00f1", alive, std::string("x.ravi-tmp"), dead + "a"}) {
    folder.write(name, "half");
  }
  OutputFolder(folder / "");
  EXPECT_THAT(files_in(folder / ""), UnorderedElementsAre(alive, "x.ravi-tmp", dead + "a"));
}

// A lock belongs to an open file, so that one process can stand for two.
TEST(Outputs, OfTwoAtATimeAreRefusedAndLeaveNoLockBehind) {
  const TemporaryFolder folder;
  {
    OutputFolder first(folder / "out");
    std::string message;
    try {
      const OutputFolder second(folder / "out", true);
    } catch (const EnvironmentError& e) {
      message = e.what();
    }
    EXPECT_THAT(message, AllOf(HasSubstr("out is in use by process " + std::to_string(::getpid())),
                               HasSubstr("since 20")));
    EXPECT_THROW(write_outputs(tiny_fit(), folder / "out", true), EnvironmentError);
    EXPECT_EQ(first.write(tiny_fit()).front(), "fit.json");
  }
  EXPECT_THAT(files_in(folder / "out"), Not(testing::Contains(".ravi-lock")));
  EXPECT_NO_THROW(write_outputs(tiny_fit(), folder / "out", true));
}

TEST(Outputs, AreWrittenAgainWhereTheFolderWasRemovedMeanwhile) {
  const TemporaryFolder folder;
  OutputFolder output(folder / "out");
  std::filesystem::remove_all(folder / "out");
  output.write(tiny_fit());
  EXPECT_THAT(files_in(folder / "out"), testing::IsSupersetOf({"fit.json", "report.html"}));
}

TEST(Outputs, ThatAreStoppedAreWholeAndTheRestIsNamed) {
  const TemporaryFolder folder;
  const std::atomic<bool> stop = true;
  std::string message;
  try {
    OutputFolder(folder / "out").write(tiny_fit(), nullptr, &stop);
  } catch (const EnvironmentError& e) {
    message = e.what();
  }
  EXPECT_THAT(message, AllOf(HasSubstr("interrupted"), HasSubstr("nothing was written")));
  EXPECT_TRUE(files_in(folder / "out").empty());
}

TEST(Outputs, SayWhichDrawsToUse) {
  Fit fit = tiny_fit();
  EXPECT_THAT(which_draws(fit),
              AllOf(testing::StartsWith("Use draws.csv"), HasSubstr("chosen by weight"),
                    HasSubstr("draws_variational.csv (variational) is q without")));
  fit.average->weighted = false;
  fit.verdict = Verdict::accurate;
  EXPECT_THAT(which_draws(fit), AllOf(testing::StartsWith("Use draws.csv"), HasSubstr("of q"),
                                      Not(HasSubstr("draws_variational"))));
  fit.verdict = Verdict::unreliable;
  EXPECT_THAT(which_draws(fit),
              AllOf(testing::StartsWith("Do not take draws.csv"), HasSubstr("unreliable")));
  EXPECT_THAT(which_draws(tiny_fit_apart()), testing::StartsWith("Do not pool"));
}

// Whatever a reader takes the first row for, and a mean of the rest, must be the table's numbers.
TEST(Outputs, TheFileToUseHoldsTheDrawsThatTheTableRestsOn) {
  Answer answer = tiny_answer();
  EXPECT_EQ(draws_to_use(answer).columns, answer.draws.resampled);
  EXPECT_EQ(draws_to_use(answer).summaries, &answer.parameters);
  EXPECT_THAT(draws_of_q(answer).columns, ElementsAre(0, 1, 2));
  EXPECT_EQ(draws_of_q(answer).summaries, &answer.unweighted_parameters);
  answer.weighted = false;
  EXPECT_THAT(draws_to_use(answer).columns, ElementsAre(0, 1, 2));
  answer.weighted = true;
  answer.moves = Moves{.kept = true};
  EXPECT_THAT(draws_to_use(answer).what, HasSubstr("have moved"));
}

}  // namespace
}  // namespace ravi
