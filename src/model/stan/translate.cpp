// From a Stan program to C++, by the stanc that R's package rstan has.
#include "model/stan/translate.hpp"

#include <regex>

#include "core/files.hpp"
#include "core/json_file.hpp"
#include "model/stan/array_syntax.hpp"
#include "model/stan/joined_program.hpp"
#include "model/stan/messages.hpp"
#include "model/stan/newer_stan.hpp"
#include "ravi/error.hpp"

namespace ravi {
namespace {

namespace fs = std::filesystem;

// stanc 2.21, inside rstan's library. Arguments: program, name of its class, output, folders of
// includes.
constexpr std::string_view kStanc2 =
    "a <- commandArgs(TRUE); "
    "r <- rstan::stanc(file = a[1], model_name = sub('^model_', '', a[2]), "
    "obfuscate_model_name = FALSE, isystem = a[-(1:3)]); "
    "cat(r$cppcode, file = a[3])";
constexpr std::string_view kRefused2 = "failed to parse Stan model";

// stanc 3, which is JavaScript in the engine that rstan has for it. Not by rstan::stanc(), which
// drops empty lines, so that lines of messages would be others, and loads what draws rstan's
// pictures. Arguments: program, name of its class, output.
constexpr std::string_view kStanc3 =
    "a <- commandArgs(TRUE); "
    "js <- system.file('stanc.js', package = 'StanHeaders'); "
    "if (!nzchar(js)) js <- system.file('exec', 'stanc.js', package = 'rstan'); "
    "engine <- if (requireNamespace('QuickJSR', quietly = TRUE)) "
    "QuickJSR::JSContext$new(stack_size = 4 * 1024 * 1024) else V8::v8(); "
    "engine$source(js); "
    "code <- paste(readLines(a[1], warn = FALSE), collapse = '\n'); "
    "r <- engine$call('stanc', a[2], code, as.array('')); "
    "if (length(r$errors)) { cat(unlist(r$errors), sep = '\n'); quit(status = 1) }; "
    "cat(r$result, file = a[3])";

std::string run_stanc(const BuildJob& job, const Toolchain& tools, const fs::path& source,
                      const std::string& class_name, const fs::path& output,
                      const std::vector<std::string>& includes,
                      const std::function<std::string(const std::string&)>& words_of_refusal) {
  std::vector<std::string> command = {
      tools.rscript,   "--no-init-file", "--no-save",    "-e", std::string(translator(tools)),
      source.string(), class_name,       output.string()};
  command.insert(command.end(), includes.begin(), includes.end());
  const ProcessResult result = job.run(command, {{"LC_ALL", "C.UTF-8"}});
  if (result.status == 0) return read_text(output.string());
  const StanProgram& program = job.program();
  if (const std::string words = words_of_refusal(result.output); !words.empty()) {
    throw UsageError(words + advice_on_newer_stan(program, tools.stan_minor));
  }
  throw EnvironmentError(fmt::format("{}: R could not run stanc (status {}):\n{}", program.path,
                                     result.status, result.output));
}

std::string quoted_name(const std::string& file) {
  std::string quoted = fs::path(file).filename().string();
  replace_all(quoted, "\\", "\\\\");
  replace_all(quoted, "\"", "\\\"");
  return quoted;
}

// What stanc 2.21 writes, made fit for threads and for readers: the current line is kept per
// thread, an empty array may be [], and messages name the user's file.
std::string by_stanc2(const BuildJob& job, const Toolchain& tools, const fs::path& folder,
                      const std::string& class_name) {
  const StanProgram& program = job.program();
  const fs::path source = write_sources(program, folder, with_old_arrays);
  const auto words_of_refusal = [&](const std::string& report) {
    if (report.find(kRefused2) == std::string::npos) return std::string();
    return translation_error(report, program.path, program.text, class_name);
  };
  std::string code = run_stanc(job, tools, source, class_name, folder / "translated.cpp",
                               {folder.string(), program.folder}, words_of_refusal);
  replace_all(code, "static int current_statement_begin__",
              "static thread_local int current_statement_begin__");
  replace_all(code, "context__.validate_dims(", "ravi_shim::validate_dims(context__, ");
  for (const char* event : {"start", "restart", "end"}) {
    replace_all(code, fmt::format("\"{}\", \"{}\")", event, class_name),
                fmt::format("\"{}\", \"{}\")", event, quoted_name(program.path)));
  }
  return code;
}

// The places of stanc 3's text in messages, as those of the user's files.
std::string with_users_lines(const std::string& code, const JoinedProgram& joined) {
  static const std::regex place(
      R"(\(in 'string', line (\d+), column \d+( to (line \d+, )?column \d+)?\))");
  std::string result;
  auto done = code.begin();
  for (std::sregex_iterator at(code.begin(), code.end(), place), end; at != end; ++at) {
    const std::smatch& match = *at;
    const SourceLine& origin = joined.origin(std::stoul(match[1].str()));
    result.append(done, match[0].first);
    result += fmt::format("(in '{}' at line {})", quoted_name(origin.file), origin.line);
    done = match[0].second;
  }
  return result.append(done, code.end());
}

// What stanc 3 writes, made fit likewise. The shim sums in one piece, whose value is the same on
// any number of threads, and takes no times, which it would have to guard from other threads.
std::string by_stanc3(const BuildJob& job, const Toolchain& tools, const fs::path& folder,
                      const std::string& class_name) {
  const JoinedProgram joined = joined_program(job.program());
  const fs::path source = folder / "joined.stan";
  write_atomically(source, joined.text);
  const auto words_of_refusal = [&](const std::string& report) {
    static const std::regex refused(R"((Syntax|Semantic) error in 'string', line \d+)");
    if (!std::regex_search(report, refused)) return std::string();
    return translation_error(report, joined);
  };
  std::string code =
      run_stanc(job, tools, source, class_name, folder / "translated.cpp", {}, words_of_refusal);
  for (const char* sum : {"stan::math::reduce_sum<", "stan::math::reduce_sum_static<"}) {
    replace_all(code, sum, "ravi_shim::sum_in_one_piece<");
  }
  replace_all(code, "stan::math::profile<", "ravi_shim::profile<");
  return with_users_lines(code, joined);
}

void refuse_late_includes(const std::string& file, const std::string& text) {
  if (const std::size_t line = line_of_late_include(text)) {
    throw UsageError(
        fmt::format("{}:{}: #include must be the first thing in its line", file, line));
  }
}

}  // namespace

std::string_view translator(const Toolchain& tools) {
  return tools.has_stanc3() ? kStanc3 : kStanc2;
}

void translate(const BuildJob& job, const Toolchain& tools, const fs::path& folder) {
  const StanProgram& program = job.program();
  refuse_late_includes(program.path, program.text);
  for (const auto& [name, text] : program.included) refuse_late_includes(name, text);
  job.say("translating to C++");
  const std::string class_name = "model_" + identifier(program.stem);
  write_atomically(folder / "program.hpp", tools.has_stanc3()
                                               ? by_stanc3(job, tools, folder, class_name)
                                               : by_stanc2(job, tools, folder, class_name));
}

}  // namespace ravi
