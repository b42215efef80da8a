// A Stan program as a Model.
#include <fmt/format.h>

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>

#include "core/json_file.hpp"
#include "core/numeric.hpp"
#include "model/data.hpp"
#include "model/stan/compile.hpp"
#include "model/stan/messages.hpp"
#include "model/stan/private_library.hpp"
#include "model/stan/program.hpp"
#include "model/stan/stan_instance.hpp"
#include "model/stan/trial.hpp"
#include "ravi/error.hpp"
#include "ravi/stan.hpp"

namespace ravi {
namespace {

// Instances for as many threads as ask at the same time. A thread-safe program needs one for all;
// of others each caller gets one to itself, made when there is no idle one. They all give the same
// numbers. Where a library cannot be copied, callers wait for the one there is.
class InstancePool {
 public:
  InstancePool(LibraryImage library, StanData data, std::uint32_t seed)
      : library_(std::move(library)), data_(std::move(data)), seed_(seed) {
    if (!library_.sealed) try_library(library_, data_, seed_);
    LoadedInstance loaded = load_instance(library_, data_, seed_);
    first_ = std::move(loaded.instance);
    shared_ = first_->thread_safe();
    can_grow_ = loaded.is_private;
    idle_ = {first_.get()};
  }

  const StanInstance& any() const { return *first_; }

  // The right to use an instance until it is given back.
  class Lease {
   public:
    Lease(const InstancePool& pool, const StanInstance* instance)
        : pool_(pool), instance_(instance) {}
    ~Lease() { pool_.give_back(instance_); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    const StanInstance* operator->() const { return instance_; }

   private:
    const InstancePool& pool_;
    const StanInstance* instance_;
  };

  Lease acquire() const {
    if (shared_) return {*this, first_.get()};
    std::unique_lock lock(mutex_);
    if (idle_.empty() && can_grow_) {
      more_.push_back(load_instance(library_, data_, seed_).instance);
      return {*this, more_.back().get()};
    }
    given_back_.wait(lock, [&] { return !idle_.empty(); });
    const StanInstance* instance = idle_.back();
    idle_.pop_back();
    return {*this, instance};
  }

 private:
  void give_back(const StanInstance* instance) const {
    if (shared_) return;
    {
      const std::lock_guard lock(mutex_);
      idle_.push_back(instance);
    }
    given_back_.notify_one();
  }

  LibraryImage library_;
  StanData data_;
  std::uint32_t seed_;
  std::unique_ptr<StanInstance> first_;
  bool shared_ = false, can_grow_ = false;
  mutable std::mutex mutex_;
  mutable std::condition_variable given_back_;
  mutable std::vector<std::unique_ptr<StanInstance>> more_;
  mutable std::vector<const StanInstance*> idle_;
};

std::vector<std::string> bracketed(const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (const std::string& name : names) result.push_back(bracketed_name(name));
  return result;
}

class StanModel final : public Model {
 public:
  StanModel(LibraryImage library, StanData data, std::vector<std::string> unread,
            const StanOptions& options)
      : unread_(std::move(unread)),
        pool_(std::move(library), std::move(data), options.seed),
        print_(options.print),
        dimension_(pool_.any().dimension()),
        parameters_(static_cast<Index>(pool_.any().names(false, false).size())),
        without_generated_(static_cast<Index>(pool_.any().names(true, false).size())),
        names_(bracketed(pool_.any().names(true, true))) {}

  Index dimension() const override { return dimension_; }
  std::vector<std::string> unconstrained_names() const override {
    return bracketed(pool_.any().unconstrained_names());
  }
  std::vector<std::string> parameter_names() const override { return names_; }
  Index judged_quantities() const override { return parameters_; }
  std::vector<std::string> unread_data() const override { return unread_; }

  void evaluate(const ConstMatrixRef& theta, VectorRef log_density,
                MatrixRef gradient) const override {
    const auto instance = pool_.acquire();
    const PrintScope printing(&print_);
    for (Index s = 0; s < theta.cols(); ++s) {
      if (instance->gradient(theta.col(s).data(), &log_density(s), gradient.col(s).data(),
                             nullptr)) {
        continue;
      }
      log_density(s) = kNan;
      gradient.col(s).setZero();
    }
  }

  void log_density(const ConstMatrixRef& theta, VectorRef values) const override {
    const auto instance = pool_.acquire();
    const PrintScope printing(&print_);
    for (Index s = 0; s < theta.cols(); ++s) {
      if (!instance->log_density(theta.col(s).data(), &values(s))) values(s) = kNan;
    }
  }

  std::string why_not_computable(const ConstVectorRef& theta) const override {
    const auto instance = pool_.acquire();
    const PrintScope quiet(nullptr);
    double log_density = kNan;
    Vector gradient(dimension_), values(static_cast<Index>(names_.size()));
    std::string message;
    if (instance->gradient(theta.data(), &log_density, gradient.data(), &message)) {
      if (!std::isfinite(log_density)) {
        return fmt::format("the log density is {}", log_density);
      }
      if (!gradient.allFinite()) return "the gradient is not finite";
      instance->generator(1)->draw(theta.data(), values.data(), &message);
    }
    return readable_message(message);
  }

  // Where a generated quantity fails, the parameters and transformed parameters are there all the
  // same.
  void constrain(const ConstMatrixRef& theta, MatrixRef quantities,
                 std::uint32_t seed) const override {
    const auto instance = pool_.acquire();
    const PrintScope printing(&print_);
    const auto generator = instance->generator(seed);
    for (Index s = 0; s < theta.cols(); ++s) {
      const double* point = theta.col(s).data();
      double* values = quantities.col(s).data();
      if (generator->draw(point, values, nullptr)) continue;
      quantities.col(s).setConstant(kNan);
      if (!instance->constrain(point, values, nullptr)) {
        quantities.col(s).head(without_generated_).setConstant(kNan);
      }
    }
  }

 private:
  std::vector<std::string> unread_;
  InstancePool pool_;
  std::function<void(std::string_view)> print_;
  Index dimension_, parameters_, without_generated_;
  std::vector<std::string> names_;
};

nlohmann::json nested(const Variable& variable, std::size_t depth, std::size_t& position) {
  if (depth == variable.dimensions.size()) {
    const double value = variable.values[position++];
    return variable.whole ? nlohmann::json(static_cast<std::int64_t>(value))
                          : nlohmann::json(value);
  }
  auto array = nlohmann::json::array();
  for (Index i = 0; i < variable.dimensions[depth]; ++i) {
    array.push_back(nested(variable, depth + 1, position));
  }
  return array;
}

// A table's columns, and N, the number of its rows, which a program cannot do without.
std::string json_of_table(const Data& table) {
  auto j = nlohmann::json::object();
  for (const Variable& variable : table.variables()) {
    std::size_t position = 0;
    j[variable.name] = nested(variable, 0, position);
  }
  if (!table.has("N")) j["N"] = table.variables()[0].dimensions[0];
  return j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

StanData data_of(const std::string& data) {
  if (data.empty()) return {.source = "without data"};
  if (data.front() == '{') return {.text = data, .source = "data", .has_names = true};
  if (std::filesystem::path(data).extension() == ".json") {
    return {read_text(data), data, data, true};
  }
  const Data table = read_data(data);
  if (table.variables()[0].file) {
    throw UsageError(fmt::format(
        "{}: has no names, but a Stan program needs them: write a .json or a .csv file", data));
  }
  return {.text = json_of_table(table), .source = data};
}

// The keys of the outermost object of a JSON text, as they are written. What is no JSON is for the
// program's own reader to refuse.
std::vector<std::string> outermost_keys(std::string_view text) {
  std::vector<std::string> keys;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c != '"') continue;
    const std::size_t first = i + 1;
    while (++i < text.size() && text[i] != '"') {
      if (text[i] == '\\') ++i;
    }
    const std::size_t next = text.find_first_not_of(" \t\r\n", std::min(i + 1, text.size()));
    if (depth == 1 && next != text.npos && text[next] == ':') {
      keys.emplace_back(text.substr(first, i - first));
    }
  }
  return keys;
}

// A table has columns that a program leaves alone; what is named one by one is meant to be read.
std::vector<std::string> unread_by(const StanProgram& program, const StanData& data) {
  std::vector<std::string> unread;
  if (!data.has_names) return unread;
  const auto words = words_of_data(program);
  for (std::string& key : outermost_keys(data.text)) {
    if (!words.contains(key)) unread.push_back(std::move(key));
  }
  return unread;
}

}  // namespace

bool is_stan_path(std::string_view name) {
  const std::filesystem::path extension = std::filesystem::path(name).extension();
  return extension == ".stan" || extension == ".so";
}

std::unique_ptr<Model> stan_model(const std::string& path, const std::string& data,
                                  const StanOptions& options) {
  const StanData content = data_of(data);
  if (std::filesystem::path(path).extension() != ".stan") {
    return std::make_unique<StanModel>(read_library(path), content, std::vector<std::string>{},
                                       options);
  }
  const std::vector<std::string> unread = unread_by(read_program(path), content);
  try {
    return std::make_unique<StanModel>(compiled_library(path, options), content, unread, options);
  } catch (const NoRoomForThreadLocals&) {
    StanOptions portable = options;
    portable.portable = true;
    return std::make_unique<StanModel>(compiled_library(path, portable), content, unread, options);
  }
}

}  // namespace ravi
