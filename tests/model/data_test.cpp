// Data from JSON and CSV: what is read, and one message with file, place and rule for what is not.
#include "model/data.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <functional>

#include "model/data_formats.hpp"
#include "model/temporary_file.hpp"
#include "ravi/error.hpp"

namespace ravi {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Data from(const std::string& extension, std::string_view contents) {
  const TemporaryFile file(extension, contents);
  return read_data(file.path());
}

std::string error_of(const std::string& extension, std::string_view contents) {
  const TemporaryFile file(extension, contents);
  return usage_error(file.path(), [&] { read_data(file.path()); });
}

TEST(JsonData, NumbersArraysAndMatricesKeepTheirShape) {
  const Data data =
      from(".json", R"({"N": 2, "s": 0.5, "y": [1, -2], "X": [[1, 2, 3], [4, 5, 6]], "none": []})");
  EXPECT_EQ(data.integer("N", 1), 2);
  EXPECT_EQ(data.number("s"), 0.5);
  EXPECT_THAT(data.vector("y", 2), ElementsAre(1, -2));
  const Matrix x = data.matrix("X", 2, 3);  // JSON holds rows
  EXPECT_EQ(x(0, 2), 3);
  EXPECT_EQ(x(1, 0), 4);
  EXPECT_THAT(data.dimensions("X"), ElementsAre(2, 3));
  EXPECT_THAT(data.dimensions("none"), ElementsAre(0));
  EXPECT_FALSE(data.is_table());
}

TEST(JsonData, KnowsWholeNumbersByValue) {
  const Data data = from(".json", R"({"a": [1, 2.0], "b": [1, 2.5]})");
  EXPECT_TRUE(data.variables()[0].whole);
  EXPECT_FALSE(data.variables()[1].whole);
}

TEST(JsonData, ThreeDimensionsHaveTheLastIndexFastest) {
  const Data data = from(".json", R"({"a": [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]})");
  EXPECT_THAT(data.dimensions("a"), ElementsAre(2, 2, 2));
  EXPECT_THAT(data.variables()[0].values, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
}

TEST(JsonData, NonFiniteStringsAreRefusedByElement) {
  EXPECT_EQ(error_of(".json", R"({"X": [[1, 2], [3, 4], [5, "NaN"]]})"),
            "FILE: X[3,2] is nan, but data must be finite");
  EXPECT_EQ(error_of(".json", R"({"y": [1, "-Inf"]})"),
            "FILE: y[2] is -inf, but data must be finite");
  EXPECT_EQ(error_of(".json", R"({"s": "+Infinity"})"), "FILE: s is inf, but data must be finite");
}

TEST(JsonData, WhatIsNoNumberIsRefusedByElement) {
  EXPECT_EQ(error_of(".json", R"({"y": [1, "two"]})"),
            "FILE: y[2] is a string, but data must be numbers");
  EXPECT_EQ(error_of(".json", R"({"y": [1, null]})"),
            "FILE: y[2] is null, but data must be numbers");
  EXPECT_EQ(error_of(".json", R"({"y": {"1": 2}})"),
            "FILE: y is an object, but data must be numbers");
  EXPECT_EQ(error_of(".json", R"({"y": true})"), "FILE: y is a boolean, but data must be numbers");
  EXPECT_EQ(error_of(".json", "[1, 2]"),
            "FILE: holds an array of 2, but data must be an object of named values");
}

TEST(JsonData, RaggedArraysAreRefused) {
  EXPECT_EQ(error_of(".json", R"({"X": [[1, 2], [3]]})"),
            "FILE: X[2] is an array of 1, but its first neighbor is an array of 2");
  EXPECT_EQ(error_of(".json", R"({"X": [[1, 2], 3]})"),
            "FILE: X[2] is a number, but its first neighbor is an array of 2");
  EXPECT_EQ(error_of(".json", R"({"X": [1, [2]]})"),
            "FILE: X[2] is an array of 1, but its first neighbor is a number");
}

TEST(JsonData, AnAbyssOfBracketsIsRefused) {
  const std::string deep = "{\"X\": " + std::string(20000, '[') + std::string(20000, ']') + "}";
  EXPECT_EQ(error_of(".json", deep), "FILE: X has more than 8 dimensions");
}

TEST(CsvData, ColumnsBecomeArraysInOrder) {
  const Data data = from(".csv", "b,a,\"the, third\"\n1,2.5,3\n4,-5e-1,+6\n");
  ASSERT_EQ(data.variables().size(), 3u);
  EXPECT_EQ(data.variables()[0].name, "b");
  EXPECT_EQ(data.variables()[2].name, "the, third");
  EXPECT_THAT(data.vector("a", 2), ElementsAre(2.5, -0.5));
  EXPECT_THAT(data.vector("the, third", 2), ElementsAre(3, 6));
  EXPECT_TRUE(data.is_table());
}

TEST(CsvData, ToleratesWindowsLineEndsQuotesSpacesAndBlankLinesAtTheEnd) {
  const Data data = from(".csv", "\xEF\xBB\xBF\"x\", \"y\"\r\n\"1\", 2\r\n3,\"4\"\r\n\r\n\n");
  EXPECT_THAT(data.vector("x", 2), ElementsAre(1, 3));
  EXPECT_THAT(data.vector("y", 2), ElementsAre(2, 4));
}

TEST(CsvData, ErrorsNameLineAndColumn) {
  EXPECT_EQ(error_of(".csv", "a,b,c\n1,2,3\n4,5\n"),
            "FILE:3: 2 fields, but the header has 3 columns");
  EXPECT_EQ(error_of(".csv", "age,b\n1,2\nabc,3\n"), "FILE:3: column 'age': 'abc' is not a number");
  EXPECT_EQ(error_of(".csv", "age,b\n,2\n"), "FILE:2: column 'age': '' is not a number");
  EXPECT_EQ(error_of(".csv", "age,b\n1 2,2\n"), "FILE:2: column 'age': '1 2' is not a number");
  EXPECT_EQ(error_of(".csv", "a,b\n1,nan\n"), "FILE:2: column 'b' is nan, but data must be finite");
  EXPECT_EQ(error_of(".csv", "a,b\n1,-Inf\n"),
            "FILE:2: column 'b' is -Inf, but data must be finite");
  EXPECT_EQ(error_of(".csv", "a,b\n1,1e999\n"),
            "FILE:2: column 'b': 1e999 is outside the range of a double");
  EXPECT_EQ(error_of(".csv", "a,b\n1,\"2\n"), "FILE:2: a quote is not closed");
  EXPECT_EQ(error_of(".csv", "a,b\n\n1,2\n"), "FILE:2: a blank line inside the table");
  EXPECT_EQ(error_of(".csv", "a,a\n1,2\n"), "FILE:1: column 'a' occurs twice");
  EXPECT_EQ(error_of(".csv", "a,\n1,2\n"), "FILE:1: column 2 has no name");
  EXPECT_EQ(error_of(".csv", "a,b\n"), "FILE: a header line, but no rows");
  EXPECT_EQ(error_of(".csv", "\n"), "FILE: the file is empty");
}

TEST(ReadData, OtherExtensionsAreRefusedWithTheChoices) {
  EXPECT_EQ(error_of(".txt", "1 2 3"),
            "FILE: data files are told by their extension; the choices are: .json, .csv, .npy");
}

class Getters : public testing::Test {
 protected:
  std::string error(const std::function<void(const Data&)>& get) const {
    return usage_error("", [&] { get(data_); });
  }

  Data data_ = Data("data.json")
                   .add("N", 3)
                   .add("half", 0.5)
                   .add("y", Vector::LinSpaced(3, 1, 3))
                   .add("z", Vector::LinSpaced(3, 0, 1))
                   .add("X", Matrix::Ones(2, 3));
};

TEST_F(Getters, SayWhatWasFoundAndWhatIsNeeded) {
  EXPECT_EQ(error([](auto& d) { d.integer("M", 1); }),
            "data.json: M is missing, but a single number is needed");
  EXPECT_EQ(error([](auto& d) { d.integer("half", 0); }),
            "data.json: half is 0.5, but a whole number is needed");
  EXPECT_EQ(error([](auto& d) { d.integer("N", 4); }),
            "data.json: N is 3, but it must be at least 4");
  EXPECT_EQ(error([](auto& d) { d.vector("y", 4); }),
            "data.json: y is an array of 3, but an array of 4 is needed");
  EXPECT_EQ(error([](auto& d) { d.vector("X", 6); }),
            "data.json: X is a 2 x 3 array, but an array of 6 is needed");
  EXPECT_EQ(error([](auto& d) { d.matrix("X", 3, 2); }),
            "data.json: X is a 2 x 3 array, but a 3 x 2 array is needed");
  EXPECT_EQ(error([](auto& d) { d.integers("y", 3, 1, 2); }),
            "data.json: y[3] is 3, but it must lie between 1 and 2");
  EXPECT_EQ(error([](auto& d) { d.integers("z", 3, 0, 1); }),
            "data.json: z[2] is 0.5, but a whole number is needed");
  EXPECT_EQ(error([](auto& d) { d.positive_vector("z", 3); }),
            "data.json: z[1] is 0, but it must be positive");
  EXPECT_EQ(error([](auto& d) { d.dimensions("W"); }), "data.json: W is missing");
}

TEST_F(Getters, GiveTheValuesTheyChecked) {
  EXPECT_EQ(data_.number("half"), 0.5);
  EXPECT_EQ(data_.number("other", 7.0), 7.0);
  EXPECT_THAT(data_.integers("y", 3, 1, 3), ElementsAre(1, 2, 3));
  EXPECT_TRUE(data_.has("X"));
  EXPECT_FALSE(data_.has("x"));
}

TEST(Data, RefusesNonFiniteRepeatedAndMisshapenValues) {
  Data data("here");
  data.add("y", 1.0);
  EXPECT_EQ(usage_error("", [&] { data.add("y", 2.0); }), "here: y is given twice");
  EXPECT_EQ(usage_error("",
                        [&] {
                          data.add("z", {2, 2}, {1, 2, 3});
                        }),
            "here: z holds 3 values, but a 2 x 2 array needs 4");
  EXPECT_THAT(usage_error("", [&] { data.add("w", std::nan("")); }),
              HasSubstr("w is nan, but data must be finite"));
}

// The number of comparisons with all columns before would be 2e10 here, minutes; looked up it takes
// a fraction of a second.
TEST(CsvData, OfManyColumnsAreReadInLinearTime) {
  std::string header, row;
  for (int j = 0; j < 200000; ++j) {
    header += fmt::format("{}a_rather_long_name_of_a_column_{}", j > 0 ? "," : "", j);
    row += j > 0 ? ",1" : "1";
  }
  const auto started = std::chrono::steady_clock::now();
  const Data data = data_from_csv(header + "\n" + row + "\n", "wide.csv");
  EXPECT_EQ(data.variables().size(), 200000u);
  EXPECT_TRUE(data.has("a_rather_long_name_of_a_column_199999"));
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(20));
}

// No machine has the 80 bytes for each of 10^14.
TEST(Data, ACountOfParametersIsCheckedAgainstMemoryBeforeThereAreAny) {
  Data data("sizes.json");
  data.add("P", 1e14);
  try {
    data.count("P", 1);
    FAIL();
  } catch (const EnvironmentError& e) {
    EXPECT_THAT(e.what(), testing::AllOf(testing::HasSubstr("sizes.json: P is 100000000000000"),
                                         testing::HasSubstr("GB of memory")));
  }
}

}  // namespace
}  // namespace ravi
