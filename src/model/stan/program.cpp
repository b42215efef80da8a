// Reads a Stan program and what it includes.
#include "model/stan/program.hpp"

#include <filesystem>

#include "core/json_file.hpp"
#include "model/stan/array_syntax.hpp"

namespace ravi {
namespace {

void add_includes(const std::string& text, StanProgram& program) {
  for (const std::string& name : included_files(text)) {
    std::error_code ignored;
    const std::filesystem::path path = std::filesystem::path(program.folder) / name;
    if (program.included.contains(name) || !std::filesystem::exists(path, ignored)) continue;
    const std::string& more = program.included[name] = read_text(path.string());
    add_includes(more, program);
  }
}

}  // namespace

StanProgram read_program(const std::string& path) {
  const std::filesystem::path file = std::filesystem::absolute(path);
  StanProgram program{.path = path,
                      .folder = file.parent_path().string(),
                      .stem = file.stem().string(),
                      .text = read_text(path),
                      .included = {}};
  add_includes(program.text, program);
  return program;
}

}  // namespace ravi
