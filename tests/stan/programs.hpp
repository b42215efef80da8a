// The worked examples in models/, compiled, for the tests.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/stan/toolchain.hpp"
#include "ravi/stan.hpp"

namespace ravi {

// 21 where R has Stan 2.21.
inline int stan_minor() { return find_toolchain({}).stan_minor; }

inline std::filesystem::path models_folder() { return RAVI_MODELS; }

inline std::vector<std::string> program_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(models_folder())) {
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

inline std::string file_of(const std::string& name, const std::string& file) {
  return (models_folder() / name / file).string();
}
inline std::string program_of(const std::string& name) { return file_of(name, name + ".stan"); }

inline nlohmann::json json_of(const std::string& name, const std::string& file) {
  return nlohmann::json::parse(std::ifstream(file_of(name, file)));
}

inline std::unique_ptr<Model> example(const std::string& name) {
  return stan_model(program_of(name), file_of(name, "data.json"));
}

inline Vector to_vector(const nlohmann::json& j) {
  const auto values = j.get<std::vector<double>>();
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

// A library as any other client of the interface sees it: found by name, called directly.
class DirectLibrary {
 public:
  explicit DirectLibrary(const std::string& path)
      : handle_(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) throw std::runtime_error(::dlerror());
  }

  template <typename Result, typename... Arguments>
  Result call(const char* name, Arguments... arguments) const {
    return function<Result, Arguments...>(name)(arguments...);
  }
  template <typename Result, typename... Arguments>
  auto function(const char* name) const {
    auto f = reinterpret_cast<Result (*)(Arguments...)>(::dlsym(handle_, name));
    if (f == nullptr) throw std::runtime_error(std::string(name) + " is missing");
    return f;
  }

 private:
  void* handle_;
};

}  // namespace ravi
