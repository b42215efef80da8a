// Every reader takes what fuzzing has found or people have thought of: it reads it, or refuses it.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "registry_names.hpp"
#include "targets.hpp"
#include "temporary_folder.hpp"

namespace ravi {
namespace {

namespace fs = std::filesystem;

class Reader : public testing::TestWithParam<fuzz::Target> {};

// A file whose name begins with good must be read, one that begins with bad must be refused with a
// ravi::Error; others may be either.
TEST_P(Reader, TakesItsCorpus) {
  const fs::path folder = fs::path(RAVI_FUZZ_CORPUS) / GetParam().name;
  int good = 0, bad = 0;
  for (const fs::directory_entry& file : fs::directory_iterator(folder)) {
    SCOPED_TRACE(file.path().string());
    const std::string name = file.path().filename().string();
    bool read = false;
    ASSERT_NO_THROW(read = fuzz::accepts(GetParam(), contents(file.path().string())));
    if (name.starts_with("good")) {
      EXPECT_TRUE(read) << "was refused";
      ++good;
    } else if (name.starts_with("bad")) {
      EXPECT_FALSE(read) << "was read";
      ++bad;
    }
  }
  if (GetParam().made != nullptr) {
    EXPECT_TRUE(fuzz::accepts(GetParam(), GetParam().made())) << "what was made was refused";
  }
  EXPECT_GT(good + bad, 0) << "no input that says what must become of it";
}

INSTANTIATE_TEST_SUITE_P(Fuzzed, Reader,
                         testing::ValuesIn(fuzz::targets().begin(), fuzz::targets().end()),
                         EntryName());

TEST(FuzzCorpora, AreOfReaders) {
  std::set<std::string> readers{"stan_json"};  // built where Stan's headers are
  for (const fuzz::Target& target : fuzz::targets()) readers.emplace(target.name);
  for (const fs::directory_entry& folder : fs::directory_iterator(RAVI_FUZZ_CORPUS)) {
    EXPECT_EQ(readers.count(folder.path().filename().string()), 1u) << folder.path();
  }
}

}  // namespace
}  // namespace ravi
