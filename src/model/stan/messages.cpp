// What Stan says, in words that name the user's file, line and variable.
#include "model/stan/messages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <regex>
#include <sstream>
#include <vector>

namespace ravi {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string size_in_words(const std::string& dims) {
  if (dims.empty()) return "a single number";
  return std::regex_replace(dims, std::regex(","), " x ");
}

// "double" and "vector_d" are the translated program's words. stanc 3 has the former for vectors,
// too.
std::string type_in_stan(const std::string& type) {
  if (type == "double") return "real numbers";
  return type.ends_with("_d") ? type.substr(0, type.size() - 2) : type;
}

// Stan's checks of data against declarations (var_context), in all versions since 2.21.
std::string data_complaint(const std::string& text) {
  static const std::regex missing(
      R"(variable does not exist; processing stage=[^;]*; variable name=([^;]+); base type=(\w+))");
  static const std::regex not_whole(
      R"(int variable contained non-int values; processing stage=[^;]*; variable name=([^;]+); base type=\w+)");
  static const std::regex size(
      R"(mismatch in [^;]*; processing stage=[^;]*; variable name=([^;]+);.*dims declared=\(([\d,]*)\); dims found=\(([\d,]*)\))");
  std::smatch m;
  std::string sentence;
  if (std::regex_search(text, m, missing)) {
    sentence =
        fmt::format("{} is missing; the program declares it as {}", m[1].str(), type_in_stan(m[2]));
  } else if (std::regex_search(text, m, not_whole)) {
    sentence =
        fmt::format("{} is not whole numbers, but the program declares it as int", m[1].str());
  } else if (std::regex_search(text, m, size)) {
    sentence = fmt::format("{} has size {}, but the program declares {}", m[1].str(),
                           size_in_words(m[3]), size_in_words(m[2]));
  } else {
    return text;
  }
  return m.prefix().str() + sentence + m.suffix().str();
}

// "a.stan:3: what stanc said", with the line itself below.
std::string located(const std::string& file, const std::string& line,
                    const std::vector<std::string>& said, const std::string& excerpt) {
  std::string text = line.empty() ? file : fmt::format("{}:{}", file, line);
  text +=
      said.empty() ? ": stanc rejects the program" : fmt::format(": {}", fmt::join(said, "\n  "));
  if (!excerpt.empty()) text += fmt::format("\n  line {}: {}", line, excerpt);
  return text;
}

}  // namespace

std::string readable_message(std::string_view message) {
  std::string text = trimmed(std::string(message));
  text = std::regex_replace(text, std::regex(R"(\s*\n\s*)"), " ");
  text = std::regex_replace(text, std::regex(R"(^(Exception: )+)"), "");
  text = std::regex_replace(text, std::regex(R"(\w+_namespace::\w+: )"), "");
  text = std::regex_replace(text, std::regex(R"(  +)"), " ");
  return data_complaint(text);
}

std::string bracketed_name(std::string_view dotted) {
  std::string result;
  bool open = false;
  for (std::size_t i = 0; i < dotted.size(); ++i) {
    const bool index =
        dotted[i] == '.' && i + 1 < dotted.size() && dotted[i + 1] >= '0' && dotted[i + 1] <= '9';
    if (index) {
      result += open ? "," : "[";
      open = true;
      continue;
    }
    if (open && (dotted[i] < '0' || dotted[i] > '9')) {
      result += ']';
      open = false;
    }
    result += dotted[i];
  }
  return open ? result + ']' : result;
}

std::string translation_error(std::string_view report, std::string_view file,
                              std::string_view source, std::string_view name) {
  static const std::regex location(R"(^\s*error in '([^']*)' at line (\d+), column (\d+))");
  static const std::regex noise(
      R"(^(SYNTAX ERROR, MESSAGE|DIAGNOSTIC\(S\)|Error in |Execution halted|Calls: |code for methods|Info: Comments beginning| *failed to parse Stan model).*)");
  std::string where(file), line_number, excerpt;
  std::vector<std::string> said;
  bool in_excerpt = false;
  for (const std::string& line : lines_of(report)) {
    std::smatch m;
    if (line.rfind("  ------", 0) == 0) {
      in_excerpt = !in_excerpt;
    } else if (line_number.empty() && std::regex_search(line, m, location)) {
      line_number = m[2];
      if (m[1] != std::string(name)) {
        where = m[1];
        continue;
      }
      const std::vector<std::string> lines = lines_of(source);
      const auto at = static_cast<std::size_t>(std::stoul(line_number));
      if (at >= 1 && at <= lines.size()) excerpt = trimmed(lines[at - 1]);
    } else if (!in_excerpt && !trimmed(line).empty() && !std::regex_search(line, noise)) {
      said.push_back(line);
    }
  }
  for (const std::string expected = "PARSER EXPECTED: "; std::string & line : said) {
    if (line.rfind(expected, 0) == 0) line = "expected " + line.substr(expected.size());
  }
  return located(where, line_number, said, excerpt);
}

std::string translation_error(std::string_view report, const JoinedProgram& program) {
  static const std::regex location(R"(error in 'string', line (\d+), column)");
  SourceLine where = program.origin(1);
  std::string excerpt;
  std::vector<std::string> said;
  bool found = false, in_excerpt = false;
  for (const std::string& line : lines_of(report)) {
    std::smatch m;
    if (!found && std::regex_search(line, m, location)) {
      found = true;
      const std::size_t number = std::stoul(m[1]);
      where = program.origin(number);
      const std::vector<std::string> lines = lines_of(program.text);
      if (number <= lines.size()) excerpt = trimmed(lines[number - 1]);
    } else if (trimmed(line).starts_with("------")) {
      in_excerpt = !in_excerpt;
    } else if (found && !in_excerpt && !trimmed(line).empty()) {
      said.push_back(trimmed(line));
    }
  }
  return located(where.file, std::to_string(where.line), said, excerpt);
}

}  // namespace ravi
