// ravi list: what there is to choose from.
#include <fmt/format.h>

#include <algorithm>

#include "algorithm/choices.hpp"
#include "cli/cli.hpp"
#include "cli/flags.hpp"
#include "limits/limits.hpp"
#include "model/registry.hpp"
#include "ravi/error.hpp"

namespace ravi::cli {
namespace {

constexpr int kIndent = 28;

template <typename Entry>
std::string section(std::string_view title, std::span<const Entry> registry) {
  std::string text = fmt::format("{}\n", title);
  for (const Entry& entry : registry) {
    text += fmt::format("  {:<{}}{}\n", entry.name, kIndent - 2, entry.description);
    if constexpr (requires { entry.data; }) {
      text += fmt::format("{:<{}}data: {}\n", "", kIndent, entry.data);
    }
  }
  return text + "\n";
}

// As docs/method.md has it.
std::string table_of_limits() {
  std::string text =
      "| limit | value | what it is of | where it comes from |\n|---|---:|---|---|\n";
  for (const LimitEntry& entry : limit_table()) {
    text += fmt::format("| {} | {:g} | {} | {} |\n", entry.name, entry.value, entry.meaning,
                        entry.origin);
  }
  return text;
}

}  // namespace

int list_command(const Arguments& args, Console& console) {
  CommandLine line("List what there is to choose from.", "ravi list");
  std::string what;
  line.option("WHAT", what, "limits: every number that decides a step or a verdict");
  if (line.parse(args, console.out)) return kTrustworthy;
  if (what == "limits") {
    console.out << table_of_limits();
    return kTrustworthy;
  }
  if (!what.empty()) throw UsageError(fmt::format("there is no list of '{}'", what));
  console.out << section(
      "Models (ravi fit MODEL; also a .stan program or a .so library of BridgeStan)",
      model_registry());
  for (const NamedOption& named : named_options()) {
    std::string flag(named.option);
    std::ranges::replace(flag, '_', '-');
    console.out << section(fmt::format("{} (--{})", named.title, flag),
                           std::span<const Choice>(named.choices));
  }
  return kTrustworthy;
}

}  // namespace ravi::cli
