// Options of a fit from the command line and from config files.
#include "ravi/flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>

#include "algorithm/methods.hpp"
#include "algorithm/search.hpp"
#include "core/json_file.hpp"
#include "core/registry.hpp"
#include "family/approximation.hpp"
#include "optimizer/optimizer.hpp"

namespace ravi::cli {

template <typename Number>
Number parse_number(const std::string& text, std::string_view label, std::string_view or_else) {
  Number parsed{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, parsed);
  if (error == std::errc{} && stop == end) return parsed;
  const char* kind = std::is_floating_point_v<Number> ? "a number"
                     : std::is_unsigned_v<Number>     ? "a whole number from 0"
                                                      : "a whole number";
  const char* why = error == std::errc::result_out_of_range ? ", which is out of range" : "";
  const std::string other = or_else.empty() ? "" : fmt::format(" or '{}'", or_else);
  throw UsageError(fmt::format("{} expects {}{}, got '{}'{}", label, kind, other, text, why));
}

template int parse_number(const std::string&, std::string_view, std::string_view);
template double parse_number(const std::string&, std::string_view, std::string_view);
template std::uint64_t parse_number(const std::string&, std::string_view, std::string_view);

namespace {

template <typename Value>
Value parse_value(const Field& field, const std::string& text, std::string_view label) {
  if constexpr (std::is_same_v<Value, int>) {
    if (field.may_be_auto) {
      return text == kAutoWord ? kAuto : parse_number<Value>(text, label, kAutoWord);
    }
  }
  if constexpr (std::is_arithmetic_v<Value>) {
    return parse_number<Value>(text, label);
  } else {
    return text;
  }
}

std::string choices_of(std::string_view field) {
  std::vector<std::string> names;
  if (field == "family") names = names_of(family_registry());
  if (field == "method") names = names_of(method_registry());
  if (field == "stop") names = names_of(stop_registry());
  if (field == "optimizer") names = names_of(optimizer_registry());
  return names.empty() ? "" : fmt::format(": {}", fmt::join(names, ", "));
}

// "robust 0.25, paper 0.01", for an option whose value depends on the method.
std::string values_by_method(std::string_view name) {
  std::vector<std::string> values;
  for (const MethodEntry& method : method_registry()) {
    const Options own = method.own({}, 1);
    visit_fields(own, [&](const Field& field, const auto& value) {
      if (field.name != name || left_open(value)) return;
      values.push_back(fmt::format("{} {}", method.name, value));
    });
  }
  return fmt::format("{}", fmt::join(values, ", "));
}

// "step size  [eta = 0.01]": meaning, choices, the paper's symbol and the default.
template <typename Value>
std::string help_of(const Field& field, const Value& standard) {
  const std::string symbol = field.symbol.empty() ? "" : fmt::format("{} = ", field.symbol);
  const std::string value =
      field.by_method ? values_by_method(field.name) : fmt::format("{}", standard);
  return fmt::format("{}{}  [{}{}]", field.meaning, choices_of(field.name), symbol, value);
}

std::vector<std::string> field_names() {
  std::vector<std::string> names;
  Options options;
  visit_fields(options, [&](const Field& field, auto&) { names.emplace_back(field.name); });
  return names;
}

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

void set_option(Options& options, std::string_view field, const std::string& text,
                std::string_view label) {
  std::string name(field);
  std::ranges::replace(name, '-', '_');
  bool known = false;
  visit_fields(options, [&](const Field& f, auto& member) {
    if (f.name != name) return;
    member = parse_value<std::decay_t<decltype(member)>>(f, text, label);
    known = true;
  });
  if (!known)
    throw UsageError(fmt::format("{}: {}", label, no_such_name("option", field, field_names())));
}

void add_flags(CLI::App& app, GivenFlags& given) {
  Options defaults;
  visit_fields(defaults, [&](const Field& field, const auto& value) {
    const std::string name(field.name);
    app.add_option_function<std::string>(
           flag_of(name),
           [&given, name](const std::string& text) { given.emplace_back(name, text); },
           help_of(field, value))
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
