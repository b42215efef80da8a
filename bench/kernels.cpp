// One hot kernel ten times, for bench/instructions to count what it executes.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <functional>
#include <map>
#include <string>

#include "algorithm/chains/chains.hpp"
#include "algorithm/methods.hpp"
#include "core/registry.hpp"
#include "diagnostics/ess.hpp"
#include "diagnostics/psis.hpp"
#include "diagnostics/tail_index.hpp"
#include "problems.hpp"
#include "ravi/ravi.hpp"

// Where counting begins and ends; not inlined, so that it can be told by its name.
extern "C" [[gnu::noinline]] void ravi_counted(const std::function<void()>& kernel);
void ravi_counted(const std::function<void()>& kernel) {
  for (int i = 0; i < 10; ++i) kernel();
}

namespace ravi {
namespace {

double kept = 0;  // results go here, so that no work is left out

Matrix noise(Index rows, Index cols) {
  Matrix z(rows, cols);
  RandomStream(1, Purpose::test, 0, 0).fill_normal(z);
  return z;
}

std::function<void()> gradient(std::unique_ptr<Model> made) {
  const std::shared_ptr<Model> model = std::move(made);
  return [model, theta = noise(model->dimension(), 10)] {
    static Vector log_density(10);
    static Matrix slope(theta.rows(), 10);
    model->evaluate(theta, log_density, slope);
    kept += log_density(0);
  };
}

// A whole iteration of one chain; the window is closed after every hundredth, which is counted too.
std::function<void()> iterations(Index p) {
  struct Running {
    std::unique_ptr<Model> model;
    Options options;
    std::unique_ptr<Approximation> q;
    std::unique_ptr<Chains> chains;
  };
  auto r = std::make_shared<Running>();
  r->model = linear_model(simulate_linear_regression(300, p, 0.9, 1));
  r->options = filled_in({.method = "paper", .chains = 1, .threads = 1}, *r->model);
  r->q = entry_of(family_registry(), r->options.family, "family").make(p);
  r->chains = std::make_unique<Chains>(*r->model, r->options, *r->q, nullptr);
  r->chains->iterates().start_keeping();
  return [r] { r->chains->advance(r->options.window); };
}

const std::map<std::string, std::function<std::function<void()>()>> kKernels = {
    {"700 normal draws",
     [] {
       return [z = Matrix(70, 10)]() mutable {
         RandomStream(1, Purpose::test, 0, 0).fill_normal(z);
         kept += z(0, 0);
       };
     }},
    {"linear gradient, N = 300, P = 70, M = 10",
     [] { return gradient(linear_model(simulate_linear_regression(300, 70, 0.9, 1))); }},
    {"logistic gradient, N = 1000, P = 50, M = 10",
     [] {
       const SimulatedRegression s = simulate_linear_regression(1000, 50, 0.9, 1);
       return gradient(logistic_model(s.X, binary_targets(s, 1)));
     }},
    {"100 iterations and their diagnostics, linear, P = 70", [] { return iterations(70); }},
    {"100 iterations and their diagnostics, linear, P = 10", [] { return iterations(10); }},
    {"tail indices of 4096 iterates",
     [] { return [x = noise(4096, 1)] { kept += tail_index(x.col(0)).upper; }; }},
    {"ESS of 4 x 1000 iterates", [] { return [x = noise(1000, 4)] { kept += ess_mean(x); }; }},
    {"PSIS of 4000 ratios", [] { return [x = noise(4000, 1)] { kept += psis(x.col(0)).khat; }; }},
};

}  // namespace
}  // namespace ravi

// kernels: lists them. kernels NAME: runs one, once before it is counted.
int main(int argc, char** argv) {
  if (argc < 2) {
    for (const auto& [name, make] : ravi::kKernels) fmt::print("{}\n", name);
    return 0;
  }
  const auto found = ravi::kKernels.find(argv[1]);
  if (found == ravi::kKernels.end()) {
    fmt::print(stderr, "kernels: there is no {}\n", argv[1]);
    return 2;
  }
  const std::function<void()> kernel = found->second();
  kernel();
  ravi_counted(kernel);
  std::fprintf(stderr, "%g\n", ravi::kept);
  return 0;
}
