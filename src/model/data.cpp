// The data a model is built from: the checks behind every getter.
#include "model/data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/json_file.hpp"
#include "core/memory.hpp"
#include "core/safe_text.hpp"
#include "model/data_formats.hpp"
#include "ravi/error.hpp"

namespace ravi {
namespace {

constexpr double kLargestWhole = 9007199254740992.0;  // 2^53: above it a double skips whole numbers

// The first number that is not finite; the size when all are.
template <typename Number>
Index first_not_finite(const Number* numbers, Index size) {
  constexpr Index kBlock = 4096;
  for (Index begin = 0; begin < size; begin += kBlock) {
    const Index end = std::min(size, begin + kBlock);
    // x - x is 0 but for infinities and NaN, and a sum of them needs no branch.
    Number sum = 0;
    for (Index i = begin; i < end; ++i) sum += numbers[i] - numbers[i];
    if (sum == 0) continue;
    for (Index i = begin; i < end; ++i) {
      if (!std::isfinite(numbers[i])) return i;
    }
  }
  return size;
}

}  // namespace

std::string element_name(std::string_view name, std::span<const Index> dimensions,
                         std::size_t position) {
  if (dimensions.empty()) return std::string(name);
  std::vector<Index> index(dimensions.size());
  auto rest = static_cast<Index>(position);
  for (std::size_t k = dimensions.size(); k-- > 0;) {
    index[k] = rest % dimensions[k] + 1;
    rest /= dimensions[k];
  }
  return fmt::format("{}[{}]", name, fmt::join(index, ","));
}

std::string describe_shape(std::span<const Index> dimensions) {
  if (dimensions.empty()) return "a single number";
  if (dimensions.size() == 1) return fmt::format("an array of {}", dimensions[0]);
  return fmt::format("a {} array", fmt::join(dimensions, " x "));
}

Data& Data::add(std::string name, std::vector<Index> dimensions, std::vector<double> values) {
  Index size = 1;
  for (const Index d : dimensions) size *= d;
  if (size != static_cast<Index>(values.size())) {
    reject(name, fmt::format("holds {} values, but {} needs {}", values.size(),
                             describe_shape(dimensions), size));
  }
  if (variable(name) != nullptr) reject(name, "is given twice");
  bool whole = true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      reject(element_name(name, dimensions, i),
             fmt::format("is {}, but data must be finite", values[i]));
    }
    whole = whole && values[i] == std::floor(values[i]);
  }
  places_.emplace(name, variables_.size());
  variables_.push_back({std::move(name), std::move(dimensions), std::move(values), whole, {}});
  return *this;
}

Data& Data::add(std::string name, std::shared_ptr<const NpyArray> file) {
  if (variable(name) != nullptr) reject(name, "is given twice");
  const std::vector<Index> dimensions(file->dimensions().begin(), file->dimensions().end());
  file->expect(MappedFile::Access::sequential);
  const Index bad = file->visit_numbers(
      [&](const auto* numbers) { return first_not_finite(numbers, file->size()); });
  if (bad < file->size()) {
    reject(element_name(name, dimensions, static_cast<std::size_t>(bad)),
           fmt::format("is {}, but data must be finite", (*file)[bad]));
  }
  places_.emplace(name, variables_.size());
  variables_.push_back({std::move(name), dimensions, {}, false, std::move(file)});
  return *this;
}

Data& Data::add_vector(std::string name, const ConstVectorRef& values) {
  return add(std::move(name), {values.size()}, {values.begin(), values.end()});
}

Data& Data::add_matrix(std::string name, const ConstMatrixRef& values) {
  std::vector<double> by_rows;
  by_rows.reserve(static_cast<std::size_t>(values.size()));
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index j = 0; j < values.cols(); ++j) by_rows.push_back(values(i, j));
  }
  return add(std::move(name), {values.rows(), values.cols()}, std::move(by_rows));
}

void Data::reject(std::string_view name, std::string_view problem) const {
  throw UsageError(fmt::format("{}: {} {}", safe_line(source_), safe_line(name), problem));
}

std::vector<std::string> Data::unread() const {
  std::vector<std::string> names;
  for (const Variable& v : variables_) {
    if (!asked_.contains(v.name) && !(is_table_ && table_asked_)) names.push_back(v.name);
  }
  return names;
}

const Variable* Data::find(std::string_view name) const {
  asked_.emplace(name);
  return variable(name);
}

const Variable* Data::variable(std::string_view name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? nullptr : &variables_[found->second];
}

const Variable& Data::shaped(std::string_view name, const std::vector<Index>& dimensions) const {
  const Variable* found = find(name);
  if (found == nullptr) {
    reject(name, fmt::format("is missing, but {} is needed", describe_shape(dimensions)));
  }
  if (found->dimensions != dimensions) {
    reject(name, fmt::format("is {}, but {} is needed", describe_shape(found->dimensions),
                             describe_shape(dimensions)));
  }
  return *found;
}

std::span<const Index> Data::dimensions(std::string_view name) const {
  const Variable* found = find(name);
  if (found == nullptr) reject(name, "is missing");
  return found->dimensions;
}

Index Data::integer(std::string_view name, Index low) const {
  const double value = shaped(name, {}).at(0);
  if (value != std::floor(value)) {
    reject(name, fmt::format("is {}, but a whole number is needed", value));
  }
  if (value < static_cast<double>(low)) {
    reject(name, fmt::format("is {}, but it must be at least {}", value, low));
  }
  if (value > kLargestWhole) {
    reject(name, fmt::format("is {}, but it must be at most 2^53", value));
  }
  return static_cast<Index>(value);
}

Index Data::count(std::string_view name, Index low) const {
  const Index value = integer(name, low);
  check_room_for_parameters(static_cast<double>(value),
                            fmt::format("{}: {} is {}", safe_line(source_), name, value));
  return value;
}

double Data::number(std::string_view name, std::optional<double> otherwise) const {
  if (otherwise && !has(name)) return *otherwise;
  return shaped(name, {}).at(0);
}

std::shared_ptr<const NpyArray> Data::file(std::string_view name,
                                           const std::vector<Index>& dimensions) const {
  return shaped(name, dimensions).file;
}

Vector Data::vector(std::string_view name, Index size) const {
  const Variable& variable = shaped(name, {size});
  return Vector::NullaryExpr(size,
                             [&](Index i) { return variable.at(static_cast<std::size_t>(i)); });
}

Matrix Data::matrix(std::string_view name, Index rows, Index cols) const {
  const Variable& variable = shaped(name, {rows, cols});
  return Matrix::NullaryExpr(rows, cols, [&](Index i, Index j) {
    return variable.at(static_cast<std::size_t>(i * cols + j));
  });
}

std::vector<Index> Data::integers(std::string_view name, Index size, Index low, Index high) const {
  const Variable& variable = shaped(name, {size});
  std::vector<Index> result;
  result.reserve(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i) {
    const double value = variable.at(i);
    if (value != std::floor(value)) {
      reject(element_name(variable.name, variable.dimensions, i),
             fmt::format("is {}, but a whole number is needed", value));
    }
    const double limit = std::min(static_cast<double>(high), kLargestWhole);
    if (value < static_cast<double>(low) || value > limit) {
      reject(element_name(variable.name, variable.dimensions, i),
             fmt::format("is {}, but it must lie between {} and {}", value, low, limit));
    }
    result.push_back(static_cast<Index>(value));
  }
  return result;
}

double Data::positive_number(std::string_view name, std::optional<double> otherwise) const {
  const double value = number(name, otherwise);
  if (!(value > 0)) reject(name, fmt::format("is {}, but it must be positive", value));
  return value;
}

Vector Data::positive_vector(std::string_view name, Index size) const {
  const Variable& variable = shaped(name, {size});
  for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i) {
    if (variable.at(i) > 0) continue;
    reject(element_name(variable.name, variable.dimensions, i),
           fmt::format("is {}, but it must be positive", variable.at(i)));
  }
  return vector(name, size);
}

std::string extension_of(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

Data data_from_npy(const std::string& path) {
  auto file = std::make_shared<const NpyArray>(path);
  if (file->dimensions().size() != 2) {
    throw UsageError(fmt::format("{}: holds {}, but a table of rows and columns is needed", path,
                                 describe_shape(file->dimensions())));
  }
  Data data(path, true);
  data.add(std::string(kTableName), std::move(file));
  return data;
}

Data read_data(const std::string& path) {
  const std::string extension = extension_of(path);
  if (extension == ".json") return data_from_json(read_json(path), path);
  if (extension == ".csv") return data_from_csv(read_text(path), path);
  if (extension == ".npy") return data_from_npy(path);
  throw UsageError(
      fmt::format("{}: data files are told by their extension; the choices are: .json, .csv, .npy",
                  safe_line(path)));
}

}  // namespace ravi
