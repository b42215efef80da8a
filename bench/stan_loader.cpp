// What ravi's loader adds to a gradient of a Stan program: the same calls made directly, side by
// side. Usage: stan_loader PROGRAM.stan DATA.json ...     (pairs)
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "ravi/stan.hpp"
#include "timing.hpp"

namespace {

using ravi::Index, ravi::Matrix, ravi::Vector, ravi::median, ravi::seconds_of;
using Gradient = int (*)(const void*, bool, bool, const double*, double*, double*, char**);

void compare(const std::string& program, const std::string& data) {
  constexpr Index kBatch = 10;  // M, the default
  constexpr int kRounds = 31;
  const std::string path = ravi::compile_stan(program);
  const auto model = ravi::stan_model(path, data);
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto construct = reinterpret_cast<void* (*)(const char*, unsigned, char**)>(
      ::dlsym(library, "bs_model_construct"));
  const auto gradient_of = reinterpret_cast<Gradient>(::dlsym(library, "bs_log_density_gradient"));
  const void* direct = construct(data.c_str(), 1, nullptr);

  const Index p = model->dimension();
  const Matrix theta = 0.1 * Matrix::Random(p, kBatch);
  Matrix gradient(p, kBatch);
  Vector density(kBatch);
  const auto directly = [&] {
    for (Index s = 0; s < kBatch; ++s) {
      gradient_of(direct, false, true, theta.col(s).data(), &density(s), gradient.col(s).data(),
                  nullptr);
    }
  };
  const auto through_ravi = [&] { model->evaluate(theta, density, gradient); };
  const auto repeat = [](int times, const auto& body) {
    for (int i = 0; i < times; ++i) body();
  };
  const double once = seconds_of([&] { repeat(20, directly); }) / 20;
  const int times = std::max(1, static_cast<int>(0.02 / once));
  // Side by side, and the difference of each pair, because the machine changes from one to the
  // next.
  std::vector<double> alone, added;
  for (int round = 0; round < kRounds; ++round) {
    const double a = seconds_of([&] { repeat(times, directly); });
    const double b = seconds_of([&] { repeat(times, through_ravi); });
    const double per_call = 1e6 / static_cast<double>(times * kBatch);
    alone.push_back(a * per_call);
    added.push_back((b - a) * per_call);
  }
  fmt::print("  {:<28} P {:>3}  {:8.2f} us directly  {:+7.3f} us by ravi  {:+6.2f} %\n",
             std::filesystem::path(program).stem().string(), p, median(alone), median(added),
             100 * median(added) / median(alone));
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i + 1 < argc; i += 2) compare(argv[i], argv[i + 1]);
  return 0;
}
