// Options of a fit from the command line and from config files.
#include "ravi/flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/json_file.hpp"
#include "core/registry.hpp"
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
  if (!object.is_object()) throw UsageError(fmt::format("{}: expected an object of options", path));
  for (const auto& [key, value] : object.items()) {
    set_option(options, key, as_text(value), fmt::format("{}: {}", path, key));
  }
}

void apply_toml(const std::string& path, Options& options) {
  std::istringstream text(read_text(path));
  for (const CLI::ConfigItem& item : CLI::ConfigTOML().from_config(text)) {
    const std::string label = fmt::format("{}: {}", path, item.name);
    if (!item.parents.empty() || item.inputs.size() != 1) {
      throw UsageError(fmt::format("{}: expected 'name = value' without sections", label));
    }
    set_option(options, item.name, item.inputs[0], label);
  }
}

}  // namespace

std::string flag_of(std::string_view field) {
  std::string flag = "--" + std::string(field);
  std::ranges::replace(flag, '_', '-');
  return flag;
}

void add_flags(CLI::App& app, GivenFlags& given) {
  Options defaults;
  visit_fields(defaults, [&](const Field& field, const auto&) {
    const std::string name(field.name);
    app.add_option_function<std::string>(
           flag_of(name),
           [&given, name](const std::string& text) { given.emplace_back(name, text); },
           option_help(name))
        ->type_name("");
  });
}

void apply_flags(const GivenFlags& given, Options& options) {
  for (const auto& [field, text] : given) set_option(options, field, text, flag_of(field));
}

void apply_config(const std::string& path, Options& options) {
  if (path.ends_with(".json")) return apply_json(path, options);
  if (path.ends_with(".toml")) return apply_toml(path, options);
  throw UsageError(fmt::format("--config {}: the file must end in .json or .toml", path));
}

bool parse(CLI::App& app, const std::vector<std::string>& args, std::ostream& out) {
  app.allow_extras();
  app.get_formatter()->column_width(26);
  try {
    app.parse(std::vector<std::string>(args.rbegin(), args.rend()));  // CLI11 wants them reversed
  } catch (const CLI::CallForHelp&) {
    out << app.help();
    return true;
  } catch (const CLI::ArgumentMismatch& e) {
    const std::string text = e.what();  // "--chains: 1 required ..."
    throw UsageError(fmt::format("{} needs a value", text.substr(0, text.find(':'))));
  } catch (const CLI::ParseError& e) {
    throw UsageError(e.what());
  }
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& value : option->results()) {
      if (!value.starts_with("--")) continue;
      throw UsageError(
          fmt::format("{} needs a value, but '{}' follows", option->get_name(), value));
    }
  }
  const std::vector<std::string> extras = app.remaining();
  if (extras.empty()) return false;
  const auto option =
      std::ranges::find_if(extras, [](const auto& x) { return x.starts_with('-'); });
  if (option == extras.end()) {
    throw UsageError(fmt::format("'{}' is one argument too many", extras.front()));
  }
  std::vector<std::string> names;
  for (const CLI::Option* o : app.get_options()) {
    for (const std::string& name : o->get_lnames()) names.push_back("--" + name);
  }
  const std::string word = option->substr(0, option->find('='));
  const std::string close = nearest(word, names);
  throw UsageError(fmt::format("no option is called '{}'{}; '{} --help' lists them", word,
                               close.empty() ? "" : fmt::format(", did you mean '{}'?", close),
                               app.get_name()));
}

}  // namespace ravi::cli
