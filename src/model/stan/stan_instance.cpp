// BridgeStan's C interface, versions 1.0 and 2.
#include "model/stan/stan_instance.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <mutex>
#include <sstream>

#include "core/files.hpp"
#include "model/stan/messages.hpp"
#include "ravi/error.hpp"

namespace ravi {
namespace {

struct BsModel;
struct BsRng;

thread_local PrintScope* current_scope = nullptr;

void forward_print(const char* text, std::size_t size) {
  if (current_scope != nullptr) current_scope->add({text, size});
}

std::string text_or_empty(const char* text) { return text == nullptr ? "" : text; }

std::vector<std::string> split_names(const char* text) {
  std::vector<std::string> names;
  std::istringstream stream(text_or_empty(text));
  for (std::string name; std::getline(stream, name, ',');) names.push_back(name);
  return names;
}

// The functions of a library by name; each is checked when it is asked for.
class Symbols {
 public:
  Symbols(const std::string& path, void* handle) : path_(path), handle_(handle) {}

  bool has(const char* name) const { return ::dlsym(handle_, name) != nullptr; }

  template <typename Pointer>
  void get(const char* name, Pointer& pointer) const {
    void* address = ::dlsym(handle_, name);
    if (address == nullptr) {
      throw UsageError(fmt::format(
          "{}: is no Stan model: the library does not export {} of the BridgeStan interface", path_,
          name));
    }
    pointer = reinterpret_cast<Pointer>(address);
  }

  int number(const char* name) const {
    const int* value = nullptr;
    get(name, value);
    return *value;
  }

 private:
  const std::string& path_;
  void* handle_;
};

// What both versions have in common.
struct CommonFunctions {
  const char* (*name)(const BsModel*);
  const char* (*model_info)(const BsModel*);
  const char* (*param_names)(const BsModel*, bool, bool);
  const char* (*param_unc_names)(const BsModel*);
  int (*param_num)(const BsModel*, bool, bool);
  int (*param_unc_num)(const BsModel*);

  explicit CommonFunctions(const Symbols& symbols) {
    symbols.get("bs_name", name);
    symbols.get("bs_model_info", model_info);
    symbols.get("bs_param_names", param_names);
    symbols.get("bs_param_unc_names", param_unc_names);
    symbols.get("bs_param_num", param_num);
    symbols.get("bs_param_unc_num", param_unc_num);
  }
};

class CommonInstance : public StanInstance {
 public:
  explicit CommonInstance(const Symbols& symbols) : common_(symbols) {}

  std::string name() const override { return text_or_empty(common_.name(model_)); }
  std::string info() const override { return text_or_empty(common_.model_info(model_)); }
  int dimension() const override { return common_.param_unc_num(model_); }
  int size(bool tp, bool gq) const override { return common_.param_num(model_, tp, gq); }
  std::vector<std::string> unconstrained_names() const override {
    return split_names(common_.param_unc_names(model_));
  }
  std::vector<std::string> names(bool tp, bool gq) const override {
    return split_names(common_.param_names(model_, tp, gq));
  }

 protected:
  const BsModel* model_ = nullptr;

 private:
  CommonFunctions common_;
};

struct FunctionsV2 {
  BsModel* (*construct)(const char*, unsigned, char**);
  void (*destruct)(BsModel*);
  void (*free_error)(char*);
  int (*log_density)(const BsModel*, bool, bool, const double*, double*, char**);
  int (*gradient)(const BsModel*, bool, bool, const double*, double*, double*, char**);
  int (*constrain)(const BsModel*, bool, bool, const double*, double*, BsRng*, char**);
  BsRng* (*rng_construct)(unsigned, char**);
  void (*rng_destruct)(BsRng*);

  explicit FunctionsV2(const Symbols& symbols) {
    symbols.get("bs_model_construct", construct);
    symbols.get("bs_model_destruct", destruct);
    symbols.get("bs_free_error_msg", free_error);
    symbols.get("bs_log_density", log_density);
    symbols.get("bs_log_density_gradient", gradient);
    symbols.get("bs_param_constrain", constrain);
    symbols.get("bs_rng_construct", rng_construct);
    symbols.get("bs_rng_destruct", rng_destruct);
  }

  // Takes over the text that the library allocated.
  std::string take(char* error) const {
    if (error == nullptr) return "";
    std::string text = error;
    free_error(error);
    return text;
  }
};

class GeneratorV2 final : public StanGenerator {
 public:
  GeneratorV2(const FunctionsV2& functions, const BsModel* model, unsigned seed)
      : functions_(functions), model_(model), rng_(functions.rng_construct(seed, nullptr)) {}
  ~GeneratorV2() override {
    if (rng_ != nullptr) functions_.rng_destruct(rng_);
  }
  GeneratorV2(const GeneratorV2&) = delete;
  GeneratorV2& operator=(const GeneratorV2&) = delete;

  bool draw(const double* theta, double* values, std::string* message) override {
    if (rng_ == nullptr) return false;
    char* error = nullptr;
    const int status =
        functions_.constrain(model_, true, true, theta, values, rng_, message ? &error : nullptr);
    if (status != 0 && message) *message = functions_.take(error);
    return status == 0;
  }

 private:
  const FunctionsV2& functions_;
  const BsModel* model_;
  BsRng* rng_;
};

class InstanceV2 final : public CommonInstance {
 public:
  InstanceV2(const Symbols& symbols, const StanData& data, std::uint32_t seed)
      : CommonInstance(symbols), functions_(symbols) {
    version_ = fmt::format("{}.{}.{}", symbols.number("bs_major_version"),
                           symbols.number("bs_minor_version"), symbols.number("bs_patch_version"));
    if (symbols.has("bs_set_print_callback")) {
      int (*set_print)(void (*)(const char*, std::size_t), char**) = nullptr;
      symbols.get("bs_set_print_callback", set_print);
      set_print(forward_print, nullptr);
    }
    char* error = nullptr;
    owned_ = functions_.construct(data.text.c_str(), seed, &error);
    model_ = owned_;
    const std::string message = functions_.take(error);
    if (owned_ == nullptr) {
      throw UsageError(fmt::format("{}: {}", data.source, readable_message(message)));
    }
  }
  ~InstanceV2() override { functions_.destruct(owned_); }
  InstanceV2(const InstanceV2&) = delete;
  InstanceV2& operator=(const InstanceV2&) = delete;

  std::string interface_version() const override { return version_; }

  bool gradient(const double* theta, double* log_density, double* gradient,
                std::string* message) const override {
    char* error = nullptr;
    const int status = functions_.gradient(model_, false, true, theta, log_density, gradient,
                                           message ? &error : nullptr);
    if (status != 0 && message) *message = functions_.take(error);
    return status == 0;
  }
  bool log_density(const double* theta, double* value) const override {
    return functions_.log_density(model_, false, true, theta, value, nullptr) == 0;
  }

  bool constrain(const double* theta, double* values, std::string* message) const override {
    char* error = nullptr;
    const int status = functions_.constrain(model_, true, false, theta, values, nullptr,
                                            message ? &error : nullptr);
    if (status != 0 && message) *message = functions_.take(error);
    return status == 0;
  }

  std::unique_ptr<StanGenerator> generator(std::uint32_t seed) const override {
    return std::make_unique<GeneratorV2>(functions_, model_, seed);
  }

 private:
  FunctionsV2 functions_;
  std::string version_;
  BsModel* owned_ = nullptr;
};

// Version 1.0 tells nothing about errors (it prints them), wants its data in a file, and keeps one
// random number generator inside the model.
struct FunctionsV1 {
  BsModel* (*construct)(const char*, unsigned, unsigned);
  int (*destruct)(BsModel*);
  int (*log_density)(const BsModel*, bool, bool, const double*, double*);
  int (*gradient)(const BsModel*, bool, bool, const double*, double*, double*);
  int (*constrain)(const BsModel*, bool, bool, const double*, double*);

  explicit FunctionsV1(const Symbols& symbols) {
    symbols.get("bs_construct", construct);
    symbols.get("bs_destruct", destruct);
    symbols.get("bs_log_density", log_density);
    symbols.get("bs_log_density_gradient", gradient);
    symbols.get("bs_param_constrain", constrain);
  }
};

constexpr const char* kSilent = "the library (BridgeStan 1.0) does not say why";

// A model of its own, because that is where the seed goes.
class GeneratorV1 final : public StanGenerator {
 public:
  GeneratorV1(const FunctionsV1& functions, const std::string& data_file, unsigned seed)
      : functions_(functions), model_(functions.construct(data_file.c_str(), seed, 0)) {}
  ~GeneratorV1() override {
    if (model_ != nullptr) functions_.destruct(model_);
  }
  GeneratorV1(const GeneratorV1&) = delete;
  GeneratorV1& operator=(const GeneratorV1&) = delete;

  bool draw(const double* theta, double* values, std::string* message) override {
    const bool drawn =
        model_ != nullptr && functions_.constrain(model_, true, true, theta, values) == 0;
    if (!drawn && message) *message = kSilent;
    return drawn;
  }

 private:
  const FunctionsV1& functions_;
  BsModel* model_;
};

class InstanceV1 final : public CommonInstance {
 public:
  InstanceV1(const Symbols& symbols, const StanData& data, std::uint32_t seed)
      : CommonInstance(symbols), functions_(symbols), data_file_(data.json_file) {
    if (data_file_.empty() && !data.text.empty()) {
      data_file_ = own_file_ =
          (std::filesystem::temp_directory_path() /
           fmt::format("ravi-data-{}-{}.json", ::getpid(), static_cast<const void*>(this)))
              .string();
      write_atomically(own_file_, data.text);
    }
    owned_ = functions_.construct(data_file_.c_str(), seed, 0);
    model_ = owned_;
    if (owned_ == nullptr) {
      remove_own_file();
      throw UsageError(
          fmt::format("{}: the model cannot be built from it; {}", data.source, kSilent));
    }
  }
  ~InstanceV1() override {
    functions_.destruct(owned_);
    remove_own_file();
  }
  InstanceV1(const InstanceV1&) = delete;
  InstanceV1& operator=(const InstanceV1&) = delete;

  std::string interface_version() const override { return "1.0"; }

  bool gradient(const double* theta, double* log_density, double* gradient,
                std::string* message) const override {
    const int status = functions_.gradient(model_, false, true, theta, log_density, gradient);
    if (status != 0 && message) *message = kSilent;
    return status == 0;
  }
  bool log_density(const double* theta, double* value) const override {
    return functions_.log_density(model_, false, true, theta, value) == 0;
  }
  bool constrain(const double* theta, double* values, std::string* message) const override {
    const int status = functions_.constrain(model_, true, false, theta, values);
    if (status != 0 && message) *message = kSilent;
    return status == 0;
  }
  std::unique_ptr<StanGenerator> generator(std::uint32_t seed) const override {
    return std::make_unique<GeneratorV1>(functions_, data_file_, seed);
  }

 private:
  void remove_own_file() const {
    if (!own_file_.empty()) ::unlink(own_file_.c_str());
  }

  FunctionsV1 functions_;
  std::string data_file_, own_file_;
  BsModel* owned_ = nullptr;
};

// The sizes of what is handed to the library to be filled are its own word, and must fit together.
std::unique_ptr<StanInstance> checked(const std::string& path,
                                      std::unique_ptr<StanInstance> instance) {
  const auto check = [&](const char* what, const std::vector<std::string>& names, int size) {
    if (static_cast<long>(names.size()) == size) return;
    throw UsageError(fmt::format("{}: contradicts itself: it has {} {}, but names {} of them", path,
                                 size, what, names.size()));
  };
  check("unconstrained parameters", instance->unconstrained_names(), instance->dimension());
  for (const bool gq : {false, true}) {
    for (const bool tp : {false, true}) {
      check("quantities", instance->names(tp, gq), instance->size(tp, gq));
    }
  }
  if (instance->size(false, false) > instance->size(true, false) ||
      instance->size(true, false) > instance->size(true, true)) {
    throw UsageError(fmt::format(
        "{}: contradicts itself: it has {} parameters, {} with transformed parameters, {} with "
        "generated quantities",
        path, instance->size(false, false), instance->size(true, false),
        instance->size(true, true)));
  }
  return instance;
}

}  // namespace

bool StanInstance::thread_safe() const {
  return info().find("STAN_THREADS=true") != std::string::npos;
}

LoadedInstance load_instance(const LibraryImage& image, const StanData& data, std::uint32_t seed) {
  const std::string& path = image.path;
  const LoadedLibrary library = load_privately(image);
  const Symbols symbols(path, library.handle);
  const PrintScope quiet(nullptr);
  if (!symbols.has("bs_major_version") && symbols.has("bs_construct")) {
    return {checked(path, std::make_unique<InstanceV1>(symbols, data, seed)), library.is_private};
  }
  if (symbols.has("bs_major_version") && symbols.number("bs_major_version") != 2) {
    throw UsageError(
        fmt::format("{}: has version {} of the BridgeStan interface, but ravi knows 1.0 and 2",
                    path, symbols.number("bs_major_version")));
  }
  return {checked(path, std::make_unique<InstanceV2>(symbols, data, seed)), library.is_private};
}

PrintScope::PrintScope(const std::function<void(std::string_view)>* print)
    : print_(print != nullptr && *print ? print : nullptr), outer_(current_scope) {
  current_scope = this;
}

PrintScope::~PrintScope() {
  hand_over();
  current_scope = outer_;
}

void PrintScope::add(std::string_view text) {
  if (print_ == nullptr) return;
  line_ += text;
  if (line_.ends_with('\n')) hand_over();
}

void PrintScope::hand_over() {
  static std::mutex one_at_a_time;
  if (line_.empty()) return;
  const std::lock_guard lock(one_at_a_time);
  (*print_)(line_);
  line_.clear();
}

}  // namespace ravi
