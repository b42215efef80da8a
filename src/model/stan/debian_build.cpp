// Compiles a Stan program with Debian's Stan: what stanc made of it, by clang or g++, with the
// shim.
#include <system_error>

#include "core/content_hash.hpp"
#include "core/files.hpp"
#include "model/stan/build_job.hpp"
#include "model/stan/shim.hpp"
#include "model/stan/translate.hpp"
#include "ravi/error.hpp"

namespace ravi {
namespace {

namespace fs = std::filesystem;

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
  parts.emplace_back(translator(tools));
  for (const ShimFile& file : shim_files()) parts.emplace_back(file.text);
  return parts;
}

}  // namespace ravi
