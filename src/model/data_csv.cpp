// Data from a comma-separated table with a header line; every column becomes an array.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <system_error>
#include <unordered_set>

#include "core/safe_text.hpp"
#include "model/data_formats.hpp"
#include "ravi/error.hpp"

namespace ravi {
namespace {

// Where in the file an error is.
struct Place {
  const std::string& file;
  Index line;

  [[noreturn]] void fail(const std::string& problem) const {
    throw UsageError(fmt::format("{}:{}: {}", safe_line(file), line, safe_line(problem)));
  }
};

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// RFC 4180 without line breaks inside quotes: "a,b" is one field, "" inside quotes is one quote.
std::vector<std::string> split(std::string_view line, const Place& place) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  if (quoted) place.fail("a quote is not closed");
  for (std::string& field : fields) field = std::string(trimmed(field));
  return fields;
}

// A number where a name is expected means that the first row of data would pass for the header.
void check_header(const std::vector<std::string>& header, const Place& place) {
  std::unordered_set<std::string_view> seen;
  for (std::size_t j = 0; j < header.size(); ++j) {
    const std::string& name = header[j];
    if (name.empty()) place.fail(fmt::format("column {} has no name", j + 1));
    double number = 0;
    const char* end = name.data() + name.size();
    if (std::from_chars(name.data(), end, number).ptr == end) {
      place.fail(fmt::format("'{}' is a number, but the first line must name the columns", name));
    }
    if (!seen.insert(name).second) place.fail(fmt::format("column '{}' occurs twice", name));
  }
}

double parse_number(const std::string& field, const std::string& column, const Place& place) {
  const char* begin = field.data();
  const char* end = begin + field.size();
  const bool plus = field.size() > 1 && field[0] == '+' && field[1] != '-';
  double value = 0;
  const auto [rest, error] = std::from_chars(begin + (plus ? 1 : 0), end, value);
  if (error == std::errc::result_out_of_range && rest == end) {
    place.fail(fmt::format("column '{}': {} is outside the range of a double", column, field));
  }
  if (error != std::errc() || rest != end) {
    place.fail(fmt::format("column '{}': '{}' is not a number", column, field));
  }
  if (!std::isfinite(value)) {
    place.fail(fmt::format("column '{}' is {}, but data must be finite", column, field));
  }
  return value;
}

}  // namespace

Data data_from_csv(std::string_view text, const std::string& source) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  std::vector<std::string> header;
  std::vector<std::vector<double>> columns;
  Place place{source, 0};
  Index blank_line = 0;
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    std::string_view line = text.substr(0, newline);
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++place.line;
    if (trimmed(line).empty()) {
      if (blank_line == 0) blank_line = place.line;
      continue;
    }
    if (blank_line > 0) Place{source, blank_line}.fail("a blank line inside the table");

    const std::vector<std::string> fields = split(line, place);
    if (header.empty()) {
      header = fields;
      columns.resize(header.size());
      check_header(header, place);
      continue;
    }
    if (fields.size() != header.size()) {
      place.fail(
          fmt::format("{} fields, but the header has {} columns", fields.size(), header.size()));
    }
    for (std::size_t j = 0; j < fields.size(); ++j) {
      columns[j].push_back(parse_number(fields[j], header[j], place));
    }
  }
  if (header.empty()) throw UsageError(fmt::format("{}: the file is empty", source));
  const auto rows = static_cast<Index>(columns[0].size());
  if (rows == 0) throw UsageError(fmt::format("{}: a header line, but no rows", source));
  Data data(source, true);
  for (std::size_t j = 0; j < header.size(); ++j) {
    data.add(header[j], {rows}, std::move(columns[j]));
  }
  return data;
}

}  // namespace ravi
