// Splits a Stan program into tokens: just enough of the grammar to rewrite declarations.
#include "model/stan/tokens.hpp"

#include <algorithm>

namespace ravi {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kInclude = "#include";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_word_character(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

bool begins_include(std::string_view text) {
  return text.starts_with(kInclude) && text.size() > kInclude.size() &&
         std::string_view(" \t\"<").find(text[kInclude.size()]) != std::string_view::npos;
}

std::string_view without_trailing_blanks(std::string_view text) {
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

// The length of the comment, blank or newline that text begins with, 0 if it begins otherwise.
std::size_t leading_trivia(std::string_view text) {
  const auto to_end_of_line = [&] { return std::min(text.find('\n'), text.size()); };
  if (text[0] == '\n' || kBlanks.find(text[0]) != std::string_view::npos) return 1;
  if (text[0] == '#' || text.starts_with("//")) return to_end_of_line();
  if (!text.starts_with("/*")) return 0;
  const std::size_t close = text.find("*/", 2);
  return close == std::string_view::npos ? text.size() : close + 2;
}

// The token that text begins with; text begins with neither a comment nor an include.
StanToken leading_token(std::string_view text, std::size_t begin) {
  const auto while_true = [&](auto belongs) {
    const auto past = std::find_if_not(text.begin(), text.end(), belongs);
    return text.substr(0, static_cast<std::size_t>(past - text.begin()));
  };
  if (is_letter(text[0])) return {StanToken::Kind::word, begin, while_true(is_word_character)};
  if (is_digit(text[0])) {
    const auto belongs = [](char c) { return is_word_character(c) || c == '.'; };
    return {StanToken::Kind::literal, begin, while_true(belongs)};
  }
  // A string ends in the line it began in, and has no escapes. An unclosed quote is a symbol.
  if (text[0] == '"') {
    const std::size_t close = text.find_first_of("\"\n", 1);
    if (close != std::string_view::npos && text[close] == '"') {
      return {StanToken::Kind::literal, begin, text.substr(0, close + 1)};
    }
  }
  return {StanToken::Kind::symbol, begin, text.substr(0, 1)};
}

}  // namespace

std::vector<StanToken> stan_tokens(std::string_view program) {
  std::vector<StanToken> tokens;
  bool line_is_blank = true;
  for (std::size_t i = 0; i < program.size();) {
    const std::string_view rest = program.substr(i);
    if (begins_include(rest)) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      const std::string_view text = without_trailing_blanks(line.substr(0, line.find("//")));
      using enum StanToken::Kind;
      tokens.push_back({line_is_blank ? include : late_include, i, text});
      i += line.size();
    } else if (const std::size_t length = leading_trivia(rest); length > 0) {
      if (rest[0] == '\n')
        line_is_blank = true;
      else if (length > 1)
        line_is_blank = false;
      i += length;
    } else {
      tokens.push_back(leading_token(rest, i));
      i = tokens.back().end();
      line_is_blank = false;
    }
  }
  return tokens;
}

std::string_view included_file(const StanToken& include) {
  std::string_view name = include.text.substr(std::min(kInclude.size(), include.text.size()));
  name.remove_prefix(std::min(name.find_first_not_of(kBlanks), name.size()));
  if (name.starts_with('"')) return name.substr(1, name.find('"', 1) - 1);
  if (name.starts_with('<')) return name.substr(1, name.find('>', 1) - 1);
  return name.substr(0, name.find_first_of(kBlanks));
}

}  // namespace ravi
