// Chooses the command, and turns exceptions into one message and an exit status.
#include "cli/cli.hpp"

#include <fmt/format.h>

#include <array>
#include <new>
#include <span>

#include "core/json_file.hpp"
#include "core/registry.hpp"
#include "core/safe_text.hpp"
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

// Lines after the first are indented: none of a message can pass for another one.
std::string error_text(std::string_view prefix, std::string_view message) {
  std::string text = fmt::format("{}: ", prefix);
  for (const char c : message) {
    if (c != ' ' && text.ends_with('\n')) text += "  ";
    text += c;
  }
  return text + '\n';
}

int run_command(const Arguments& args, Console& console, std::string& prefix) {
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
    return command.run({args.begin() + 1, args.end()}, console);
  } catch (const UsageError& e) {
    console.err << error_text(prefix, e.what());
    return kUsage;
  } catch (const std::bad_alloc&) {
    console.err << error_text(
        prefix, "out of memory; try --family mean-field, fewer --chains or fewer --draws");
    return kEnvironment;
  } catch (const std::exception& e) {
    console.err << error_text(prefix, json_problem(e));
    return kEnvironment;
  }
}

}  // namespace

int run(const Arguments& args, Console& given) {
  SafeStream out(given.out, given.out_is_terminal), err(given.err, given.err_is_terminal);
  err << std::unitbuf;
  Console console{out,
                  err,
                  given.out_is_terminal,
                  given.err_is_terminal,
                  given.width,
                  given.stop_requested,
                  given.ends_cleanly};
  std::string prefix = "ravi";
  const int status = run_command(args, console, prefix);
  if (out.flush() || status > kFinished) return status;
  err << error_text(prefix, "standard output cannot be written");
  return kEnvironment;
}

}  // namespace ravi::cli
