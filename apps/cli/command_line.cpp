// The arguments of one command, by CLI11 with our messages.
#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "core/registry.hpp"
#include "core/safe_text.hpp"
#include "ravi/error.hpp"

namespace ravi::cli {

struct CommandLine::Parser {
  CLI::App app;
};

CommandLine::CommandLine(const std::string& description, const std::string& command)
    : parser_(new Parser{CLI::App(description, command)}) {}
CommandLine::~CommandLine() = default;

void CommandLine::option(const std::string& name, std::string& into, const std::string& help,
                         const std::string& value) {
  parser_->app.add_option(name, into, help)->type_name(value);
}

void CommandLine::option(const std::string& name, std::vector<std::string>& into,
                         const std::string& help) {
  parser_->app.add_option(name, into, help)->type_name("");
}

void CommandLine::option(const std::string& name, std::function<void(const std::string&)> set,
                         const std::string& help) {
  parser_->app.add_option_function<std::string>(name, std::move(set), help)->type_name("");
}

void CommandLine::flag(const std::string& name, bool& into, const std::string& help) {
  parser_->app.add_flag(name, into, help);
}

void CommandLine::footer(const std::string& text) { parser_->app.footer(text); }

bool CommandLine::parse(const std::vector<std::string>& args, std::ostream& out) {
  CLI::App& app = parser_->app;
  app.allow_extras();
  app.get_formatter()->column_width(26);
  try {
    app.parse(std::vector<std::string>(args.rbegin(), args.rend()));  // CLI11 wants them reversed
  } catch (const CLI::CallForHelp&) {
    out << app.help();
    return true;
  } catch (const CLI::ArgumentMismatch& e) {
    const std::string text = e.what();  // "--chains: 1 required ..."
    throw UsageError(fmt::format("{} needs a value", text.substr(0, text.find(':'))));
  } catch (const CLI::ParseError& e) {
    throw UsageError(safe_line(e.what()));
  }
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& value : option->results()) {
      if (value.empty()) {
        throw UsageError(fmt::format("{} needs a value, but '' is empty", option->get_name()));
      }
      if (!value.starts_with("--")) continue;
      throw UsageError(
          fmt::format("{} needs a value, but '{}' follows", option->get_name(), safe_line(value)));
    }
  }
  const std::vector<std::string> extras = app.remaining();
  if (extras.empty()) return false;
  const auto option =
      std::ranges::find_if(extras, [](const auto& x) { return x.starts_with('-'); });
  if (option == extras.end()) {
    throw UsageError(fmt::format("'{}' is one argument too many", safe_line(extras.front())));
  }
  std::vector<std::string> names;
  for (const CLI::Option* o : app.get_options()) {
    for (const std::string& name : o->get_lnames()) names.push_back("--" + name);
  }
  const std::string word = option->substr(0, option->find('='));
  const std::string close = nearest(word, names);
  throw UsageError(
      fmt::format("no option is called '{}'{}; '{} --help' lists them", safe_line(word),
                  close.empty() ? "" : fmt::format(", did you mean '{}'?", close), app.get_name()));
}

}  // namespace ravi::cli
