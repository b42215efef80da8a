// read_json: what is accepted, and one message with file, line, column and rule for what is not.
#include "core/json_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/temporary_file.hpp"

namespace ravi {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string error_of(std::string_view contents) {
  const TemporaryFile file(".json", contents);
  return usage_error(file.path(), [&] { read_json(file.path()); });
}

TEST(ReadJson, ReadsWhatIsThere) {
  const TemporaryFile file(".json", "{\"N\": 2, \"X\": [[1.5, -2e-3], [3, 4]]}\n");
  const nlohmann::json document = read_json(file.path());
  EXPECT_EQ(document.at("N").get<int>(), 2);
  EXPECT_EQ(document.at("X").at(0).at(1).get<double>(), -2e-3);
}

TEST(ReadJson, MissingFileIsNamedWithTheReason) {
  EXPECT_EQ(usage_error("", [] { read_json("no-such-file.json"); }),
            "no-such-file.json: cannot be read: No such file or directory");
}

TEST(ReadJson, FolderIsNoFile) {
  const std::string folder = std::filesystem::temp_directory_path().string();
  EXPECT_EQ(usage_error(folder, [&] { read_json(folder); }),
            "FILE: cannot be read: it is a folder");
}

TEST(ReadJson, EmptyFileIsSaidToBeEmpty) {
  EXPECT_EQ(error_of(""), "FILE: the file is empty");
  EXPECT_EQ(error_of(" \n\n"), "FILE: the file is empty");
}

TEST(ReadJson, SyntaxErrorsGiveLineAndColumn) {
  // A value must follow the comma in column 17 of line 3; the bracket after it is the error.
  EXPECT_THAT(error_of("{\n  \"N\": 2,\n  \"y\": [1.0, 2.0,]\n}\n"), StartsWith("FILE:3:18: "));
  EXPECT_THAT(error_of("{\"N\": 2"), StartsWith("FILE:1:"));
  EXPECT_THAT(error_of("{\"N\": 1.2.3}"), StartsWith("FILE:1:"));
}

TEST(ReadJson, MessagesAreOneLineWithoutTheParsersOwnHeading) {
  const std::string text = error_of("{\n\"y\": [1, \"open\n]}\n");
  EXPECT_THAT(text, AllOf(StartsWith("FILE:2:"), Not(HasSubstr("\n")), Not(HasSubstr("[json.")),
                          Not(HasSubstr("last read"))));
}

TEST(ReadJson, BareNonFiniteTokensAreNamed) {
  EXPECT_EQ(error_of("{\n  \"y\": [1, NaN]}"),
            "FILE:2:12: NaN is not allowed: data must be finite");
  EXPECT_EQ(error_of("{\"y\": nan}"), "FILE:1:7: nan is not allowed: data must be finite");
  EXPECT_EQ(error_of("{\"y\": Infinity}"),
            "FILE:1:7: Infinity is not allowed: data must be finite");
  EXPECT_EQ(error_of("{\"y\": [-Infinity]}"),
            "FILE:1:8: -Infinity is not allowed: data must be finite");
}

TEST(ReadJson, NumbersThatOverflowAreRefused) {
  EXPECT_EQ(error_of("{\n\"y\": [1, 1e999, 2]}"), "FILE:2:10: 1e999 is too large for a double");
  EXPECT_EQ(error_of("{\"y\": -1e999}"), "FILE:1:7: -1e999 is too large for a double");
  EXPECT_EQ(error_of("1e999"), "FILE:1:1: 1e999 is too large for a double");
}

TEST(ReadJson, RepeatedKeysAreRefusedInTheSameObjectOnly) {
  EXPECT_EQ(error_of("{\"N\": 1,\n \"N\": 2}"), "FILE:2:2: key \"N\" occurs twice");
  EXPECT_EQ(error_of("{\"a\": {\"N\": 1}, \"b\": {\"N\": 2}, \"N\": 3}"), "");
  EXPECT_EQ(error_of("[{\"a\": {\"x\": 1, \"x\": 2}}]"), "FILE:1:17: key \"x\" occurs twice");
}

}  // namespace
}  // namespace ravi
