// Reads a file whole, or as JSON, with errors in one line that say where and what rule was broken.
#include "core/json_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/safe_text.hpp"
#include "ravi/error.hpp"

namespace ravi {
namespace {

// Walks over the text and keeps count, because the parser's callback does not say where it is.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(pointer at, std::size_t* count) : at_(at), count_(count) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*count_;
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  pointer at_;
  std::size_t* count_;
};

[[noreturn]] void fail_at(const std::string& path, std::string_view text, std::size_t offset,
                          const std::string& rule) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t newline = before.rfind('\n');
  const std::size_t column =
      newline == std::string_view::npos ? before.size() + 1 : before.size() - newline;
  throw UsageError(fmt::format("{}:{}:{}: {}", safe_line(path), line, column, rule));
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '-' || c == '.';
}

// The unquoted word around an offset, as an interval of the text.
std::string_view word_around(std::string_view text, std::size_t offset) {
  std::size_t begin = std::min(offset, text.size()), end = begin;
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(begin, end - begin);
}

bool names_non_finite(std::string_view word) {
  if (!word.empty() && (word[0] == '+' || word[0] == '-')) word.remove_prefix(1);
  std::string lower(word);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower == "nan" || lower == "inf" || lower == "infinity";
}

// "[json.exception...] parse error at line 1, column 2: RULE; last read: 'x'; expected y" without
// the location, which we write ourselves, and without what was read, which can be long.
std::string rule_of(std::string message) {
  const std::size_t location = message.find("column ");
  const std::size_t colon = location == std::string::npos ? location : message.find(": ", location);
  if (colon != std::string::npos) message.erase(0, colon + 2);
  const std::size_t read = message.find("; last read: '");
  if (read != std::string::npos) {
    const std::size_t rest = message.rfind("'; expected ");
    const bool more = rest != std::string::npos && rest > read;
    message.erase(read, more ? rest + 1 - read : std::string::npos);
  }
  return message;
}

}  // namespace

std::string read_text(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw UsageError(fmt::format("{}: cannot be read: it is a folder", safe_line(path)));
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  const auto reason = [] { return std::generic_category().message(errno); };
  if (!file) throw UsageError(fmt::format("{}: cannot be read: {}", safe_line(path), reason()));
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad())
    throw UsageError(fmt::format("{}: cannot be read: {}", safe_line(path), reason()));
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw UsageError(fmt::format("{}: the file is empty", safe_line(path)));
  }
  return text;
}

// "[json.exception.out_of_range.403] key 'x' not found" without the brackets.
std::string json_problem(const std::exception& error) {
  const std::string_view text = error.what();
  const bool labeled = text.starts_with("[json.exception");
  const std::size_t end = labeled ? text.find("] ") : std::string_view::npos;
  return std::string(end == std::string_view::npos ? text : text.substr(end + 2));
}

nlohmann::json read_json(const std::string& path) { return parse_json(read_text(path), path); }

nlohmann::json parse_json(const std::string& text, const std::string& source) {
  using Event = nlohmann::json::parse_event_t;
  std::size_t count = 0;
  std::vector<std::set<std::string>> keys;  // of every object that is open
  const auto refuse_repeated_keys = [&](int, Event event, nlohmann::json& parsed) {
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end) keys.pop_back();
    if (event == Event::key && !keys.back().insert(parsed.get<std::string>()).second) {
      const std::size_t begin = text.rfind('"', count - 2);
      fail_at(source, text, begin, fmt::format("key {} occurs twice", parsed.dump()));
    }
    return true;
  };
  try {
    return nlohmann::json::parse(CountingIterator(text.data(), &count),
                                 CountingIterator(text.data() + text.size(), &count),
                                 refuse_repeated_keys);
  } catch (const nlohmann::json::parse_error& error) {
    const std::size_t at = error.byte > 0 ? error.byte - 1 : 0;
    const std::string_view word = word_around(text, at);
    const auto begin = static_cast<std::size_t>(word.data() - text.data());
    if (names_non_finite(word)) {
      fail_at(source, text, begin, fmt::format("{} is not allowed: data must be finite", word));
    }
    fail_at(source, text, at, rule_of(error.what()));
  } catch (const nlohmann::json::out_of_range&) {
    // The parser has read one character past the number.
    const std::string_view word = word_around(text, count < 2 ? 0 : count - 2);
    const auto begin = static_cast<std::size_t>(word.data() - text.data());
    fail_at(source, text, begin, fmt::format("{} is too large for a double", word));
  }
}

}  // namespace ravi
