// From a .stan file to a shared library in the cache.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "core/content_hash.hpp"
#include "core/file_lock.hpp"
#include "core/files.hpp"
#include "core/json_file.hpp"
#include "core/process.hpp"
#include "model/stan/array_syntax.hpp"
#include "model/stan/messages.hpp"
#include "model/stan/program.hpp"
#include "model/stan/shim.hpp"
#include "model/stan/toolchain.hpp"
#include "ravi/error.hpp"
#include "ravi/stan.hpp"

namespace ravi {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// One compilation: what to do, how to say so, and when to stop.
class Job {
 public:
  Job(const StanProgram& program, const StanOptions& options)
      : program_(program), options_(options), started_(std::chrono::steady_clock::now()) {}

  const StanProgram& program() const { return program_; }

  void say(const std::string& text) const {
    if (options_.progress) options_.progress(fmt::format("{}: {}", program_.path, text));
  }
  bool threads() const { return options_.threads; }
  bool stop_requested() const { return options_.stop_requested && *options_.stop_requested; }

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  }

  // Runs a program that must not be left half done.
  ProcessResult run(const std::vector<std::string>& command,
                    const Environment& changed = {}) const {
    ProcessResult result = run_process(command, changed, [this] { return stop_requested(); });
    if (result.stopped || stop_requested()) give_up();
    return result;
  }

  [[noreturn]] void give_up() const {
    throw EnvironmentError(fmt::format("{}: the compilation was interrupted", program_.path));
  }

  // Holds the lock of that name in the cache.
  std::unique_ptr<FileLock> lock(const fs::path& path) const {
    auto lock = std::make_unique<FileLock>(
        path, [this] { say("waiting for another process that is compiling the same"); },
        [this] { return stop_requested(); });
    if (!lock->held()) give_up();
    return lock;
  }

 private:
  const StanProgram& program_;
  const StanOptions& options_;
  std::chrono::steady_clock::time_point started_;
};

void make_cache_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && ::access(folder.c_str(), W_OK) != 0) error.assign(errno, std::generic_category());
  if (error) {
    throw EnvironmentError(fmt::format(
        "the folder for compiled models, {}, cannot be written to: {}; set XDG_CACHE_HOME to one "
        "that can be",
        folder.string(), error.message()));
  }
}

// An empty folder that is removed in the end; so is what an earlier process left when it died.
class BuildFolder {
 public:
  explicit BuildFolder(fs::path path) : path_(std::move(path)) {
    std::error_code error;
    fs::remove_all(path_, error);
    if (!error) fs::create_directories(path_, error);
    if (error) {
      throw EnvironmentError(
          fmt::format("{}: cannot be made: {}", path_.string(), error.message()));
    }
  }
  ~BuildFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  BuildFolder(const BuildFolder&) = delete;
  BuildFolder& operator=(const BuildFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void move_into_place(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) {
    throw EnvironmentError(fmt::format("{}: cannot be written: {}", to.string(), error.message()));
  }
}

// Letters, digits and underscores, so that it can be part of a C++ name.
std::string identifier(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return c > 127 || std::isalnum(c) == 0; }, '_');
  return text;
}

// Writes the program and what it includes, changed by `change`, to a folder of their own. An
// included file whose name leads out of the folder is left for the compiler to find in the user's.
template <typename Change>
fs::path write_sources(const StanProgram& program, const fs::path& folder, Change change) {
  for (const auto& [name, text] : program.included) {
    const fs::path relative = fs::path(name).lexically_normal();
    if (relative.is_absolute() || *relative.begin() == "..") continue;
    std::error_code ignored;
    const fs::path path = folder / relative;
    fs::create_directories(path.parent_path(), ignored);
    write_atomically(path, change(text));
  }
  const fs::path file = folder / (identifier(program.stem) + ".stan");
  write_atomically(file, change(program.text));
  return file;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

// --- Debian's Stan ---------------------------------------------------------------------------

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

void translate(const Job& job, const Toolchain& tools, const fs::path& folder) {
  const StanProgram& program = job.program();
  job.say("translating to C++");
  const fs::path source = write_sources(program, folder, with_old_arrays);
  const fs::path output = folder / "translated.cpp";
  const std::string name = identifier(program.stem), model = "model_" + name;
  const ProcessResult result =
      job.run({tools.rscript, "--no-init-file", "--no-save", "-e", kStanc, source.string(), name,
               output.string(), folder.string(), program.folder},
              {{"LC_ALL", "C.UTF-8"}});
  std::error_code ignored;
  if (result.status != 0 || !fs::exists(output, ignored)) {
    throw UsageError(translation_error(result.output, program.path, program.text, model));
  }
  write_atomically(folder / "program.hpp",
                   adapted(read_text(output.string()), model, program.path));
}

void write_shim(const fs::path& folder) {
  for (const ShimFile& file : shim_files()) write_atomically(folder / file.name, file.text);
}

[[noreturn]] void compiler_failed(const Job& job, const ProcessResult& result) {
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
  std::vector<std::string> parts = tools.flags;
  parts.push_back(tools.version);
  for (const ShimFile& file : shim_files()) parts.emplace_back(file.text);
  return cache / fmt::format("headers-{}", content_hash(parts));
}

// clang reads Stan's headers once and keeps what it made of them: 250 MB, for all programs.
fs::path precompiled_header(const Job& job, const Toolchain& tools, const fs::path& cache) {
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

ProcessResult compile_precompiled(const Job& job, const Toolchain& tools, const fs::path& cache,
                                  const fs::path& folder, const fs::path& library) {
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

fs::path build_with_debian(const Job& job, const Toolchain& tools, const fs::path& cache,
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

// --- The user's BridgeStan -------------------------------------------------------------------

fs::path build_with_bridgestan(const Job& job, const std::string& bridgestan,
                               const fs::path& folder) {
  const auto unchanged = [](const std::string& text) { return text; };
  const fs::path source = write_sources(job.program(), folder, unchanged);
  fs::path library = source;
  library.replace_filename(source.stem().string() + "_model.so");
  job.say(fmt::format("compiling with the BridgeStan in {}", bridgestan));
  const ProcessResult result = job.run(
      {"make", "-C", bridgestan, library.string(),
       job.threads() ? "STAN_THREADS=true" : "STAN_THREADS=",
       fmt::format("STANCFLAGS=--include-paths={},{}", folder.string(), job.program().folder)});
  std::error_code ignored;
  if (result.status == 0 && fs::exists(library, ignored)) return library;
  std::string report = result.output;
  replace_all(report, source.string(), job.program().path);
  constexpr std::size_t kShown = 3000;
  const std::string text = fmt::format("{}: BridgeStan could not compile it (status {}):\n{}",
                                       job.program().path, result.status, report.substr(0, kShown));
  // stanc's own words for errors of the program.
  for (const char* rejected : {"Syntax error in", "Semantic error in"}) {
    if (report.find(rejected) != std::string::npos) throw UsageError(text);
  }
  throw EnvironmentError(text);
}

std::string bridgestan_folder() {
  const std::string folder = variable("BRIDGESTAN");
  std::error_code ignored;
  if (!folder.empty() && !fs::exists(fs::path(folder) / "Makefile", ignored)) {
    throw EnvironmentError(fmt::format(
        "BRIDGESTAN is {}, but there is no Makefile in that folder; unset it to compile with "
        "Debian's Stan",
        folder));
  }
  return folder;
}

// What, besides the program, decides what the library is.
std::vector<std::string> build_description(const std::string& bridgestan, const Toolchain& tools,
                                           bool threads) {
  if (!bridgestan.empty()) {
    std::error_code ignored;
    const fs::path version = fs::path(bridgestan) / "src/version.hpp";
    return {"bridgestan", fs::absolute(bridgestan).string(), threads ? "threads" : "",
            fs::exists(version, ignored) ? read_text(version.string()) : ""};
  }
  std::vector<std::string> parts = tools.flags;
  parts.push_back(tools.compiler);
  parts.push_back(tools.version);
  parts.emplace_back(kStanc);
  for (const ShimFile& file : shim_files()) parts.emplace_back(file.text);
  return parts;
}

}  // namespace

std::string stan_cache_folder() {
  fs::path base = variable("XDG_CACHE_HOME");
  if (base.empty()) base = fs::path(variable("HOME")) / ".cache";
  return (base / "ravi" / "stan").string();
}

std::uintmax_t clean_stan_cache() {
  std::uintmax_t bytes = 0;
  std::error_code error;
  const fs::path folder = stan_cache_folder();
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    std::error_code ignored;
    if (entry.is_regular_file(ignored)) bytes += entry.file_size(ignored);
  }
  fs::remove_all(folder, error);
  if (error) {
    throw EnvironmentError(
        fmt::format("{}: cannot be removed: {}", folder.string(), error.message()));
  }
  return bytes;
}

std::string compile_stan(const std::string& path, const StanOptions& options) {
  const StanProgram program = read_program(path);
  const Job job(program, options);
  const std::string bridgestan = bridgestan_folder();
  const Toolchain tools = bridgestan.empty() ? find_toolchain(options.threads) : Toolchain{};

  std::vector<std::string> parts = build_description(bridgestan, tools, options.threads);
  parts.push_back(program.stem);  // messages carry it
  parts.push_back(program.text);
  for (const auto& [name, text] : program.included) {
    parts.push_back(name);
    parts.push_back(text);
  }
  const fs::path cache = stan_cache_folder();
  const std::string key = fmt::format("{}-{}", identifier(program.stem), content_hash(parts));
  const fs::path library = cache / (key + ".so");
  std::error_code ignored;
  if (fs::exists(library, ignored)) return library.string();

  make_cache_folder(cache);
  const auto lock = job.lock(cache / (key + ".lock"));
  if (fs::exists(library, ignored)) return library.string();
  const BuildFolder build(cache / (key + ".build"));
  move_into_place(bridgestan.empty() ? build_with_debian(job, tools, cache, build.path())
                                     : build_with_bridgestan(job, bridgestan, build.path()),
                  library);
  job.say(fmt::format("compiled in {:.0f} s, kept in {}", job.seconds(), cache.string()));
  return library.string();
}

}  // namespace ravi
