// ravi list: what there is to choose from.
#include <fmt/format.h>

#include "algorithm/methods.hpp"
#include "algorithm/paper/stops.hpp"
#include "cli/cli.hpp"
#include "cli/flags.hpp"
#include "core/registry.hpp"
#include "family/approximation.hpp"
#include "model/registry.hpp"
#include "optimizer/optimizer.hpp"

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

}  // namespace

int list_command(const Arguments& args, Console& console) {
  CommandLine line("List what there is to choose from.", "ravi list");
  if (line.parse(args, console.out)) return kTrustworthy;
  console.out << section(
                     "Models (ravi fit MODEL; also a .stan program or a .so library of BridgeStan)",
                     model_registry())
              << section("Families (--family)", family_registry())
              << section("Optimizers (--optimizer)", optimizer_registry())
              << section("Stopping rules (--stop)", stop_registry())
              << section("Methods (--method)", method_registry());
  return kTrustworthy;
}

}  // namespace ravi::cli
