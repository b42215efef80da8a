// The data a model is built from: named arrays of finite numbers, read from JSON, CSV or .npy.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/npy.hpp"
#include "ravi/model.hpp"

namespace ravi {

struct Variable {
  std::string name;
  std::vector<Index> dimensions;  // empty for a single number
  std::vector<double> values;     // last index fastest: a matrix row by row, as JSON nests it
  bool whole = true;              // every value is a whole number; of a file nobody has looked
  std::shared_ptr<const NpyArray> file = {};  // where the values are instead, and stay

  double at(std::size_t i) const { return file ? (*file)[static_cast<Index>(i)] : values[i]; }
};

// Every getter throws UsageError with the file, the variable, what was found and what is needed.
// What was asked for is remembered, so that a model can be told what it did not read; hence one
// thread.
class Data {
 public:
  // Where the numbers come from, for messages; is_table says that they are columns of equal length
  // whose order may carry meaning.
  explicit Data(std::string source = "data", bool is_table = false)
      : source_(std::move(source)), is_table_(is_table) {}

  // Throws UsageError when a value is not finite, naming the element: "X[3,2] is nan, ...".
  Data& add(std::string name, std::vector<Index> dimensions, std::vector<double> values);
  Data& add(std::string name, double value) { return add(std::move(name), {}, {value}); }
  // Looks at every number once, in the file's order, and copies none.
  Data& add(std::string name, std::shared_ptr<const NpyArray> file);
  // A vector or a matrix: any Eigen expression.
  template <typename Derived>
  Data& add(std::string name, const Eigen::DenseBase<Derived>& values) {
    if constexpr (Derived::ColsAtCompileTime == 1) {
      return add_vector(std::move(name), values.derived());
    } else {
      return add_matrix(std::move(name), values.derived());
    }
  }

  const std::string& source() const { return source_; }
  bool is_table() const {
    table_asked_ = true;
    return is_table_;
  }
  std::span<const Variable> variables() const { return variables_; }  // in the file's order
  bool has(std::string_view name) const { return find(name) != nullptr; }

  std::span<const Index> dimensions(std::string_view name) const;
  // The file that holds an array of that shape; null when it is in memory.
  std::shared_ptr<const NpyArray> file(std::string_view name,
                                       const std::vector<Index>& dimensions) const;
  Index integer(std::string_view name, Index low) const;
  // How many parameters there are to be, checked against memory before there are any.
  Index count(std::string_view name, Index low) const;
  double number(std::string_view name, std::optional<double> otherwise = {}) const;
  Vector vector(std::string_view name, Index size) const;
  Matrix matrix(std::string_view name, Index rows, Index cols) const;
  std::vector<Index> integers(std::string_view name, Index size, Index low,
                              Index high = std::numeric_limits<Index>::max()) const;

  // The one number or the vector of them, each above zero.
  double positive_number(std::string_view name, std::optional<double> otherwise = {}) const;
  Vector positive_vector(std::string_view name, Index size) const;

  // Names that were asked for, there or not, and variables that nobody asked for. A table has
  // columns that a model leaves alone, so that of one that a model knows what to do with, none is.
  std::vector<std::string> asked() const { return {asked_.begin(), asked_.end()}; }
  std::vector<std::string> unread() const;

  // Throws UsageError "source: name problem".
  [[noreturn]] void reject(std::string_view name, std::string_view problem) const;

 private:
  Data& add_vector(std::string name, const ConstVectorRef& values);
  Data& add_matrix(std::string name, const ConstMatrixRef& values);
  const Variable* variable(std::string_view name) const;
  const Variable* find(std::string_view name) const;  // asks for it
  const Variable& shaped(std::string_view name, const std::vector<Index>& dimensions) const;

  std::string source_;
  bool is_table_;
  std::vector<Variable> variables_;
  std::map<std::string, std::size_t, std::less<>> places_;  // of variables, by name
  mutable std::set<std::string, std::less<>> asked_;
  mutable bool table_asked_ = false;
};

// The one variable of a table without names.
inline constexpr std::string_view kTableName = "array";

// "X[3,2]": the element at a position of an array's values.
std::string element_name(std::string_view name, std::span<const Index> dimensions,
                         std::size_t position);

// "a single number", "an array of 3", "a 3 x 2 array".
std::string describe_shape(std::span<const Index> dimensions);

// By extension. .json: an object of numbers and nested arrays, matrices as rows, as Stan reads it.
// A text that ends in .npy stands for the array in that file, in the folder of the .json file.
// .csv: a header line with the names of the columns; every column becomes an array.
// .npy: a table without names, as one variable, kTableName.
Data read_data(const std::string& path);

}  // namespace ravi
