// Reads a Stan program and what it includes.
#include "model/stan/program.hpp"

#include <filesystem>

#include "core/json_file.hpp"
#include "model/stan/array_syntax.hpp"
#include "model/stan/tokens.hpp"

namespace ravi {
namespace {

void add_includes(const std::string& text, StanProgram& program) {
  for (const std::string& name : included_files(text)) {
    std::error_code ignored;
    const std::filesystem::path path = std::filesystem::path(program.folder) / name;
    if (program.included.contains(name) || !std::filesystem::exists(path, ignored)) continue;
    const std::string& more = program.included[name] = read_text(path.string());
    add_includes(more, program);
  }
}

using Words = std::set<std::string, std::less<>>;

// Adds the words of a file's data block, or of all of it; true when an #include is among them.
bool add_words(std::string_view text, bool all, Words& words) {
  int depth = all ? 1 : 0;
  bool includes = false;
  std::string_view before, last;
  for (const StanToken& token : stan_tokens(text)) {
    if (token.text == "{" && (depth > 0 || (last == "data" && before != "transformed"))) ++depth;
    if (token.text == "}" && depth > 0) --depth;
    if (depth > 0 || all) {
      includes = includes || token.kind == StanToken::Kind::include;
      if (token.kind == StanToken::Kind::word) words.emplace(token.text);
    }
    before = last;
    last = token.text;
  }
  return includes;
}

}  // namespace

Words words_of_data(const StanProgram& program) {
  Words words;
  bool includes = add_words(program.text, false, words);
  for (const auto& [name, text] : program.included) {
    includes = add_words(text, false, words) || includes;
  }
  if (!includes) return words;
  for (const auto& [name, text] : program.included) add_words(text, true, words);
  return words;
}

StanProgram read_program(const std::string& path) {
  const std::filesystem::path file = std::filesystem::absolute(path);
  StanProgram program{.path = path,
                      .folder = file.parent_path().string(),
                      .stem = file.stem().string(),
                      .text = read_text(path),
                      .included = {}};
  add_includes(program.text, program);
  return program;
}

}  // namespace ravi
