// The cache of compiled libraries: what others could have put there is not run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "model/stan/private_library.hpp"
#include "ravi/error.hpp"
#include "ravi/stan.hpp"
#include "setting.hpp"
#include "temporary_folder.hpp"

namespace ravi {
namespace {

namespace fs = std::filesystem;
using testing::AllOf, testing::HasSubstr;

std::string fake(const std::string& variant) {
  return std::string(RAVI_FAKE_LIBRARIES) + "/" + variant + ".so";
}

// A program, a cache, and a BridgeStan that "compiles" in no time and counts how often.
class Cache : public testing::Test {
 protected:
  Cache() {
    folder_.write("Makefile", "%_model.so: %.stan\n\t@cp " + fake("fake_v2_threads") +
                                  " $@; echo >> " + folder_ / "built" + "\n");
    folder_.write("p.stan", "parameters { real mu; }\n");
  }
  std::string program() const { return folder_ / "p.stan"; }
  std::string library() const { return compile_stan(program()); }
  long builds() const { return std::ranges::count(contents(folder_ / "built"), '\n'); }
  std::string refusal() const {
    try {
      compile_stan(program());
    } catch (const EnvironmentError& e) {
      return e.what();
    }
    return "no error";
  }

  TemporaryFolder folder_;
  Setting bridgestan_{"BRIDGESTAN", folder_ / ""};
  Setting cache_{"XDG_CACHE_HOME", folder_ / "cache"};
};

mode_t mode_of(const std::string& path) {
  struct stat s {};
  EXPECT_EQ(::stat(path.c_str(), &s), 0) << path;
  return s.st_mode & 07777;
}

TEST_F(Cache, KeepsWhatWasBuiltForTheUserAlone) {
  const std::string first = library();
  EXPECT_EQ(library(), first);
  EXPECT_EQ(builds(), 1);
  EXPECT_EQ(stan_model(program())->dimension(), 3);
  EXPECT_EQ(builds(), 1);
  for (const char* made : {"cache", "cache/ravi", "cache/ravi/stan"}) {
    EXPECT_EQ(mode_of(folder_ / made), 0700u) << made;
  }
  EXPECT_EQ(mode_of(first) & 022, 0u);
}

TEST_F(Cache, BuildsAgainWhatIsNotAsItWasBuilt) {
  const std::string path = library(), built = contents(path);
  std::string flipped = built;
  flipped[flipped.size() / 2] ^= 1;
  long expected = 1;
  for (const std::string& content :
       {flipped, built.substr(0, built.size() / 2), std::string("planted"),
        contents(fake("fake_v2_empty")), contents(fake("fake_v2_threads")), built + "more"}) {
    fs::remove(path);
    std::ofstream(path) << content;
    EXPECT_EQ(stan_model(program())->dimension(), 3);
    EXPECT_EQ(builds(), ++expected);
    EXPECT_EQ(contents(path), built);
  }
}

// What the link leads to is sealed, and still is not what was built under this name.
TEST_F(Cache, FollowsNoLinkToALibrary) {
  const std::string path = library();
  const std::string elsewhere =
      folder_.write("other.so", with_seal(contents(fake("fake_v2_empty"))));
  fs::remove(path);
  fs::create_symlink(elsewhere, path);
  EXPECT_EQ(stan_model(program())->dimension(), 3);
  EXPECT_EQ(builds(), 2);
  EXPECT_FALSE(fs::is_symlink(path));
}

TEST_F(Cache, IsRefusedWhereOthersCanWrite) {
  const std::string path = library();
  // What they could plant: a library that nothing is wrong with.
  std::ofstream(path) << with_seal(contents(fake("fake_v2_empty")));
  for (const char* open : {"cache/ravi/stan", "cache/ravi", "cache"}) {
    const std::string opened = folder_ / open;
    ::chmod(opened.c_str(), 0777);
    EXPECT_THAT(refusal(), AllOf(HasSubstr("cannot be trusted"),
                                 HasSubstr(opened + " can be written to by others"),
                                 HasSubstr("set XDG_CACHE_HOME")));
    EXPECT_THROW(stan_model(program()), EnvironmentError);
    ::chmod(opened.c_str(), 0700);
  }
  // As /tmp is: others cannot touch what is not theirs.
  ::chmod((folder_ / "cache").c_str(), 01777);
  EXPECT_EQ(refusal(), "no error");
  ::chmod((folder_ / "cache/ravi/stan").c_str(), 01777);
  EXPECT_THAT(refusal(), HasSubstr("can be written to by others"));
  ::chmod((folder_ / "cache/ravi/stan").c_str(), 0700);
  // A link on the way leads through a folder of others.
  fs::create_directories(folder_ / "open/home");
  ::chmod((folder_ / "open").c_str(), 0777);
  fs::create_symlink(folder_ / "open/home", folder_ / "link");
  const Setting linked("XDG_CACHE_HOME", folder_ / "link");
  EXPECT_THAT(refusal(), HasSubstr(folder_ / "open can be written to by others"));
}

TEST_F(Cache, IsRefusedWhereItBelongsToOthers) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  constexpr uid_t kNobody = 65534;
  const std::string path = library();
  std::ofstream(path) << with_seal(contents(fake("fake_v2_empty")));
  ASSERT_EQ(::chown(path.c_str(), kNobody, kNobody), 0);
  EXPECT_EQ(stan_model(program())->dimension(), 3);
  EXPECT_EQ(builds(), 2);
  for (const char* theirs : {"cache/ravi/stan", "cache/ravi", "cache"}) {
    const std::string given = folder_ / theirs;
    ASSERT_EQ(::chown(given.c_str(), kNobody, kNobody), 0);
    EXPECT_THAT(refusal(), HasSubstr(given + " belongs to user 65534"));
    ASSERT_EQ(::chown(given.c_str(), 0, 0), 0);
  }
  EXPECT_EQ(refusal(), "no error");
}

// A folder that depends on where ravi is started is somebody else's on another day.
TEST_F(Cache, IsNowhereWithoutAnAbsolutePath) {
  const fs::path before = fs::current_path();
  fs::create_directories(folder_ / "here");
  fs::current_path(folder_ / "here");
  for (const std::optional<std::string>& xdg :
       {std::optional<std::string>{}, std::optional<std::string>{""},
        std::optional<std::string>{"cache"}, std::optional<std::string>{"./cache"}}) {
    for (const std::optional<std::string>& home :
         {std::optional<std::string>{}, std::optional<std::string>{""},
          std::optional<std::string>{"."}, std::optional<std::string>{"home"}}) {
      const Setting cache("XDG_CACHE_HOME", xdg), folder("HOME", home);
      EXPECT_THAT(refusal(), HasSubstr("set XDG_CACHE_HOME to the absolute path"));
      EXPECT_THROW(clean_stan_cache(), EnvironmentError);
    }
  }
  EXPECT_TRUE(fs::is_empty(folder_ / "here"));
  fs::current_path(before);
  const Setting cache("XDG_CACHE_HOME", std::nullopt), home("HOME", folder_ / "home");
  EXPECT_EQ(library().rfind(folder_ / "home/.cache/ravi/stan/", 0), 0u);
}

}  // namespace
}  // namespace ravi
