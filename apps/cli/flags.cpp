// Options of a fit from the command line and from config files.
#include "cli/flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>

#include "core/json_file.hpp"
#include "core/registry.hpp"
#include "core/safe_text.hpp"
#include "output/option_help.hpp"

namespace ravi::cli {
namespace {

// A config value as the text a user would type.
std::string as_text(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

void apply_json(const std::string& path, Options& options) {
  const nlohmann::json file = read_json(path);
  const nlohmann::json& object =
      file.is_object() && file.contains("options") ? file["options"] : file;
  if (!object.is_object())
    throw UsageError(fmt::format("{}: expected an object of options", safe_line(path)));
  for (const auto& [key, value] : object.items()) {
    set_option(options, key, as_text(value),
               fmt::format("{}: {}", safe_line(path), safe_line(key)));
  }
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// What a line of TOML sets: name and value; both empty for a blank line or a comment. Of TOML only
// what options need: bare or quoted names, numbers, words, and strings in quotes on one line.
struct TomlLine {
  std::string name, value;
};

std::optional<TomlLine> toml_line(std::string_view line) {
  const auto token = [&](std::string_view stops) -> std::optional<std::string> {
    line = trimmed(line);
    const bool quoted = line.starts_with('"') || line.starts_with('\'');
    const std::size_t end =
        quoted ? line.find(line[0], 1) : std::min(line.find_first_of(stops), line.size());
    if (end == std::string_view::npos) return std::nullopt;
    const std::string text(trimmed(line.substr(quoted ? 1 : 0, quoted ? end - 1 : end)));
    line = trimmed(line.substr(end + (quoted ? 1 : 0)));
    if (text.empty() || text.find_first_of("[]{}\"'\\") != std::string::npos) return std::nullopt;
    if (!quoted && text.find_first_of(" \t") != std::string::npos) return std::nullopt;
    return text;
  };
  line = trimmed(line);
  if (line.empty() || line.starts_with('#')) return TomlLine{};
  const auto name = token("=#");
  if (!name || !line.starts_with('=')) return std::nullopt;
  line.remove_prefix(1);
  const auto value = token("=#");
  if (!value || (!line.empty() && !line.starts_with('#'))) return std::nullopt;
  return TomlLine{*name, *value};
}

void apply_toml(const std::string& path, Options& options) {
  const std::string text = read_text(path);
  std::istringstream lines(text);
  std::set<std::string> seen;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string place = fmt::format("{}:{}", safe_line(path), ++number);
    const auto item = toml_line(line);
    if (!item) throw UsageError(fmt::format("{}: expected 'name = value'", place));
    if (item->name.empty()) continue;
    if (!seen.insert(item->name).second) {
      throw UsageError(fmt::format("{}: {} is given twice", place, safe_line(item->name)));
    }
    set_option(options, item->name, item->value,
               fmt::format("{}: {}", place, safe_line(item->name)));
  }
}

}  // namespace

std::string flag_of(std::string_view field) {
  std::string flag = "--" + std::string(field);
  std::ranges::replace(flag, '_', '-');
  return flag;
}

void add_flags(CommandLine& line, GivenFlags& given) {
  Options defaults;
  visit_fields(defaults, [&](const Field& field, const auto&) {
    const std::string name(field.name);
    line.option(
        flag_of(name), [&given, name](const std::string& text) { given.emplace_back(name, text); },
        option_help(name));
  });
}

void apply_flags(const GivenFlags& given, Options& options) {
  for (const auto& [field, text] : given) set_option(options, field, text, flag_of(field));
}

void apply_config(const std::string& path, Options& options) {
  if (path.ends_with(".json")) return apply_json(path, options);
  if (path.ends_with(".toml")) return apply_toml(path, options);
  throw UsageError(
      fmt::format("--config {}: the file must end in .json or .toml", safe_line(path)));
}

std::string fit_file(const std::string& path) {
  std::error_code ignored;
  const bool folder = std::filesystem::is_directory(path, ignored);
  return folder ? (std::filesystem::path(path) / "fit.json").string() : path;
}

}  // namespace ravi::cli
