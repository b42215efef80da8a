// Chooses the command, and turns exceptions into one message and an exit status.
#include "ravi/cli.hpp"

#include <fmt/format.h>

#include <array>
#include <new>
#include <span>

#include "core/registry.hpp"
#include "ravi/version.hpp"

namespace ravi::cli {
namespace {

struct Command {
  std::string_view name, description;
  int (*run)(const Arguments&, Console&);
};

constexpr std::array kCommands = {
    Command{"fit", "fit a variational approximation to a posterior, and judge it", fit_command},
    Command{"check", "compare a model's gradient with finite differences of its log density",
            check_command},
    Command{"compile", "compile a Stan program into a shared library", compile_command},
    Command{"list", "the models, families, optimizers, stopping rules and methods there are",
            list_command},
    Command{"simulate", "make data with a known posterior", simulate_command},
    Command{"diagnose", "show again what an earlier fit found, and what to do about it",
            diagnose_command},
    Command{"report", "make the page of an earlier fit again", report_command},
    Command{"paper", "run the paper's evaluation again, and compare with what it printed",
            paper_command},
};

std::string usage() {
  std::string text =
      "ravi: robust averaged variational inference. Fits a Gaussian to a posterior and says "
      "whether\n"
      "to trust it.\n\nUsage: ravi COMMAND [OPTIONS]\n\nCommands:\n";
  for (const Command& c : kCommands) text += fmt::format("  {:<10}{}\n", c.name, c.description);
  text +=
      "\n'ravi COMMAND --help' explains each.\n\nExit status: 0 the answer can be used "
      "(verdict accurate or usable), 1 finished with another\nverdict, 2 wrong usage or input, "
      "3 the environment (files, memory).\n";
  return text;
}

}  // namespace

int run(const Arguments& args, Console& console) {
  std::string prefix = "ravi";
  try {
    if (args.empty() || args[0] == "--help" || args[0] == "-h" || args[0] == "help") {
      (args.empty() ? console.err : console.out) << usage();
      return args.empty() ? kUsage : kTrustworthy;
    }
    if (args[0] == "--version") {
      console.out << fmt::format("ravi {}\n", version());
      return kTrustworthy;
    }
    const Command& command = entry_of(std::span<const Command>(kCommands), args[0], "command");
    prefix = fmt::format("ravi {}", command.name);
    const int status = command.run({args.begin() + 1, args.end()}, console);
    if (!console.out.flush()) throw EnvironmentError("standard output cannot be written");
    return status;
  } catch (const UsageError& e) {
    console.err << prefix << ": " << e.what() << "\n";
    return kUsage;
  } catch (const std::bad_alloc&) {
    console.err << prefix
                << ": out of memory; try --family mean-field, fewer --chains or fewer --draws\n";
    return kEnvironment;
  } catch (const std::exception& e) {
    console.err << prefix << ": " << e.what() << "\n";
    return kEnvironment;
  }
}

}  // namespace ravi::cli
