// The arguments of one command. Only command_line.cpp sees CLI11, which takes six seconds to
// compile.
#pragma once

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ravi::cli {

class CommandLine {
 public:
  CommandLine(const std::string& description, const std::string& command);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  // A name without dashes goes by its place. The value is "F", "DIR", ... in help, or not shown.
  void option(const std::string& name, std::string& into, const std::string& help,
              const std::string& value = "");
  void option(const std::string& name, std::vector<std::string>& into, const std::string& help);
  // Calls set(value) for every time that it is given.
  void option(const std::string& name, std::function<void(const std::string&)> set,
              const std::string& help);
  void flag(const std::string& name, bool& into, const std::string& help);
  void footer(const std::string& text);

  // True: help was asked for and printed. Throws UsageError.
  bool parse(const std::vector<std::string>& args, std::ostream& out);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace ravi::cli
