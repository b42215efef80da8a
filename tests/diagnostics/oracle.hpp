// Reads the reference values in tests/data/oracle: what R's posterior and loo computed.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "ravi/model.hpp"

namespace ravi::oracle {

using Json = nlohmann::json;

inline std::ifstream open(const std::string& name) {
  std::ifstream file(std::string(RAVI_TEST_DATA) + "/oracle/" + name);
  if (!file) throw std::runtime_error("cannot read test data " + name);
  return file;
}

// One input with everything computed from it.
struct Case {
  Json values;

  const Json& at(const char* field) const { return values.at(field); }
  std::string name() const { return values.at("name"); }
  friend void PrintTo(const Case& c, std::ostream* out) { *out << c.name(); }
};

inline std::vector<Case> cases(const std::string& file) {
  std::vector<Case> result;
  const Json content = Json::parse(open(file));
  for (const Json& values : content.at("cases")) result.push_back({values});
  return result;
}

// One header line, then rows of numbers.
inline Matrix table(const Case& test_case) {
  std::ifstream file = open(test_case.at("input"));
  std::string line, cell;
  std::getline(file, line);
  std::vector<std::vector<double>> rows;
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    rows.emplace_back();
    while (std::getline(cells, cell, ',')) rows.back().push_back(std::stod(cell));
  }
  Matrix result(static_cast<Index>(rows.size()), static_cast<Index>(rows.at(0).size()));
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < result.cols(); ++j) {
      result(i, j) = rows[static_cast<std::size_t>(i)].at(static_cast<std::size_t>(j));
    }
  }
  return result;
}

inline Vector column(const Case& test_case) { return table(test_case).col(0); }

// null is R's NA or NaN; infinities are strings.
inline double number(const Json& value) {
  if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (value == "Inf") return std::numeric_limits<double>::infinity();
  if (value == "-Inf") return -std::numeric_limits<double>::infinity();
  return value.get<double>();
}

inline Vector numbers(const Json& values) {
  Vector result(static_cast<Index>(values.size()));
  for (Index i = 0; i < result.size(); ++i) result(i) = number(values[static_cast<std::size_t>(i)]);
  return result;
}

// The README's "about 1e-10 relative".
inline constexpr double kTolerance = 1e-10;

// Within `tolerance` times `scale`; by default the scale is the expected value itself. NaN and
// infinities agree only with their like.
inline void expect_agrees(double actual, double expected, double tolerance = kTolerance,
                          double scale = 0) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(actual)) << actual;
  } else if (std::isinf(expected)) {
    EXPECT_EQ(actual, expected);
  } else {
    EXPECT_NEAR(actual, expected, tolerance * std::max(std::abs(expected), scale));
  }
}

struct CaseName {
  template <typename Info>
  std::string operator()(const Info& info) const {
    std::string name = info.param.name();
    for (char& c : name) {
      if (c == '-') c = 'm';  // of a minus sign
      if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    }
    return name;
  }
};

}  // namespace ravi::oracle
