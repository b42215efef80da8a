// Compiles a Stan program with Debian's Stan: stanc inside R, then clang or g++ with the shim.
#include <system_error>

#include "core/content_hash.hpp"
#include "core/files.hpp"
#include "core/json_file.hpp"
#include "model/stan/array_syntax.hpp"
#include "model/stan/build_job.hpp"
#include "model/stan/messages.hpp"
#include "model/stan/newer_stan.hpp"
#include "model/stan/shim.hpp"
#include "ravi/error.hpp"

namespace ravi {
namespace {

namespace fs = std::filesystem;

// stanc, inside R. Arguments: program, name of the model, output, folders of includes.
constexpr const char* kStanc =
    "a <- commandArgs(TRUE); "
    "r <- rstan::stanc(file = a[1], model_name = a[2], obfuscate_model_name = FALSE, "
    "isystem = a[-(1:3)]); "
    "cat(r$cppcode, file = a[3])";

// What stanc writes, made fit for threads and for readers: the current line is kept per thread, an
// empty array may be [], and messages name the user's file.
std::string adapted(std::string code, const std::string& model, const std::string& file) {
  replace_all(code, "static int current_statement_begin__",
              "static thread_local int current_statement_begin__");
  replace_all(code, "context__.validate_dims(", "ravi_shim::validate_dims(context__, ");
  std::string quoted = fs::path(file).filename().string();
  replace_all(quoted, "\\", "\\\\");
  replace_all(quoted, "\"", "\\\"");
  for (const char* event : {"start", "restart", "end"}) {
    replace_all(code, fmt::format("\"{}\", \"{}\")", event, model),
                fmt::format("\"{}\", \"{}\")", event, quoted));
  }
  return code;
}

void refuse_late_includes(const std::string& file, const std::string& text) {
  if (const std::size_t line = line_of_late_include(text)) {
    throw UsageError(fmt::format(
        "{}:{}: #include must be the first thing in its line, or Stan 2.21 takes it for a comment",
        file, line));
  }
}

void translate(const BuildJob& job, const Toolchain& tools, const fs::path& folder) {
  const StanProgram& program = job.program();
  refuse_late_includes(program.path, program.text);
  for (const auto& [name, text] : program.included) refuse_late_includes(name, text);
  job.say("translating to C++");
  const fs::path source = write_sources(program, folder, with_old_arrays);
  const fs::path output = folder / "translated.cpp";
  const std::string name = identifier(program.stem), model = "model_" + name;
  const ProcessResult result =
      job.run({tools.rscript, "--no-init-file", "--no-save", "-e", kStanc, source.string(), name,
               output.string(), folder.string(), program.folder},
              {{"LC_ALL", "C.UTF-8"}});
  if (result.status != 0) {
    const bool rejected = result.output.find("failed to parse Stan model") != std::string::npos;
    if (rejected) {
      throw UsageError(translation_error(result.output, program.path, program.text, model) +
                       advice_on_newer_stan(program));
    }
    throw EnvironmentError(fmt::format("{}: R could not run stanc (status {}):\n{}", program.path,
                                       result.status, result.output));
  }
  write_atomically(folder / "program.hpp",
                   adapted(read_text(output.string()), model, program.path));
}

void write_shim(const fs::path& folder) {
  for (const ShimFile& file : shim_files()) write_atomically(folder / file.name, file.text);
}

[[noreturn]] void compiler_failed(const BuildJob& job, const ProcessResult& result) {
  const std::size_t first_error = result.output.find("error:");
  const std::size_t line =
      first_error == std::string::npos ? 0 : result.output.rfind('\n', first_error) + 1;
  constexpr std::size_t kShown = 2000;
  throw EnvironmentError(fmt::format("{}: the C++ compiler failed (status {}):\n{}",
                                     job.program().path, result.status,
                                     result.output.substr(line, kShown)));
}

std::vector<std::string> compiler_command(const Toolchain& tools,
                                          const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {tools.compiler};
  command.insert(command.end(), tools.flags.begin(), tools.flags.end());
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

fs::path header_folder(const Toolchain& tools, const fs::path& cache) {
  return cache / fmt::format("headers-{}", content_hash(debian_build_description(tools)));
}

// clang reads Stan's headers once and keeps what it made of them: 250 MB, for all programs.
fs::path precompiled_header(const BuildJob& job, const Toolchain& tools, const fs::path& cache) {
  const fs::path folder = header_folder(tools, cache), header = folder / "stan_headers.pch";
  std::error_code ignored;
  if (fs::exists(header, ignored)) return header;
  const auto lock = job.lock(folder.string() + ".lock");
  if (fs::exists(header, ignored)) return header;
  job.say("preparing Stan's headers (once on this machine, about half a minute)");
  fs::remove_all(folder, ignored);
  fs::create_directories(folder, ignored);
  write_shim(folder);
  const fs::path unfinished = folder / "unfinished.pch";
  const ProcessResult result = job.run(
      compiler_command(tools, {"-fpch-instantiate-templates", "-x", "c++-header",
                               (folder / "stan_headers.hpp").string(), "-o", unfinished.string()}));
  if (result.status != 0) compiler_failed(job, result);
  move_into_place(unfinished, header);
  return header;
}

std::vector<std::string> link_command(const Toolchain& tools, const fs::path& folder,
                                      const fs::path& library) {
  std::vector<std::string> command = compiler_command(
      tools, {"-shared", (folder / "bridgestan.cpp").string(), "-o", library.string()});
  command.insert(command.end(), tools.libraries.begin(), tools.libraries.end());
  return command;
}

ProcessResult compile_precompiled(const BuildJob& job, const Toolchain& tools,
                                  const fs::path& cache, const fs::path& folder,
                                  const fs::path& library) {
  const fs::path header = precompiled_header(job, tools, cache);
  // The header must be found under the path it was precompiled from.
  std::error_code ignored;
  fs::remove(folder / "stan_headers.hpp", ignored);
  job.say("compiling with clang");
  std::vector<std::string> command = link_command(tools, folder, library);
  command.insert(command.end(),
                 {"-include-pch", header.string(), "-I", header.parent_path().string()});
  return job.run(command);
}

}  // namespace

fs::path build_with_debian(const BuildJob& job, const Toolchain& tools, const fs::path& cache,
                           const fs::path& folder) {
  translate(job, tools, folder);
  write_shim(folder);
  const fs::path library = folder / "model.so";
  ProcessResult result;
  if (tools.precompiles) {
    result = compile_precompiled(job, tools, cache, folder, library);
    // An update of the system's headers makes what was precompiled from them useless.
    if (result.status != 0 && result.output.find("precompiled header") != std::string::npos) {
      std::error_code ignored;
      fs::remove(header_folder(tools, cache) / "stan_headers.pch", ignored);
      result = compile_precompiled(job, tools, cache, folder, library);
    }
  } else {
    job.say("compiling with g++ (about 40 s; with clang it would be a quarter of that)");
    result = job.run(link_command(tools, folder, library));
  }
  if (result.status != 0) compiler_failed(job, result);
  return library;
}

std::vector<std::string> debian_build_description(const Toolchain& tools) {
  std::vector<std::string> parts = tools.flags;
  parts.push_back(tools.compiler);
  parts.push_back(tools.version);
  parts.emplace_back(kStanc);
  for (const ShimFile& file : shim_files()) parts.emplace_back(file.text);
  return parts;
}

}  // namespace ravi
