// A Stan program as one text, with what it includes in place of its #include lines.
#include "model/stan/joined_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "model/stan/tokens.hpp"
#include "ravi/error.hpp"

namespace ravi {
namespace {

class Joiner {
 public:
  explicit Joiner(const StanProgram& program) : program_(program) {
    add(program.path, program.text);
    if (joined_.origins.empty()) joined_.origins.push_back({program.path, 1});
  }

  JoinedProgram result() && { return std::move(joined_); }

 private:
  // What an #include line is replaced by ends in a newline of its own.
  void add(const std::string& file, std::string_view text) {
    open_.push_back(file);
    std::size_t line = 1, done = 0;
    for (const StanToken& token : stan_tokens(text)) {
      if (token.kind != StanToken::Kind::include) continue;
      put(file, line, text.substr(done, token.begin - done));
      include(file, line, std::string(included_file(token)));
      done = token.end();
    }
    put(file, line, text.substr(done));
    open_.pop_back();
  }

  void include(const std::string& file, std::size_t line, const std::string& name) {
    const auto found = program_.included.find(name);
    if (found == program_.included.end()) {
      throw UsageError(fmt::format("{}:{}: includes {}, but there is no such file in {}", file,
                                   line, name, program_.folder));
    }
    if (std::ranges::find(open_, name) != open_.end()) {
      throw UsageError(fmt::format("{}:{}: {} includes itself", file, line, name));
    }
    end_line();
    add(name, found->second);
    end_line();
  }

  // Lines begin with the first that is put into them, and `line` counts those that end.
  void put(const std::string& file, std::size_t& line, std::string_view text) {
    while (!text.empty()) {
      if (at_start_) joined_.origins.push_back({file, line});
      const std::size_t end = text.find('\n');
      at_start_ = end != std::string_view::npos;
      const std::string_view part = text.substr(0, at_start_ ? end + 1 : end);
      joined_.text += part;
      if (at_start_) ++line;
      text.remove_prefix(part.size());
    }
  }

  void end_line() {
    if (!at_start_) joined_.text += '\n';
    at_start_ = true;
  }

  const StanProgram& program_;
  JoinedProgram joined_;
  std::vector<std::string> open_;  // the files around the current place
  bool at_start_ = true;           // of a line
};

}  // namespace

const SourceLine& JoinedProgram::origin(std::size_t line) const {
  return origins[std::clamp<std::size_t>(line, 1, origins.size()) - 1];
}

JoinedProgram joined_program(const StanProgram& program) { return Joiner(program).result(); }

}  // namespace ravi
