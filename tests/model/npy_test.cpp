// Data in numpy's files: the same model as from JSON, and a clear word where a file cannot be read.
#include "model/npy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

#include "model/data.hpp"
#include "model/registry.hpp"
#include "model/temporary_file.hpp"
#include "temporary_folder.hpp"

namespace ravi {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A header as numpy pads it: the numbers begin at a multiple of 64 bytes.
std::string header(const std::string& dictionary, int major = 1) {
  std::string text = std::string("\x93NUMPY") + static_cast<char>(major) + '\0';
  const std::size_t width = major == 1 ? 2 : 4;
  std::string padded = dictionary;
  while ((text.size() + width + padded.size() + 1) % 64 != 0) padded += ' ';
  padded += '\n';
  for (std::size_t i = 0; i < width; ++i) {
    text += static_cast<char>(padded.size() >> (8 * i) & 0xff);
  }
  return text + padded;
}

std::string dictionary(const std::string& type, const std::string& shape,
                       const std::string& fortran = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
}

template <typename Number>
std::string bytes(const std::vector<Number>& numbers) {
  std::string text(numbers.size() * sizeof(Number), '\0');
  std::memcpy(text.data(), numbers.data(), text.size());
  return text;
}

std::string table(const std::vector<double>& numbers, const std::string& shape) {
  return header(dictionary("<f8", shape)) + bytes(numbers);
}

std::string singles(const std::vector<double>& numbers, const std::string& shape) {
  return header(dictionary("<f4", shape)) +
         bytes(std::vector<float>(numbers.begin(), numbers.end()));
}

std::string error_of_npy(const std::string& contents) {
  const TemporaryFile file(".npy", contents);
  return usage_error(file.path(), [&] { read_data(file.path()); });
}

// What numpy 1.24 wrote for numpy.save(f, numpy.array([[1, 2], [3, -4.5]], dtype='float32')).
TEST(Npy, ReadsWhatNumpyWrote) {
  std::string saved("\x93NUMPY\x01\x00\x76\x00", 10);
  saved += "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }";
  saved += std::string(58, ' ') + '\n';
  saved += std::string("\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x40\x40\x00\x00\x90\xc0", 16);
  const TemporaryFile file(".npy", saved);
  const NpyArray array(file.path());
  EXPECT_THAT(array.dimensions(), ElementsAre(2, 2));
  EXPECT_EQ(array[0], 1);
  EXPECT_EQ(array[1], 2);
  EXPECT_EQ(array[2], 3);
  EXPECT_EQ(array[3], -4.5);
}

TEST(Npy, ReadsEveryVersionAndBothWidths) {
  for (const int version : {1, 2, 3}) {
    const TemporaryFile file(
        ".npy", header(dictionary("<f8", "(3,)"), version) + bytes<double>({1, 2, 0.1}));
    const NpyArray array(file.path());
    EXPECT_THAT(array.dimensions(), ElementsAre(3));
    EXPECT_EQ(array[2], 0.1);
  }
  const TemporaryFile file(".npy", singles({0.1}, "()"));
  const NpyArray array(file.path());
  EXPECT_TRUE(array.dimensions().empty());
  EXPECT_EQ(array[0], static_cast<double>(0.1f));
}

TEST(Npy, SaysWhatIsWrongWithAFile) {
  const std::string good = table({1, 2, 3, 4}, "(2, 2)");
  EXPECT_EQ(error_of_npy(""), "FILE: the file is empty");
  EXPECT_THAT(error_of_npy("1,2\n3,4\n"), HasSubstr("is not an .npy file"));
  EXPECT_THAT(error_of_npy(good.substr(0, 7)), HasSubstr("is cut short: its header"));
  EXPECT_THAT(error_of_npy(good.substr(0, 9)), HasSubstr("is cut short: its header"));
  EXPECT_THAT(error_of_npy(good.substr(0, 50)), HasSubstr("is cut short: its header"));
  EXPECT_EQ(error_of_npy(good.substr(0, good.size() - 1)),
            "FILE: is cut short: its header tells of 32 bytes of numbers, but there are 31");
  EXPECT_EQ(error_of_npy(good + "x"),
            "FILE: is too long: its header tells of 32 bytes of numbers, but there are 33");
  EXPECT_THAT(error_of_npy(header(dictionary("<f8", "(1, 1)"), 4) + bytes<double>({1})),
              HasSubstr("version 4.0"));
  EXPECT_THAT(
      error_of_npy(header(dictionary("<f8", "(2, 2)", "True")) + bytes<double>({1, 2, 3, 4})),
      HasSubstr("Fortran order"));
  EXPECT_THAT(error_of_npy(header(dictionary(">f8", "(1, 2)")) + bytes<double>({1, 2})),
              HasSubstr("big-endian numbers (dtype '>f8')"));
  EXPECT_THAT(error_of_npy(header(dictionary("<i8", "(1, 2)")) + bytes<double>({1, 2})),
              HasSubstr("numbers of another type (dtype '<i8')"));
  EXPECT_THAT(
      error_of_npy(header("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }")),
      HasSubstr("holds records"));
  EXPECT_THAT(error_of_npy(header(dictionary("<f8", "(0, 3)"))), HasSubstr("holds no numbers"));
  EXPECT_THAT(error_of_npy(header(dictionary("<f8", "(4294967296, 4294967296)"))),
              HasSubstr("more numbers than there can be"));
  for (const char* shape : {"2, 2", "(2, x)", "(2 2)", "(-1, 2)", "(2, 2"}) {
    EXPECT_THAT(error_of_npy(header(dictionary("<f8", shape)) + bytes<double>({1, 2, 3, 4})),
                HasSubstr("a header that numpy would not write"))
        << shape;
  }
  EXPECT_THAT(error_of_npy(header("{}")), HasSubstr("a header that numpy would not write"));
  EXPECT_EQ(error_of_npy(table({1, 2}, "(2,)")),
            "FILE: holds an array of 2, but a table of rows and columns is needed");
}

TEST(Npy, SaysWhenThereIsNoFile) {
  const TemporaryFolder folder;
  const std::string missing = folder / "none.npy", nested = folder / "folder.npy";
  std::filesystem::create_directory(nested);
  EXPECT_EQ(usage_error(missing, [&] { read_data(missing); }),
            "FILE: cannot be read: No such file or directory");
  EXPECT_EQ(usage_error(nested, [&] { read_data(nested); }),
            "FILE: cannot be read: it is a folder");
}

// The number is the 5001st, beyond the first block of the pass over the file.
TEST(Npy, NamesTheElementThatIsNotFinite) {
  std::vector<double> numbers(10000, 1);
  numbers[5000] = std::nan("");
  EXPECT_EQ(error_of_npy(table(numbers, "(2500, 4)")),
            "FILE: array[1251,1] is nan, but data must be finite");
  EXPECT_EQ(error_of_npy(singles(numbers, "(2500, 4)")),
            "FILE: array[1251,1] is nan, but data must be finite");
  numbers[5000] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(error_of_npy(table(numbers, "(2500, 4)")),
            "FILE: array[1251,1] is inf, but data must be finite");
}

class Regression : public testing::TestWithParam<std::string> {
 protected:
  // The example's six rows, rounded so that float32 holds them.
  Regression() {
    const auto entries = model_registry();
    const Data example = std::ranges::find(entries, GetParam(), &ModelEntry::name)->example();
    const Matrix exact = example.matrix("X", 6, 3);
    x_ = exact.unaryExpr([](double v) { return std::round(v * 64) / 64; });
    y_ = example.vector("y", 6).unaryExpr([](double v) { return std::round(v * 64) / 64; });
    Data data("memory");
    data.add("N", 6).add("P", 3).add("X", x_).add("y", y_);
    in_memory_ = make_builtin(GetParam(), &data);
  }

  std::vector<double> rows(bool with_y) const {
    std::vector<double> numbers;
    for (Index i = 0; i < 6; ++i) {
      for (Index j = 0; j < 3; ++j) numbers.push_back(x_(i, j));
      if (with_y) numbers.push_back(y_(i));
    }
    return numbers;
  }

  // The same sums over rows at other places in memory: a few roundings of 2^-53 apart.
  void expect_same(const std::string& path) const {
    const Data data = read_data(path);
    const auto model = make_builtin(GetParam(), &data);
    ASSERT_EQ(model->dimension(), 3);
    const Matrix points = Matrix::NullaryExpr(
        3, 5, [](Index i, Index j) { return std::sin(static_cast<double>(7 * i + 3 * j)); });
    const std::vector<Index> some = {4, 0, 3};
    for (const Rows chosen : {Rows{}, Rows{false, some}}) {
      Vector expected(5), found(5);
      Matrix expected_gradient(3, 5), found_gradient(3, 5);
      dynamic_cast<const RowModel&>(*in_memory_)
          .evaluate_rows(points, chosen, expected, expected_gradient);
      dynamic_cast<const RowModel&>(*model).evaluate_rows(points, chosen, found, found_gradient);
      EXPECT_LE((found - expected).cwiseAbs().maxCoeff(), 1e-14 * expected.cwiseAbs().maxCoeff());
      EXPECT_LE((found_gradient - expected_gradient).cwiseAbs().maxCoeff(),
                1e-14 * expected_gradient.cwiseAbs().maxCoeff());
    }
  }

  Matrix x_;
  Vector y_;
  std::unique_ptr<Model> in_memory_;
};

TEST_P(Regression, FromATableIsThatFromMemory) {
  const TemporaryFolder folder;
  expect_same(folder.write("double.npy", table(rows(true), "(6, 4)")));
  expect_same(folder.write("single.npy", singles(rows(true), "(6, 4)")));
}

TEST_P(Regression, FromArraysThatJsonNamesIsThatFromMemory) {
  const TemporaryFolder folder;
  folder.write("x.npy", singles(rows(false), "(6, 3)"));
  folder.write("y.npy", table({y_.begin(), y_.end()}, "(6,)"));
  expect_same(folder.write("d.json", R"({"N": 6, "P": 3, "X": "x.npy", "y": "y.npy"})"));
  // One of them in a file, the other not.
  std::string y;
  for (const double v : y_) y += (y.empty() ? "" : ", ") + std::to_string(v);
  expect_same(folder.write("m.json", R"({"N": 6, "P": 3, "X": "x.npy", "y": [)" + y + "]}"));
}

INSTANTIATE_TEST_SUITE_P(FromFiles, Regression,
                         testing::Values("linear-regression", "logistic-regression"),
                         [](const auto& model) {
                           return model.param == "linear-regression" ? "Linear" : "Logistic";
                         });

std::string regression_error(const std::string& path, std::string_view model) {
  return usage_error(path, [&] {
    const Data data = read_data(path);
    make_builtin(model, &data);
  });
}

TEST(NpyRegression, RefusesTargetsAndShapesThatDoNotFit) {
  const TemporaryFolder folder;
  const std::string half = folder.write("h.npy", table({1, 0, 2, 0.5}, "(2, 2)"));
  EXPECT_EQ(regression_error(half, "logistic-regression"),
            "FILE: array[2,2] is 0.5, but it must be 0 or 1");
  EXPECT_EQ(regression_error(half, "linear-regression"), "");
  const std::string narrow = folder.write("n.npy", table({1, 0, 2}, "(3, 1)"));
  EXPECT_THAT(regression_error(narrow, "linear-regression"), HasSubstr("has one column"));
  const std::string json =
      folder.write("d.json", R"({"N": 3, "P": 2, "X": "h.npy", "y": [1, 2, 3]})");
  EXPECT_EQ(regression_error(json, "linear-regression"),
            "FILE: X is a 2 x 2 array, but a 3 x 2 array is needed");
  EXPECT_THAT(regression_error(half, "radon"), HasSubstr("is missing"));
}

}  // namespace
}  // namespace ravi
